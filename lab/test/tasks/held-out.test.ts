/** The objective on real data, and how contenders are judged by it. */

import fc from 'fast-check';
import { generate, metrics } from 'orthodict';
import { createRandom, identity, normalMatrix, randomOrthogonal, scaleRows, zeros } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import type { Contender, Snapshot } from '#lab/contenders/contender.ts';
import { median, medianOrNull } from '#lab/median.ts';
import { heldOutResidual } from '#lab/tasks/real/held-out.ts';
import { learnRealData } from '#lab/tasks/real/real.ts';
import type { RealSet } from '#lab/tasks/real/real-sets.ts';
import { scratchDirectory } from '../../../test/helpers/scratch.ts';
import { testSeed } from '../../../test/helpers/seed.ts';

const scratch = scratchDirectory();
const random = createRandom(testSeed(1), 'held-out');
const n = 6;
const Y = normalMatrix(40, n, random);
const A = randomOrthogonal(n, random);

describe('the held-out residual', () => {
  it.each([1, 2, 5, n])('is that of the k largest codes if atoms are orthonormal, k = %i', async (k) => {
    const scaled = scaleRows(A, [1, -2, 3, 0.5, 7, -1]); // lengths and signs of atoms do not matter
    for (const atoms of [A, scaled]) {
      expect(await heldOutResidual(Y, { atoms }, k)).toBeCloseTo(metrics.topResidual(Y, A, k), 12);
    }
  });

  it('is never larger with more codes or more atoms to choose from', async () => {
    const atoms = normalMatrix(2 * n, n, random);
    const residuals = await Promise.all([1, 2, 3].map((k) => heldOutResidual(Y, { atoms }, k)));
    expect(residuals).toEqual(residuals.toSorted((a, b) => b - a));
    expect(residuals[0]).toBeLessThan(1);
  });

  it('counts a mean as one more atom', async () => {
    const mean = { rows: 1, cols: n, data: new Float64Array(n).fill(3) };
    const ones = { rows: 40, cols: n, data: new Float64Array(40 * n).fill(5) };
    expect(await heldOutResidual(ones, { atoms: A, mean }, 1)).toBeCloseTo(0, 12);
    const with1 = { rows: n + 1, cols: n, data: Float64Array.from([...mean.data, ...A.data]) };
    for (const k of [1, 2, 3]) {
      expect(await heldOutResidual(Y, { atoms: A, mean }, k)).toBe(await heldOutResidual(Y, { atoms: with1 }, k));
    }
  });

  it('is 1 for atoms that say nothing, and ignores empty ones', async () => {
    expect(await heldOutResidual(Y, { atoms: zeros(n, n) }, 2)).toBe(1);
    expect(await heldOutResidual(Y, { atoms: { ...A, data: A.data.map(() => Number.NaN) } }, 2)).toBe(1);
    const half = scaleRows(A, [1, 1, 1, 0, 0, 0]);
    expect(await heldOutResidual(Y, { atoms: half }, n)).toBeCloseTo(
      metrics.topResidual(Y, { rows: 3, cols: n, data: A.data.slice(0, 3 * n) }, 3),
      12,
    );
  });
});

describe('the median', () => {
  it('is in the middle, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 }), (values) => {
        const middle = median(values);
        const half = values.length / 2;
        expect(values.filter((value) => value <= middle).length).toBeGreaterThanOrEqual(half);
        expect(values.filter((value) => value >= middle).length).toBeGreaterThanOrEqual(half);
      }),
    );
    expect(median([])).toBeNaN();
  });

  it('is missing if the one in the middle is', () => {
    expect(medianOrNull([1, null, 2])).toBe(2);
    expect(medianOrNull([1, null, null])).toBeNull();
    expect(medianOrNull([1, null])).toBeNull();
    expect(medianOrNull([null, null])).toBeNull();
    expect(medianOrNull([])).toBeNull();
  });
});

describe('real data', () => {
  const { samples } = generate({ samples: 600, features: n, theta: 0.3, seed: testSeed(1) });
  const part = (start: number) => ({
    rows: 300,
    cols: n,
    data: samples.data.slice(start * n, (start + 300) * n) as Float64Array,
  });
  const set: RealSet = {
    name: 'tiny',
    samples: 300,
    features: n,
    kept: 2,
    within: 0.01,
    mostPasses: 9,
    mostRuns: 2,
    limitSeconds: 30,
    read: async () => ({ training: part(0), heldOut: part(300) }),
  };
  const seeds: number[] = [];
  const contender = (name: string, run: (seed: number) => Snapshot[], mostRuns = 9) => {
    const full: Contender = { name, ours: false, mostRuns, open: async () => ({ missing: 'never opened' }) };
    const session = {
      description: '',
      run: async ({ seed }: { seed: number }) => run(seed),
      close: async () => {},
    };
    return { contender: full, session };
  };

  it('gives every round another start, scores with the held-out half, and compares with the reference', async () => {
    const truth = generate({ samples: 600, features: n, theta: 0.3, seed: testSeed(1) }).atoms;
    const good = contender('good', (seed) => {
      seeds.push(seed);
      return [
        { seconds: seed, passes: 1, found: { atoms: identity(n) } },
        { seconds: 10 * seed, passes: 4, found: { atoms: truth } },
      ];
    });
    const once = contender('once', () => [{ seconds: 1, found: { atoms: truth } }], 1);
    const failing = contender('failing', () => {
      throw new Error('no such thing');
    });
    const {
      results,
      references,
      set: about,
    } = await learnRealData([good, once, failing], set, { rounds: 5, folder: scratch.path });
    expect(about).not.toHaveProperty('read');
    expect(seeds).toEqual([1, 2]);
    expect(references.map(({ seed }) => seed)).toEqual([1, 2]);
    const residual = await heldOutResidual(part(300), { atoms: truth }, 2);
    expect(results[0]).toMatchObject({ runs: 2, seconds: 15, passes: 4, residual, reason: undefined });
    expect(results[0].ofReference).toBeCloseTo(
      references.reduce((sum, reference) => sum + residual / reference.residual / 2, 0),
      12,
    );
    expect(results[0].marks.map(({ seconds }) => seconds)).toEqual([1, 10]);
    expect(results[1]).toMatchObject({ runs: 1, seconds: 1, passes: null, residual });
    expect(results[2]).toMatchObject({ runs: 1, seconds: null, residual: null, reason: 'no such thing' });
    for (const { residual: end, passes } of references) {
      expect(end).toBeLessThan(1.25 * residual); // plain MSP comes close to the truth, with a bias of few samples
      expect(passes).toBeGreaterThan(5);
    }
  });
});
