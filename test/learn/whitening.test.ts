/** Working coordinates: the moments of the data in them; and which data is white, has what rank and is worth a search. */
import { describe, expect, it } from 'vitest';
import { identity, type Matrix64, maxDifference, range, transpose } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import {
  type Coordinates,
  chooseCoordinates,
  isWhite,
  maySearch,
  narrowCoordinates,
  requireEnough,
  spreadsOf,
} from '#src/learn/whitening.ts';
import { product, withEigenvalues } from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const SAMPLES = 50;
const pause = () => undefined;
const random = createRandom(testSeed(8), 'coordinates');
const withValues = (...values: number[]) => withEigenvalues(values, random);
const choose = (gram: Matrix64, change: object = {}, kernels = referenceKernels) =>
  chooseCoordinates('learn', { gram, samples: SAMPLES, whiten: 'none', ...change }, kernels, pause);
const near = (a: Matrix64, b: Matrix64) => expect(maxDifference(a, b)).toBeLessThan(1e-9);
const times = (A: Matrix64, factor: number) => ({ ...A, data: A.data.map((x) => factor * x) });

/** W G Wᵀ */
const moments = (W: Matrix64, gram: Matrix64) => product(product(W, gram), transpose(W));

describe('coordinates', () => {
  it('are the data itself where it has full rank, with the ratio of its eigenvalues or a bound of it', async () => {
    const white = withValues(60, 55, 50, 50);
    const found = await choose(white);
    expect(found).toMatchObject({ size: 4, gram: white });
    expect(found).not.toHaveProperty('analysis');
    expect(found.spread).toBeGreaterThanOrEqual(60 / 50);
    expect(found.spread).toBeLessThan(1.4);
    expect(found.middle).toBe(found.spread);
    const wide = await choose(withValues(800, 40, 20, 10, 8, 4, 2, 1));
    expect(wide.size).toBe(8);
    expect(wide.spread).toBeCloseTo(800, 6);
    expect(wide.middle).toBeCloseTo(20 / 2, 6);
    expect(wide).not.toHaveProperty('analysis');
  });

  it('bound the ratio from above, whatever the eigenvalues', async () => {
    for (let k = 0; k < 30; k++) {
      const values = range(6).map(() => 1 + 3.9 * random.uniform());
      const { spread } = await choose(withValues(...values));
      const exact = Math.max(...values) / Math.min(...values);
      expect(spread).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
      expect(spread).toBeLessThanOrEqual(Math.max(5, exact * (1 + 1e-9)));
    }
  });

  it('are principal directions of data of less rank, and the silent ones are kept', async () => {
    const gram = withValues(90, 30, 10, 1e-14, 0);
    const { size, analysis, synthesis, silent, gram: own, spread } = await choose(gram);
    expect([size, silent!.rows]).toEqual([3, 2]);
    expect(synthesis).toEqual(analysis);
    expect(spread).toBeCloseTo(9, 9);
    near(moments(analysis!, gram), own);
    near(product(analysis!, transpose(analysis!)), identity(3));
    near(product(silent!, transpose(analysis!)), { rows: 2, cols: 3, data: new Float64Array(6) });
    const few = await choose(gram, { components: 2 });
    expect([few.size, few.silent]).toEqual([2, undefined]);
    expect([...few.gram.data].map((x) => Math.round(x))).toEqual([90, 0, 0, 30]);
  });

  it.each([
    ['full rank', [90, 30, 10], undefined, 3],
    ['less rank', [90, 30, 10, 1e-12], undefined, 3],
    ['some components', [90, 30, 10], 2, 2],
  ])('whiten data of %s, and back', async (_, values, components, size) => {
    const gram = withValues(...values);
    const found = await choose(gram, { whiten: 'zca', components });
    expect(found).toMatchObject({ size, whitened: true, spread: 1, middle: 1 });
    const { analysis: W, synthesis: S } = found as Required<Coordinates>;
    near(found.gram, times(identity(size), SAMPLES));
    near(moments(W, gram), times(identity(size), SAMPLES));
    near(product(W, transpose(S)), identity(size));
    if (size === gram.rows) near(W, transpose(W)); // the whitened data is nearest to the data
  });

  it('raw are the data, whatever its rank', async () => {
    const gram = withValues(5, 0);
    const infinite = Number.POSITIVE_INFINITY;
    expect(await choose(gram, { raw: true })).toEqual({ size: 2, gram, spread: infinite, middle: infinite });
  });

  it('with more components than rank are refused', async () => {
    await expect(choose(withValues(9, 3, 0), { components: 3 })).rejects.toThrow(
      'learn: components must be at most 2, the rank of the data; got 3.',
    );
    await expect(choose(withValues(9, 3, 0), { components: 3, whiten: 'zca' })).rejects.toThrow('at most 2');
  });

  it('of fewer samples than features are those of the whole', async () => {
    const Y = normalMatrix(6, 9, random);
    const gram = product(transpose(Y), Y);
    for (const whiten of ['none', 'zca'] as const) {
      const request = { Y, outer: product(Y, transpose(Y)), whiten, components: 4 };
      const narrow = await narrowCoordinates('learn', request, referenceKernels, pause);
      const whole = await chooseCoordinates(
        'learn',
        { gram, samples: 6, whiten, components: 4 },
        referenceKernels,
        pause,
      );
      expect(narrow.spread).toBeCloseTo(whole.spread, 9);
      expect(narrow.middle).toBeCloseTo(whole.middle, 9);
      expect(narrow.whitened).toBe(whiten === 'zca');
      near(narrow.gram, whole.gram);
      for (const name of ['analysis', 'synthesis'] as const) {
        const cosines = product(narrow[name]!, transpose(whole[name]!));
        const sizes = product(whole[name]!, transpose(whole[name]!));
        near({ ...cosines, data: cosines.data.map(Math.abs) }, { ...sizes, data: sizes.data.map(Math.abs) });
      }
    }
    const flat = { ...Y, data: Y.data.map((_, k) => Y.data[k % 18]) }; // rank 2
    const request = { Y: flat, outer: product(flat, transpose(flat)), whiten: 'none' as const, components: 3 };
    await expect(narrowCoordinates('learn', request, referenceKernels, pause)).rejects.toThrow('at most 2, the rank');
  });
});

it('spreads are ratios of the extremes and of the quartiles', () => {
  const values = Float64Array.of(64, 32, 16, 8, 4, 2, 1, 0.5);
  expect(spreadsOf(values)).toEqual({ spread: 128, middle: 16 / 1 });
  expect(spreadsOf(values, 4)).toEqual({ spread: 8, middle: 32 / 8 });
});

it('data is white up to a spread of five', () => {
  expect([5, 5.01].map((spread) => isWhite({ spread } as Coordinates))).toEqual([true, false]);
});

it('a search may find something where the eigenvalues are those of sparse codes of equal energy', () => {
  // y = 2K/p = 1/4: they spread by ((1 + 1/2)/(1 − 1/2))² = 9
  const may = (spread: number, middle: number, size = 10, samples = 80) => maySearch({ spread, middle }, size, samples);
  expect([may(44.9, 100), may(45.1, 100), may(1000, 8.9), may(1000, 9.1)]).toEqual([true, false, true, false]);
  // never more than for y = 1/2
  const most = ((1 + Math.sqrt(0.5)) / (1 - Math.sqrt(0.5))) ** 2;
  for (const samples of [1, 20, 40]) {
    expect([may(1e9, 0.999 * most, 10, samples), may(1e9, 1.001 * most, 10, samples)]).toEqual([true, false]);
  }
});

it('there must be as many samples as features, or as components', () => {
  const check = (rows: number, cols: number, request: object) => () => requireEnough('learn', { rows, cols }, request);
  for (const good of [
    check(5, 5, {}),
    check(3, 9, { components: 3 }),
    check(9, 3, { components: 3 }),
    check(9, 3, { raw: true, components: 20 }),
  ]) {
    expect(good).not.toThrow();
  }
  expect(check(4, 5, {})).toThrow('samples must be at least as many as features (5); got 4; components of 4 or fewer');
  expect(check(4, 5, { raw: true })).toThrow(/got 4\.$/);
  expect(check(3, 9, { components: 4 })).toThrow('components must be at most 3, the rank of the data; got 4.');
  expect(check(9, 3, { components: 4 })).toThrow('components must be at most 3, the rank of the data; got 4.');
});
