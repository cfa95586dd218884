/** Atoms that are nearly exact are made exact from the zeros of their own codes, whatever the other atoms are. */
import { describe, expect, it } from 'vitest';
import { identity, type Matrix64, range, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { sharpening } from '#src/learn/certificate/sharpen.ts';
import { product } from '../../helpers/matrices.ts';
import { testSeed } from '../../helpers/seed.ts';

/** Sparse codes, an atom in a row; those of `spoiled` have errors as if the atom had been turned by so much. */
function nearly(K: number, samples: number, by: number, spoiled: readonly number[], density = 0.3) {
  const random = createRandom(testSeed(5), 'sharpen');
  const codes = zeros(K, samples);
  for (let at = 0; at < codes.data.length; at++) {
    if (random.uniform() < density) codes.data[at] = random.normal();
  }
  const turn = identity(K);
  for (const i of spoiled) {
    for (const k of range(K)) if (k !== i) turn.data[i * K + k] = by * random.normal();
  }
  return { codes, given: product(turn, codes) };
}

const sharpened = (given: Matrix64, wanted: readonly number[]) => sharpening(given, wanted, referenceKernels);

/** Largest difference of row i from a multiple of the true one. */
function errorOf(found: Matrix64, truth: Matrix64, i: number): number {
  const [a, b] = [found, truth].map(({ cols, data }) => data.subarray(i * cols, (i + 1) * cols));
  const scale = a.reduce((sum, x, j) => sum + x * b[j], 0) / b.reduce((sum, x) => sum + x * x, 0);
  return Math.max(...a.map((x, j) => Math.abs(x - scale * b[j])));
}

describe('sharpening', () => {
  it('makes those exact that are wanted, and leaves the others', () => {
    const { codes, given } = nearly(6, 400, 1e-4, [0, 2, 3]);
    const T = sharpened(given, [0, 3])!;
    const found = product(T, given);
    for (const i of [0, 3]) expect(errorOf(found, codes, i)).toBeLessThan(1e-13);
    expect(errorOf(found, codes, 2)).toBeGreaterThan(1e-6);
    for (const i of [1, 2, 4, 5]) {
      expect([...T.data.subarray(6 * i, 6 * i + 6)]).toEqual(range(6).map((k) => Number(k === i)));
    }
    for (const i of [0, 3]) expect(Math.hypot(...T.data.subarray(6 * i, 6 * i + 6))).toBeCloseTo(1, 14);
  });

  it.each([1e-2, 1, 1e6])('is the same at any scale of the codes: %d', (scale) => {
    const { codes, given } = nearly(5, 300, 1e-4, [1]);
    const scaled = { ...given, data: given.data.map((x, at) => x * scale * (1 + (at % 300))) };
    const truth = { ...codes, data: codes.data.map((x, at) => x * scale * (1 + (at % 300))) };
    expect(errorOf(product(sharpened(scaled, [1])!, scaled), truth, 1) / scale).toBeLessThan(1e-10);
  });

  it('needs as many nearly zero codes as atoms', () => {
    const K = 4;
    const { codes, given } = nearly(K, 200, 1e-5, [0]);
    const zerosOf = range(200).filter((j) => codes.data[j] === 0);
    // only the first `count` samples without the atom, and all of those with it
    const only = (count: number) => {
      const kept = range(200).filter((j) => codes.data[j] !== 0 || zerosOf.indexOf(j) < count);
      const data = range(K).flatMap((i) => kept.map((j) => given.data[i * 200 + j]));
      return { rows: K, cols: kept.length, data: Float64Array.from(data) };
    };
    const live = zerosOf.filter((j) => range(K).some((i) => codes.data[i * 200 + j] !== 0));
    expect(live.length).toBeGreaterThan(3 * K);
    expect(sharpened(only(K - 1), [0])).toBeUndefined();
    expect(sharpened(only(zerosOf.length), [0])).toBeDefined();
  });

  it('gives up where codes are far from zero, are dense, or where nothing is wanted', () => {
    expect(sharpened(nearly(6, 400, 0.1, [0]).given, [0])).toBeUndefined();
    expect(sharpened(nearly(6, 400, 1e-4, [0], 1).given, [0])).toBeUndefined();
    expect(sharpened(nearly(6, 400, 1e-4, [0]).given, [])).toBeUndefined();
  });

  it('is worth it for a hundred atoms and some more, not for thousands', () => {
    const of = (K: number) => sharpened(nearly(K, 1, 0, []).given, [0]);
    expect(of(128)).toBeUndefined();
    const { given } = nearly(128, 700, 1e-5, [0], 0.05);
    expect(sharpened(given, [0])).toBeDefined();
    const more = nearly(129, 700, 1e-5, [0], 0.05);
    expect(sharpened(more.given, [0])).toBeUndefined();
  });
});
