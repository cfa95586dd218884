/** Which samples count for a certificate: multiples of one once, samples of a single atom only if the others differ. */
import { expect, it } from 'vitest';
import { range, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { distinctSamples } from '#src/learn/certificate/distinct-samples.ts';
import { testSeed } from '../../helpers/seed.ts';

const K = 5;

/** The samples (given as lists of K codes) that count. */
function counted(
  samples: readonly (readonly number[])[],
  precision: 'f32' | 'f64' = 'f64',
  of = range(samples.length),
) {
  const codes = zeros(K, samples.length);
  for (const [j, sample] of samples.entries()) {
    for (const [i, code] of sample.entries()) codes.data[i * samples.length + j] = code;
  }
  return distinctSamples(codes, of, (i, j) => samples[j][i] === 0, precision);
}

const random = createRandom(testSeed(3), 'distinct');
/** Samples of two atoms or more. */
const rich = (count: number) =>
  range(count).map(() => range(K).map((k) => (k < 2 || random.uniform() < 0.4 ? random.normal() : 0)));
const single = (k: number, code: number) => range(K).map((i) => (i === k ? code : 0));
const times = (factor: number, sample: readonly number[]) => sample.map((code) => factor * code);

it('multiples of one sample count once, in the order of the samples', () => {
  const [a, b, c] = rich(3);
  const of = [0, 1, 0, 2, 1, 0]; // which sample each is a multiple of
  const found = counted([a, b, times(-2, a), c, times(1e-6, b), times(3, a)]);
  expect(found.map((j) => of[j]).sort()).toEqual([0, 1, 2]);
  expect([...found].sort((i, j) => i - j)).toEqual(found);
  expect(counted([b, b, b])).toHaveLength(1);
  expect(counted([a, b, c])).toEqual([0, 1, 2]);
  expect(counted([a, b, times(2, a), c], 'f64', [3, 2, 1])).toEqual([1, 2, 3]); // the first does not count
});

it.each([
  ['f64', 1e-9],
  ['f32', 1e-5],
] as const)('samples that differ by less than the limit are the same, in %s', (precision, limit) => {
  for (const factor of [0.9, 1.1]) {
    for (const scale of [1, 1e6, -1e-6]) {
      const sample = [0.6, 0.8, 0, 0, 0];
      const near = times(scale, [0.6 - 0.8 * factor * limit, 0.8 + 0.6 * factor * limit, 0, 0, 0]);
      const across = times(scale, [0.6, 0.8, factor * limit, 0, 0]);
      for (const other of [near, across]) {
        expect(counted([sample, other], precision)).toHaveLength(factor < 1 ? 1 : 2);
        expect(counted([other, sample], precision)).toHaveLength(factor < 1 ? 1 : 2);
      }
    }
  }
});

it('samples of a single atom all count where ten others show that none is repeated', () => {
  const singles = [single(0, 1), single(0, 2), single(0, -3), single(3, 1), single(3, 1)];
  expect(counted([...singles, ...rich(10)])).toEqual(range(15));
  expect(counted([...singles, ...rich(9)])).toHaveLength(2 + 9);
  const others = rich(10);
  expect(counted([...singles, ...others, times(2, others[4])])).toHaveLength(2 + 10);
  expect(counted(singles)).toHaveLength(2);
});

it('of many samples in any order none is taken for another', () => {
  const many = rich(300);
  expect(counted(many)).toEqual(range(300));
  const doubled = [...many, ...many.map((sample, k) => times(k % 2 ? -0.5 : 7, sample))];
  expect(
    counted(doubled)
      .map((j) => j % 300)
      .sort((a, b) => a - b),
  ).toEqual(range(300));
});
