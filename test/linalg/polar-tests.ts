/**
 * polar(G) = U Vᵀ, for any implementation of the kernels. That AᵀG is symmetric positive semidefinite, together with
 * orthogonality, defines the polar factor: a singular direction with the wrong sign passes every check but this one.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  identity,
  type Matrix64,
  maxDifference,
  scaleRows,
  selectRows,
  stackRows,
  transpose,
  zeros,
} from '#src/core/matrix.ts';
import { createRandom, normalMatrix, type Random } from '#src/core/random.ts';
import type { Kernels } from '#src/kernels/kernels.ts';
import { eigh } from '#src/linalg/eigh.ts';
import { polar, roughPolar } from '#src/linalg/polar.ts';
import { orthonormalComplement, randomOrthogonal } from '#src/linalg/qr.ts';
import { svd } from '#src/linalg/svd.ts';
import {
  frobenius,
  geometric,
  lowRank,
  maxAbs,
  orthonormalityError,
  product,
  randomPermutation,
  scaled,
  symmetrised,
  withEigenvalues,
  withSingularValues,
} from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(21);
const runs = { numRuns: 15 };

type Maker = (n: number, random: Random) => Matrix64;

/** Matrices of full rank, whose polar factor is unique. */
const fullRank: Record<string, Maker> = {
  'well conditioned': (n, random) => withSingularValues(geometric(n, 5), random),
  'normal entries': (n, random) => normalMatrix(n, n, random),
  'condition 1e6': (n, random) => withSingularValues(geometric(n, 1e6), random),
  'condition 1e10': (n, random) => withSingularValues(geometric(n, 1e10), random),
  'one small singular value': (n, random) =>
    withSingularValues(
      Float64Array.from({ length: n }, (_, i) => (i === n - 1 ? 1e-9 : 1)),
      random,
    ),
  'one large singular value': (n, random) =>
    withSingularValues(
      Float64Array.from({ length: n }, (_, i) => (i === 0 ? 1e9 : 1)),
      random,
    ),
  'symmetric negative definite': (n, random) =>
    withEigenvalues(
      geometric(n, 100).map((x) => -x),
      random,
    ),
  'symmetric indefinite': (n, random) =>
    withEigenvalues(
      geometric(n, 30).map((x, i) => (i % 2 ? -x : x)),
      random,
    ),
  'signed permutation': (n, random) => randomPermutation(n, random, true),
  'permutation with noise': (n, random) => {
    const P = randomPermutation(n, random, true);
    const E = normalMatrix(n, n, random);
    return { ...P, data: P.data.map((x, i) => x + (0.1 / n) * E.data[i]) };
  },
  'already orthogonal': (n, random) => randomOrthogonal(n, random),
  'determinant -1': (n, random) => {
    const Q = randomOrthogonal(n, random);
    return product(
      scaleRows(
        identity(n),
        Float64Array.from({ length: n }, (_, i) => (i ? 1 : -1)),
      ),
      Q,
    );
  },
  'repeated singular values': (n, random) =>
    withSingularValues(
      Float64Array.from({ length: n }, (_, i) => (i < n / 2 ? 3 : 0.5)),
      random,
    ),
  diagonal: (n, random) =>
    scaleRows(
      identity(n),
      Float64Array.from({ length: n }, () => random.normal()),
    ),
};

const singular: Record<string, Maker> = {
  zero: (n) => zeros(n, n),
  'rank 1': (n, random) => lowRank(n, 1, random),
  'half the rank': (n, random) => lowRank(n, Math.ceil(n / 2), random),
  'one row zero': (n, random) => {
    const G = normalMatrix(n, n, random);
    G.data.fill(0, 0, n);
    return G;
  },
  'two rows equal': (n, random) => {
    const G = normalMatrix(n, n, random);
    return n > 1 ? selectRows(G, [1, 1, ...Array.from({ length: n - 2 }, (_, i) => i + 2)]) : zeros(1, 1);
  },
};

const size = fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 4, max: 32 }));
const dataSeed = fc.integer({ min: 0, max: 2 ** 31 });

/** Every step rounds like a product of orthogonal matrices; √n for the norm. The bar of the brief is 1e-13·√n. */
function expectOrthogonal(A: Matrix64): void {
  expect(orthonormalityError(A)).toBeLessThanOrEqual(1e-13 * Math.sqrt(A.rows));
}

/** H = AᵀG = Hᵀ ⪰ 0, to rounding of the product of an orthogonal A and G. */
function expectPolarProduct(A: Matrix64, G: Matrix64): void {
  const size = maxAbs(G) || 1;
  const H = product(transpose(A), scaled(G, 1 / size));
  const rounding = 1e-13 * A.rows * Math.max(1, frobenius(H));
  expect(maxDifference(H, transpose(H))).toBeLessThanOrEqual(rounding);
  const { values } = eigh(symmetrised(H));
  expect(values[values.length - 1]).toBeGreaterThanOrEqual(-rounding);
}

/** The factor by singular values; Newton-Schulz loses the direction of σ_min by rounding·cond, and so does the comparison. */
function bySvd(G: Matrix64): { factor: Matrix64; tolerance: number } {
  const { left, values, right } = svd(G);
  const condition = values[0] / values[values.length - 1];
  return { factor: product(transpose(left), right), tolerance: 1e-14 * G.rows * condition };
}

export function describePolar(kernels: Kernels): void {
  describe(`polar on ${kernels.name}`, () => {
    describe.each(Object.entries(fullRank))('%s', (_, make) => {
      it('is the orthogonal factor, and agrees with the singular value decomposition', () => {
        fc.assert(
          fc.property(size, dataSeed, (n, dataSeed) => {
            const G = make(n, createRandom(dataSeed, 'polar'));
            const A = polar(G, kernels);
            expectOrthogonal(A);
            expectPolarProduct(A, G);
            const { factor, tolerance } = bySvd(G);
            expect(maxDifference(A, factor)).toBeLessThanOrEqual(tolerance);
          }),
          runs,
        );
      });

      it('does not depend on the scale', () => {
        fc.assert(
          fc.property(size, dataSeed, fc.constantFrom(1e-150, 1e-30, 3, 1e30, 1e150), (n, dataSeed, factor) => {
            const G = make(n, createRandom(dataSeed, 'polar'));
            const A = polar(scaled(G, factor), kernels);
            expectOrthogonal(A);
            expect(maxDifference(A, polar(G, kernels))).toBeLessThanOrEqual(bySvd(G).tolerance);
          }),
          { ...runs, numRuns: 6 },
        );
      });

      it('turns with an orthogonal matrix from either side', () => {
        fc.assert(
          fc.property(size, dataSeed, (n, dataSeed) => {
            const random = createRandom(dataSeed, 'polar');
            const G = make(n, random);
            const Q = randomOrthogonal(n, random);
            const A = polar(G, kernels);
            const { tolerance } = bySvd(G);
            expect(maxDifference(polar(product(Q, G), kernels), product(Q, A))).toBeLessThanOrEqual(tolerance);
            expect(maxDifference(polar(product(G, Q), kernels), product(A, Q))).toBeLessThanOrEqual(tolerance);
          }),
          { ...runs, numRuns: 6 },
        );
      });
    });

    it.each([1, 2, 3, 7, 25, 100])('to float32 rounding: orthogonal and the factor, n = %d', (n) => {
      for (const make of [fullRank['well conditioned'], fullRank['normal entries'], fullRank['condition 1e6']]) {
        const G = make(n, createRandom(seed + n, 'rough polar'));
        const epsilon = 2 ** -23;
        const { values } = svd(G);
        const tolerance = (16 * epsilon * n * values[0]) / values[n - 1];
        const exact = polar(G, kernels);
        for (const factor of [1e-150, 1, 1e150]) {
          const A = roughPolar(scaled(G, factor), kernels);
          expect(orthonormalityError(A)).toBeLessThanOrEqual(16 * epsilon * Math.sqrt(n));
          expect(maxDifference(A, exact)).toBeLessThanOrEqual(tolerance);
        }
      }
    });

    describe.each(Object.entries(singular))('%s', (_, make) => {
      it('is orthogonal also to float32 rounding', () => {
        const G = make(9, createRandom(seed, 'rough polar'));
        expect(orthonormalityError(roughPolar(G, kernels))).toBeLessThanOrEqual(1e-5);
      });
    });

    it('leaves out no direction of any of many matrices of normal entries, also to float32 rounding', () => {
      for (let k = 0; k < 40; k++) {
        const G = normalMatrix(60, 60, createRandom(seed + k, 'rough polar'));
        expect(orthonormalityError(roughPolar(G, kernels))).toBeLessThanOrEqual(1e-5);
      }
    });

    describe.each(Object.entries(singular))('%s', (_, make) => {
      it('is an orthogonal matrix with AᵀG symmetric positive semidefinite', () => {
        fc.assert(
          fc.property(size, dataSeed, fc.constantFrom(1e-150, 1, 1e150), (n, dataSeed, factor) => {
            const G = scaled(make(n, createRandom(dataSeed, 'polar')), factor);
            const A = polar(G, kernels);
            expectOrthogonal(A);
            expectPolarProduct(A, G);
          }),
          runs,
        );
      });
    });

    it('does not flip a direction that the estimate of the largest singular value starts orthogonal to', () => {
      // the start of the Lanczos run in polar.ts; as a right singular vector of G it hides all the others
      for (const n of [2, 3, 5, 17, 60]) {
        const v = Float64Array.from({ length: n }, (_, i) => ((i * 0.6180339887498949 + 0.37) % 1) - 0.5 + 1e-3);
        const norm = Math.hypot(...v);
        const hidden: Matrix64 = { rows: 1, cols: n, data: v.map((x) => x / norm) };
        const V = stackRows(hidden, orthonormalComplement(hidden));
        const U = randomOrthogonal(n, createRandom(seed + n, 'polar'));
        for (const others of [2, 10, 1e4]) {
          const values = Float64Array.from({ length: n }, (_, i) => (i === 0 ? 1 : others));
          const G = product(U, scaleRows(V, values));
          const A = polar(G, kernels);
          expectOrthogonal(A);
          expectPolarProduct(A, G);
        }
      }
    });

    it('does not flip a direction of a large matrix of normal entries', () => {
      const G = normalMatrix(150, 150, createRandom(seed, 'polar'));
      const A = polar(G, kernels);
      expectOrthogonal(A);
      expectPolarProduct(A, G);
    });

    it.each([7, 9, 12])('needs products alone where rows and columns differ in size by %d powers of ten', (powers) => {
      const n = 80;
      const grades = Float64Array.from({ length: n }, (_, i) => 10 ** ((-powers * i) / n));
      const Q = randomOrthogonal(n, createRandom(seed, 'polar graded'));
      const G = transpose(scaleRows(transpose(scaleRows(Q, grades)), grades));
      let products = 0;
      const multiply: Kernels['multiply'] = (...operands) => {
        products++;
        return kernels.multiply(...operands);
      };
      const A = polar(G, { ...kernels, multiply });
      expectOrthogonal(A);
      expectPolarProduct(A, G);
      expect(products).toBeLessThan(160); // two a step; one more follows a singular value decomposition after all 80
    });

    it('keeps a large orthogonal matrix, and finds a perturbed one back', () => {
      const n = 120;
      const random = createRandom(seed, 'polar');
      const Q = randomOrthogonal(n, random);
      const S = withEigenvalues(geometric(n, 50), random);
      expect(maxDifference(polar(Q, kernels), Q)).toBeLessThan(1e-13);
      expect(maxDifference(polar(kernels.multiply(Q, S), kernels), Q)).toBeLessThan(1e-12);
    });

    it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (value) => {
      const G = identity(3);
      G.data[4] = value;
      expect(() => polar(G, kernels)).toThrow('polar: the matrix must be finite.');
    });
  });
}
