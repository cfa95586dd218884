/** Lasso and pursuit on the Gram matrix: optimality conditions, exact recovery, the definition. */
import { describe, expect, it } from 'vitest';
import { type Matrix64, row, selectRows, transpose } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { solveSymmetric } from '#src/linalg/cholesky.ts';
import { lasso } from '#src/linalg/lasso.ts';
import { pursue } from '#src/linalg/pursuit.ts';
import { expand } from '#src/passes/pursue.ts';
import { product } from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const random = createRandom(testSeed(5), 'sparse codes');

function unitAtoms(K: number, n: number): Matrix64 {
  const D = normalMatrix(K, n, random);
  for (let k = 0; k < K; k++) {
    const atom = row(D, k);
    const size = Math.hypot(...atom);
    for (let i = 0; i < n; i++) atom[i] /= size;
  }
  return D;
}

const energiesOf = (Y: Matrix64) => Float64Array.from({ length: Y.rows }, (_, j) => Math.hypot(...row(Y, j)) ** 2);

describe.each([
  [8, 8],
  [20, 12],
  [5, 9],
])('%d atoms of %d features', (K, n) => {
  const D = unitAtoms(K, n);
  const gram = product(D, transpose(D));
  const Y = normalMatrix(30, n, random);
  const correlations = product(Y, transpose(D));

  it('lasso: the gradient is λ sign(x) where x is not zero, and at most λ elsewhere', () => {
    for (const lambda of [0.1, 0.3, 1, 10]) {
      const X = { ...correlations, data: correlations.data.slice() };
      const sizes = lasso(X, gram, lambda);
      expect(sizes).toBeCloseTo(
        X.data.reduce((sum, x) => sum + Math.abs(x), 0),
        9,
      );
      const fitted = product(X, gram);
      for (let at = 0; at < X.data.length; at++) {
        const gradient = correlations.data[at] - fitted.data[at];
        // a code counts as unchanged below 1e-4 λ, which leaves an error of that order times the atoms
        const slack = 2e-3 * lambda * K;
        if (X.data[at] === 0) expect(Math.abs(gradient)).toBeLessThan(lambda + slack);
        else expect(Math.abs(gradient - lambda * Math.sign(X.data[at]))).toBeLessThan(slack);
      }
    }
  });

  it('pursuit: agrees with the definition, step by step, with least squares on the chosen atoms', () => {
    const most = Math.min(4, K, n);
    const copy = { ...correlations, data: correlations.data.slice() };
    const codes = expand(pursue(copy, energiesOf(Y), gram, most, 0), K);
    for (let j = 0; j < Y.rows; j++) {
      const expected = pursueByDefinition(row(Y, j), D, most);
      for (let k = 0; k < K; k++) expect(codes.data[j * K + k]).toBeCloseTo(expected[k], 9);
    }
  });

  it('pursuit: stops at the given residual, and at once for zero samples', () => {
    const copy = { ...correlations, data: correlations.data.slice() };
    const X = expand(pursue(copy, energiesOf(Y), gram, n, 0.6), K);
    const fitted = product(X, D);
    for (let j = 0; j < Y.rows; j++) {
      const left = Math.hypot(...row(Y, j).map((y, i) => y - fitted.data[j * n + i])) / Math.hypot(...row(Y, j));
      const used = row(X, j).filter((x) => x !== 0).length;
      expect(left <= 0.6 + 1e-9 || used === Math.min(K, n)).toBe(true);
    }
    const none = pursue({ rows: 1, cols: K, data: new Float64Array(K) }, new Float64Array(1), gram, n, 0);
    expect(none.values.length).toBe(0);
  });
});

it('pursuit recovers sparse codes among many atoms exactly', () => {
  const D = unitAtoms(60, 40);
  const gram = product(D, transpose(D));
  let exact = 0;
  for (let trial = 0; trial < 50; trial++) {
    const x = new Float64Array(60);
    for (let s = 0; s < 3; s++) x[random.integer(60)] = 1 + random.uniform();
    const Y = product({ rows: 1, cols: 60, data: x }, D);
    const found = expand(pursue(product(Y, transpose(D)), energiesOf(Y), gram, 20, 1e-8), 60);
    if (found.data.every((value, k) => Math.abs(value - x[k]) < 1e-7)) exact++;
  }
  expect(exact).toBeGreaterThan(40); // a greedy choice may be wrong
});

function pursueByDefinition(y: Float64Array, D: Matrix64, most: number): Float64Array {
  const chosen: number[] = [];
  let x = new Float64Array(0);
  let residual = y.slice();
  while (chosen.length < most) {
    const sizes = Array.from({ length: D.rows }, (_, k) =>
      chosen.includes(k) ? -1 : Math.abs(row(D, k).reduce((sum, d, i) => sum + d * residual[i], 0)),
    );
    chosen.push(sizes.indexOf(Math.max(...sizes)));
    const S = selectRows(D, chosen);
    const right = product(S, { rows: y.length, cols: 1, data: y });
    x = solveSymmetric(product(S, transpose(S)), right)!.data as Float64Array<ArrayBuffer>;
    residual = y.map((value, i) => value - x.reduce((sum, weight, s) => sum + weight * S.data[s * y.length + i], 0));
  }
  const codes = new Float64Array(D.rows);
  chosen.forEach((k, s) => {
    codes[k] = x[s];
  });
  return codes;
}
