/** Learning a product of rotations: the atoms stay one, and the energy kept never falls. */
import { describe, expect, it } from 'vitest';
import { type Matrix64, maxDifference } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { fitRotations, polishRotations } from '#src/dictionaries/factoring/factor-givens.ts';
import { learn } from '#src/learn/learn.ts';
import { rotationMatrix } from '#src/linalg/rotations.ts';
import { loadModel, saveModel } from '#src/node/io/model-file.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { randomRotations } from '../../helpers/matrices.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(9);
const scratch = scratchDirectory();
const N = 12;
const { samples } = generate({ samples: 3000, features: N, theta: 0.25, seed });
const options = { method: 'gtransform', keep: 3 } as const;
const inner = (A: Matrix64, B: Matrix64) => A.data.reduce((sum, a, i) => sum + a * B.data[i], 0);

describe('gtransform', () => {
  it('learns a product of the rotations asked for, atoms by descending energy; a file stores it exactly', async () => {
    const result = await learn(samples, { ...options, rotations: 20, center: true });
    const { dictionary } = result;
    if (dictionary.transform.kind !== 'rotations') throw new Error('not a product of rotations');
    expect(dictionary.transform.rotations.rows).toBe(20);
    expect([result.refined, result.refinement]).toEqual([false, 'a product of rotations is not refined']);
    const codes = await dictionary.encode(samples);
    expect(maxDifference(await dictionary.decode(codes), samples)).toBeLessThan(1e-12);
    const energies = Array.from({ length: N }, (_, k) => {
      let sum = 0;
      for (let j = 0; j < codes.rows; j++) sum += codes.data[j * N + k] ** 2;
      return sum;
    });
    energies.slice(1).forEach((energy, k) => {
      expect(energy).toBeLessThanOrEqual(energies[k] * (1 + 1e-9));
    });
    const path = scratch.file('g.npz');
    await saveModel(path, result);
    expect((await loadModel(path)).dictionary.transform).toEqual(dictionary.transform);
  });

  it('refuses data that needs other coordinates', async () => {
    await expect(learn(samples, { ...options, whiten: 'zca' })).rejects.toThrow(
      'whiten must be none with method gtransform',
    );
    await expect(learn(samples, { ...options, components: 4 })).rejects.toThrow(
      `components must be all ${N}, or left out, with method gtransform; got 4`,
    );
    const flat = {
      ...samples,
      data: samples.data.map((x: number, at: number) => (at % N === 1 ? 0 : x)),
    } as typeof samples;
    await expect(learn(flat, options)).rejects.toThrow(`of full rank for method gtransform; got rank ${N - 1} of ${N}`);
    await expect(learn(samples, { rotations: 3 } as never)).rejects.toThrow('given with method gtransform only');
  });
});

describe('polishRotations', () => {
  it('never lowers tr(Mᵀ A), and changes nothing if every angle is already the best', () => {
    const random = createRandom(seed, 'polish');
    for (let trial = 0; trial < 10; trial++) {
      const M = normalMatrix(8, 8, random);
      for (const product of [{ kind: 'rotations', ...randomRotations(15, 8, random) } as const, fitRotations(M, 15)]) {
        let value = inner(rotationMatrix(product), M);
        let current = product as ReturnType<typeof fitRotations>;
        for (let sweep = 0; sweep < 5; sweep++) {
          current = polishRotations(M, current);
          const next = inner(rotationMatrix(current), M);
          expect(next).toBeGreaterThanOrEqual(value - 1e-12);
          value = next;
        }
      }
    }
  });
});
