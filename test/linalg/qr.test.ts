import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, identity, type Matrix64, maxDifference, stackRows, transpose, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { orthonormalComplement, qr, randomOrthogonal } from '#src/linalg/qr.ts';

const shape = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 8 }), fc.integer());

function multiply(a: Matrix64, b: Matrix64): Matrix64 {
  const product = zeros(a.rows, b.cols);
  for (let i = 0; i < a.rows; i++) {
    for (let j = 0; j < b.cols; j++) {
      for (let l = 0; l < a.cols; l++) {
        product.data[i * b.cols + j] += a.data[i * a.cols + l] * b.data[l * b.cols + j];
      }
    }
  }
  return product;
}

/** Rounding of n³-type sums of entries of order `size`. */
const rounding = (n: number, size = 1) => 20 * n * size * Number.EPSILON;

function expectOrthonormalColumns(q: Matrix64) {
  expect(maxDifference(multiply(transpose(q), q), identity(q.cols))).toBeLessThan(rounding(q.rows));
}

describe('qr', () => {
  it('sees entries too small to change the norm of their column', () => {
    for (const small of [1e-8, 1e-9, 1e-12, 1e-200]) {
      const a = fromRows([[1], [small]]);
      const { q } = qr(a);
      expect(q.data[1] / small).toBeCloseTo(1, 12);
      const rows = transpose(a);
      expectOrthonormalColumns(transpose(stackRows(rows, orthonormalComplement(rows))));
      expect(orthonormalComplement(rows).data[0]).not.toBe(0);
    }
  });

  it('factors: QR = A, QᵀQ = I, R triangular with a non-negative diagonal', () => {
    fc.assert(
      fc.property(shape, ([n, taller, seed]) => {
        const a = normalMatrix(n + taller, n, createRandom(seed, 'qr test'));
        const { q, r } = qr(a);
        expectOrthonormalColumns(q);
        expect(maxDifference(multiply(q, r), a)).toBeLessThan(rounding(a.rows, 5));
        for (let i = 0; i < n; i++) {
          expect(r.data[i * n + i]).toBeGreaterThanOrEqual(0);
          for (let j = 0; j < i; j++) expect(r.data[i * n + j]).toBe(0);
        }
      }),
    );
  });

  it('keeps Q orthonormal for matrices of any rank', () => {
    fc.assert(
      fc.property(shape, fc.integer({ min: 0, max: 12 }), ([n, taller, seed], rank) => {
        const random = createRandom(seed, 'qr test');
        const inner = Math.min(rank, n);
        const a = multiply(normalMatrix(n + taller, inner, random), normalMatrix(inner, n, random));
        const { q, r } = qr(a);
        expectOrthonormalColumns(q);
        expect(maxDifference(multiply(q, r), a)).toBeLessThan(rounding(a.rows, 50));
      }),
    );
  });

  it('agrees with a factorisation by hand, repeated and zero columns included', () => {
    const { q, r } = qr(
      fromRows([
        [3, 3, 0],
        [4, 4, 0],
        [0, 0, 0],
      ]),
    );
    const expected = fromRows([
      [5, 5, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(maxDifference(r, expected)).toBeLessThan(rounding(3, 5));
    expect([q.data[0], q.data[3], q.data[6]].map((value) => value.toFixed(12))).toEqual([
      '0.600000000000',
      '0.800000000000',
      '0.000000000000',
    ]);
    expectOrthonormalColumns(q);
  });

  it.each([1e-300, 1e300])('neither underflows nor overflows for entries of size %d', (size) => {
    const { q, r } = qr(
      fromRows([
        [3 * size, 0],
        [4 * size, size],
      ]),
    );
    expect(r.data[0] / size).toBeCloseTo(5, 12);
    expectOrthonormalColumns(q);
  });

  it('refuses a wide matrix', () => {
    expect(() => qr(zeros(2, 3))).toThrow('qr: a must be at least as tall as wide; got 2 rows and 3 columns.');
  });
});

describe('orthonormalComplement', () => {
  it('completes K orthonormal rows to an orthogonal matrix', () => {
    fc.assert(
      fc.property(shape, ([n, taller, seed]) => {
        const rows = transpose(qr(normalMatrix(n + taller, n, createRandom(seed, 'qr test'))).q);
        const complement = orthonormalComplement(rows);
        expect([complement.rows, complement.cols]).toEqual([taller, n + taller]);
        expectOrthonormalColumns(transpose(stackRows(rows, complement)));
      }),
    );
  });

  it('of no rows is a basis of the whole space', () => {
    expect(orthonormalComplement(zeros(0, 4))).toEqual(identity(4));
  });
});

describe('randomOrthogonal', () => {
  it('has the moments of the Haar distribution', () => {
    // E q_ij = 0, E q_ij² = 1/n, E q_ij⁴ = 3/(n(n+2)); without the signs of R the mean of q_11 would be negative
    const n = 4;
    const trials = 4000;
    const random = createRandom(1, 'haar');
    const mean = new Float64Array(n * n);
    const square = new Float64Array(n * n);
    let fourth = 0;
    for (let t = 0; t < trials; t++) {
      const { data } = randomOrthogonal(n, random);
      data.forEach((value, at) => {
        mean[at] += value / trials;
        square[at] += value ** 2 / trials;
        fourth += value ** 4 / (trials * n * n);
      });
    }
    const fiveSigma = 5 * Math.sqrt(1 / n / trials);
    for (const value of mean) expect(Math.abs(value)).toBeLessThan(fiveSigma);
    for (const value of square) expect(Math.abs(value - 1 / n)).toBeLessThan(fiveSigma);
    expect(Math.abs(fourth - 3 / (n * (n + 2)))).toBeLessThan(0.005);
  });

  it('is orthogonal at size 200', () => {
    expectOrthonormalColumns(randomOrthogonal(200, createRandom(2, 'haar')));
  });
});
