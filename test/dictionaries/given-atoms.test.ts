/** Atoms of one's own, without an encoder: what is decoded is what was encoded, or the nearest there is. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identity, type Matrix64, maxDifference, norm, row, scaleRows, transpose, unitRows } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { dictionaryOfAtoms } from '#src/dictionaries/given-atoms.ts';
import { selectKernels } from '#src/kernels/select.ts';
import { solve } from '#src/linalg/lu.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { readMatrix, writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { loadModel, saveModel } from '#src/node/io/model-file.ts';
import { callCli } from '../helpers/call-cli.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(5);
const kernels = await selectKernels('auto');
const scratch = scratchDirectory();

/** K×n of singular values from 1 down to 1/condition, rows scaled by up to `spread` either way. */
function atomsOf(K: number, n: number, condition: number, spread: number, number: number): Matrix64 {
  const random = createRandom(number, 'given atoms');
  const [U, V] = [randomOrthogonal(K, random), randomOrthogonal(n, random)];
  const S = scaleRows(
    { rows: K, cols: n, data: V.data.slice(0, K * n) },
    Array.from({ length: K }, (_, k) => condition ** (-k / Math.max(1, K - 1))),
  );
  const scales = Array.from({ length: K }, () => spread ** (2 * random.uniform() - 1));
  return scaleRows(unitRows(kernels.multiply(U, S)), scales);
}

const squares = (A: Matrix64, B: { readonly data: ArrayLike<number> }, j: number): number => {
  let sum = 0;
  for (let i = 0; i < A.cols; i++) sum += (A.data[j * A.cols + i] - B.data[j * A.cols + i]) ** 2;
  return sum;
};

describe('independent atoms', () => {
  it('give back every sample if they are complete, and else the nearest of their span', async () => {
    const shapes = fc
      .integer({ min: 1, max: 14 })
      .chain((n) => fc.tuple(fc.integer({ min: 1, max: n }), fc.constant(n)));
    const powers = fc.double({ min: 0, max: 8, noNaN: true });
    await fc.assert(
      fc.asyncProperty(shapes, powers, fc.constantFrom(1, 10, 1e6), fc.nat(), async ([K, n], power, spread, number) => {
        const condition = 10 ** power;
        const atoms = atomsOf(K, n, condition, spread, number);
        const samples = normalMatrix(6, n, createRandom(number, 'samples'));
        const { dictionary, remark } = await dictionaryOfAtoms({ atoms });
        const decoded = await dictionary.decode(await dictionary.encode(samples));
        // unit rows can at most square the condition; rounding is multiplied by it
        const tolerance = 1e-13 * n * condition;
        if (K === n) expect(maxDifference(decoded, samples)).toBeLessThan(Math.max(1e-12, tolerance));
        const units = unitRows(atoms);
        const gram = kernels.multiply(units, units, 'nt');
        const codes = solve(gram, transpose(kernels.multiply(samples, units, 'nt')))!;
        const nearest = kernels.multiply(transpose(codes), units);
        for (let j = 0; j < samples.rows; j++) {
          const size = norm(row(samples, j)) ** 2;
          expect(squares(samples, decoded, j)).toBeLessThanOrEqual(
            squares(samples, nearest, j) + size * Math.max(1e-12, tolerance),
          );
        }
        if (remark)
          expect(remark).toMatch(
            /^the atoms are not orthonormal: codes are found by their (pseudo-)?inverse \(condition [\d.e+]+\)$/,
          );
      }),
      { numRuns: 200 },
    );
  });

  it('that are orthonormal, also in float32, are their own encoder, and nothing is said', async () => {
    const atoms = randomOrthogonal(30, createRandom(seed, 'orthogonal'));
    const { dictionary, remark } = await dictionaryOfAtoms({
      atoms: { ...atoms, data: Float32Array.from(atoms.data) },
    });
    expect(dictionary.encoder).toBe(dictionary.atoms);
    expect(remark).toBeUndefined();
  });

  it('are said to have the condition that they have', async () => {
    const { remark } = await dictionaryOfAtoms({
      atoms: { rows: 2, cols: 2, data: Float64Array.of(1, 0, Math.SQRT1_2, Math.SQRT1_2) },
    });
    expect(remark).toBe('the atoms are not orthonormal: codes are found by their inverse (condition 2.4)'); // 1 + √2
  });
});

describe('other atoms', () => {
  it.each([
    [
      'more than features',
      normalMatrix(12, 8, createRandom(seed, 'more')),
      '12 atoms of 8 features are not independent',
    ],
    [
      'complete, but singular',
      { ...identity(3), data: Float64Array.of(1, 2, 3, 2, 4, 6, 0, 0, 5) },
      'the atoms are not independent',
    ],
    [
      'singular but for rounding',
      { rows: 2, cols: 2, data: Float64Array.of(1, 1, 1, 1 + 1e-14) },
      'the atoms are not independent',
    ],
  ])('are pursued: %s', async (_, atoms, why) => {
    const { dictionary, remark } = await dictionaryOfAtoms({ atoms });
    expect(remark).toBe(`${why}: codes of atoms scaled to length 1 are found by orthogonal matching pursuit`);
    const codes = normalMatrix(5, atoms.rows, createRandom(seed, 'codes'));
    const samples = kernels.multiply(codes, atoms);
    const size = norm(samples.data);
    // pursuits stop at a relative residual of 1e-6
    expect(maxDifference(await dictionary.decode(await dictionary.encode(samples)), samples)).toBeLessThan(1e-5 * size);
  });

  it('of zeros are refused', async () => {
    await expect(dictionaryOfAtoms({ atoms: { rows: 2, cols: 2, data: Float64Array.of(1, 0, 0, 0) } })).rejects.toThrow(
      'dictionary: atoms must be different from zero; got zeros in row 1.',
    );
  });
});

describe('a file of atoms alone', () => {
  const random = createRandom(seed, 'files');
  const samples = normalMatrix(20, 8, random);
  const [data, codes, back] = [scratch.file('samples.npy'), scratch.file('codes.npy'), scratch.file('back.npy')];

  it.each([
    ['inverse', 8, 'the atoms are not orthonormal: codes are found by their inverse'],
    ['pursuit', 12, '12 atoms of 8 features are not independent: codes of atoms scaled to length 1'],
  ])('is encoded and decoded by the command line, which says how: %s', async (name, K, remark) => {
    const path = scratch.file(`${name}.npz`);
    await writeArrays(path, { atoms: normalMatrix(K, 8, random) });
    await writeArray(data, samples);
    const encoded = await callCli(['encode', path, data, '--out', codes]);
    expect(encoded.stderr).toContain(`${name}.npz: ${remark}`);
    expect(encoded.code).toBe(0);
    expect((await callCli(['decode', path, codes, '--out', back])).code).toBe(0);
    expect(maxDifference(await readMatrix(back), samples)).toBeLessThan(1e-5);
  });

  it('says so to a program, and saves what it became', async () => {
    const path = scratch.file('own.npz');
    await writeArrays(path, { atoms: normalMatrix(8, 8, random) });
    const model = await loadModel(path);
    expect(model.remark).toMatch(/^the atoms are not orthonormal: codes are found by their inverse \(condition /);
    await saveModel(path, model);
    const again = await loadModel(path);
    expect(again.remark).toBeUndefined();
    expect(maxDifference(await again.dictionary.encode(samples), await model.dictionary.encode(samples))).toBe(0);
  });
});
