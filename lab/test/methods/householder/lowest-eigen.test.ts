/** The lowest eigenvalue from products, against all of them. */

import { createRandom, dot, eigh, type Matrix64, row, zeros } from 'orthodict/extend';
import { expect, it } from 'vitest';
import { lowestEigen } from '#lab/methods/householder/lowest-eigen.ts';
import { testSeed } from '../../../../test/helpers/seed.ts';

const random = createRandom(testSeed(5), 'lowest-eigen test');

function symmetric(n: number, rank: number): Matrix64 {
  const S = zeros(n, n);
  for (let k = 0; k < rank; k++) {
    const v = Float64Array.from({ length: n }, random.normal);
    const sign = k % 2 ? -1 : 1;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) S.data[i * n + j] += sign * v[i] * v[j];
  }
  return S;
}

it.each([
  [1, 1],
  [2, 2],
  [40, 40],
  [90, 6],
  [90, 300],
])('of %d rows and rank %d', (n, rank) => {
  const S = symmetric(n, rank);
  const start = Float64Array.from({ length: n }, random.normal);
  const found = lowestEigen((v) => Float64Array.from({ length: n }, (_, i) => dot(row(S, i), v)), start, 1e-10);
  const { values, vectors } = eigh(S);
  const scale = Math.max(values[0], -values[n - 1]);
  expect(Math.abs(found.value - values[n - 1])).toBeLessThan(1e-12 * scale);
  expect(Math.abs(dot(found.vector, row(vectors, n - 1)))).toBeCloseTo(1, 9);
  expect(found.products).toBeLessThanOrEqual(n);
});

it('of zero is zero', () => {
  expect(lowestEigen((v) => new Float64Array(v.length), Float64Array.of(1, 2, 2)).value).toBe(0);
});
