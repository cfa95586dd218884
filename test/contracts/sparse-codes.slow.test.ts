/**
 * Sparse codes on every implementation of the kernels: pursuits and the lasso by their definitions, sums over codes by
 * the reference.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Matrix,
  type Matrix64,
  type Precision,
  scaleRows,
  toFloat32,
  transpose,
  unitRows,
  zeros,
} from '#src/core/matrix.ts';
import { createRandom, normalMatrix, type Random } from '#src/core/random.ts';
import { ACCUMULATION_ROWS, type Conditioning, type Kernels, type SparseCodes } from '#src/kernels/kernels.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { product } from '../helpers/matrices.ts';
import { backendNames, createBackend, testCompiled, whyNot } from '../kernels/backends.ts';
import { conditioned, productBound, violation } from '../kernels/bounds.ts';
import { expanded, lassoFlaw, pursuitFlaw } from '../kernels/sparse-codes.ts';

const seed = Number(process.env.ORTHODICT_TEST_SEED ?? 5);
const one: Conditioning = { scale: 1 };

/** Around vectors, panels of 4 and groups of 8. */
const components = fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 31, 40);
const features = fc.constantFrom(1, 2, 3, 5, 8, 13, 20);
const rowCount = fc.constantFrom(0, 1, 2, 3, 17, 40);
const dataSeed = fc.integer({ min: 0, max: 2 ** 31 });
const precision = fc.constantFrom<Precision>('f32', 'f64');
const runs = { numRuns: 40 };

/** Unit atoms, some of them equal to others, opposite, between two others, or very close to another. */
function someAtoms(K: number, n: number, random: Random): Matrix64 {
  const D = unitRows(normalMatrix(K, n, random));
  for (let k = 1; k < K; k++) {
    const [a, b] = [random.integer(k), random.integer(k)];
    const how = random.integer(12);
    for (let i = 0; i < n && how < 4; i++) {
      const [own, other, third] = [D.data[k * n + i], D.data[a * n + i], D.data[b * n + i]];
      D.data[k * n + i] = [other, -other, other + 0.5 * third, other + 1e-3 * own][how];
    }
  }
  return unitRows(D);
}

/** Normal samples; among them zeros, atoms, and sums of two atoms. */
function someSamples(rows: number, D: Matrix64, random: Random): Matrix64 {
  const Y = normalMatrix(rows, D.cols, random);
  for (let j = 0; j < rows; j++) {
    const [a, b] = [random.integer(D.rows), random.integer(D.rows)];
    const how = random.integer(9);
    for (let i = 0; i < D.cols && how < 3; i++) {
      const [first, second] = [D.data[a * D.cols + i], D.data[b * D.cols + i]];
      Y.data[j * D.cols + i] = [0, -3 * first, first + 2 * second][how];
    }
  }
  return Y;
}

/** Raw samples that become Y, as far as `as` can hold them; and what they become. */
function raw(Y: Matrix64, as: Precision, random: Random) {
  const plain = random.uniform() < 0.5;
  const offset = normalMatrix(1, Y.cols, random).data;
  const conditioning: Conditioning = plain ? one : { offset, scale: 0.5 };
  const data = plain ? Y.data : Y.data.map((y, i) => y / 0.5 + offset[i % Y.cols]);
  const samples: Matrix = as === 'f32' ? toFloat32({ ...Y, data }) : { ...Y, data };
  return { samples, conditioning, Y: conditioned(samples, conditioning) };
}

function someCodes(rows: number, K: number, random: Random): SparseCodes {
  const starts = new Int32Array(rows + 1);
  const atoms: number[] = [];
  for (let j = 0; j < rows; j++) {
    for (let k = 0; k < K; k++) if (random.uniform() < 0.4) atoms.push(k);
    starts[j + 1] = atoms.length;
  }
  const values = normalMatrix(1, atoms.length, random).data;
  return { starts, atoms: Int32Array.from(atoms), values, residuals: new Float64Array(rows) };
}

describe.each(backendNames)('kernels %s', (name) => {
  describe.skipIf(whyNot[name])('sparse codes', () => {
    let kernels: Kernels;
    beforeAll(async () => {
      kernels = await createBackend(name);
    });

    test('a pursuit takes the best atom step by step, fits all of them, and ends at its limits', () => {
      const kept = fc.constantFrom<(n: number, K: number) => number>(
        () => 0,
        () => 1,
        (n) => n,
        (n, K) => Math.min(n, K),
        (n) => Math.ceil(n / 3),
      );
      const residual = fc.constantFrom(0, 1e-6, 0.3, 0.9);
      const property = (
        rows: number,
        K: number,
        n: number,
        keepOf: (n: number, K: number) => number,
        left: number,
        as: Precision,
        data: number,
      ) => {
        const random = createRandom(data, 'pursuit');
        const atoms = someAtoms(K, n, random);
        const { samples, conditioning, Y } = raw(someSamples(rows, atoms, random), as, random);
        const limits = { keep: keepOf(n, K), residual: left };
        const codes = kernels.pursue({ samples, atoms, conditioning, ...limits });
        expect(codes.starts.length).toBe(rows + 1);
        for (let j = 0; j < rows; j++) expect(pursuitFlaw(Y, atoms, codes, j, limits)).toBeUndefined();
      };
      fc.assert(fc.property(rowCount, components, features, kept, residual, precision, dataSeed, property), runs);
    });

    test('a pursuit of independent atoms chooses those of the reference', () => {
      const random = createRandom(seed, 'choices');
      for (const [K, n, keep] of [
        [40, 30, 12],
        [33, 64, 33],
      ]) {
        const atoms = unitRows(normalMatrix(K, n, random));
        const request = { samples: normalMatrix(300, n, random), atoms, conditioning: one, keep, residual: 0.1 };
        const [actual, expected] = [kernels.pursue(request), referenceKernels.pursue(request)];
        expect(actual.starts).toEqual(expected.starts);
        expect(actual.atoms).toEqual(expected.atoms);
        // rounding, times the condition of the chosen atoms
        const bound = expected.values.map((x) => 1e-10 * (1 + Math.abs(x)));
        expect(violation(actual.values, expected.values, bound)).toBeUndefined();
      }
    });

    test('pursuit recovers sparse codes among many atoms', () => {
      const random = createRandom(seed, 'recovery');
      const atoms = unitRows(normalMatrix(60, 40, random));
      const X = zeros(50, 60);
      for (let j = 0; j < X.rows; j++) {
        for (let s = 0; s < 3; s++) X.data[j * 60 + random.integer(60)] = 1 + random.uniform();
      }
      const codes = kernels.pursue({ samples: product(X, atoms), atoms, conditioning: one, keep: 20, residual: 1e-8 });
      const found = expanded(codes, 60);
      const off = (j: number) =>
        Math.max(...found.data.subarray(j * 60, (j + 1) * 60).map((x, k) => Math.abs(x - X.data[j * 60 + k])));
      const exact = Array.from({ length: X.rows }, (_, j) => off(j)).filter((error) => error < 1e-7);
      expect(exact.length).toBeGreaterThan(40); // a greedy choice may be wrong
    });

    test('a sample that is not finite has no codes and no residual', () => {
      const random = createRandom(seed, 'not finite');
      const atoms = unitRows(normalMatrix(9, 5, random));
      const samples = normalMatrix(3, 5, random);
      samples.data[7] = Number.NaN;
      const request = { samples, atoms, conditioning: one, keep: 2, residual: 0, lambda: 0.1 };
      for (const { starts, residuals } of [kernels.pursue(request), kernels.lasso(request)]) {
        expect(starts[2] - starts[1]).toBe(0);
        expect([...residuals].map(Number.isNaN)).toEqual([false, true, false]);
      }
    });

    test('lasso: the gradient is λ sign(x) where x is not zero, and at most λ elsewhere', () => {
      const lambdas = fc.constantFrom(0.1, 0.3, 1, 10);
      const property = (rows: number, K: number, n: number, lambda: number, as: Precision, data: number) => {
        const random = createRandom(data, 'lasso');
        const unit = someAtoms(K, n, random);
        const atoms = scaleRows(
          unit,
          Array.from({ length: K }, () => (random.uniform() < 0.1 ? 0 : 0.3 + 0.7 * random.uniform())),
        );
        const { samples, conditioning, Y } = raw(someSamples(rows, unit, random), as, random);
        const codes = kernels.lasso({ samples, atoms, conditioning, lambda });
        expect(codes.starts.length).toBe(rows + 1);
        expect(codes.values.every((x) => x !== 0)).toBe(true);
        expect(lassoFlaw(Y, atoms, codes, lambda)).toBeUndefined();
      };
      fc.assert(fc.property(rowCount, components, features, lambdas, precision, dataSeed, property), runs);
    });

    test('lasso takes the same steps as the reference', () => {
      const random = createRandom(seed, 'steps');
      const atoms = unitRows(normalMatrix(50, 70, random));
      const request = { samples: normalMatrix(100, 70, random), atoms, conditioning: one, lambda: 0.4 };
      const [actual, expected] = [kernels.lasso(request), referenceKernels.lasso(request)];
      const [X, E] = [expanded(actual, 50), expanded(expected, 50)];
      const same = X.data.filter((x, i) => Math.abs(x - E.data[i]) < 1e-12).length;
      // a change that is 1e-4 λ up to rounding may end a sample's sweeps in one of the two
      expect(same).toBeGreaterThan(0.98 * X.data.length);
    });

    test('the moments of codes agree', () => {
      const rows = fc.oneof(rowCount, fc.constantFrom(ACCUMULATION_ROWS, ACCUMULATION_ROWS + 1, 600));
      const property = (count: number, K: number, n: number, as: Precision, data: number) => {
        const random = createRandom(data, 'moments');
        const { samples, conditioning, Y } = raw(normalMatrix(count, n, random), as, random);
        const codes = someCodes(count, K, random);
        const actual = kernels.codeMoments(samples, codes, K, conditioning);
        const expected = referenceKernels.codeMoments(samples, codes, K, conditioning);
        const X = expanded(codes, K);
        const [gram, correlation] = [productBound(X, X, 'tn', 'f64'), productBound(X, Y, 'tn', 'f64')];
        expect([actual.gram.rows, actual.gram.cols, actual.correlation.cols]).toEqual([K, K, n]);
        expect(violation(actual.gram.data, expected.gram.data, gram.data)).toBeUndefined();
        expect(violation(actual.correlation.data, expected.correlation.data, correlation.data)).toBeUndefined();
        expect(violation(expected.gram.data, product(transpose(X), X).data, gram.data)).toBeUndefined();
      };
      fc.assert(fc.property(rows, components, features, precision, dataSeed, property), runs);
    });

    test('operands that do not fit are refused', () => {
      const random = createRandom(seed, 'operands');
      const [samples, atoms] = [normalMatrix(30, 6, random), unitRows(normalMatrix(4, 6, random))];
      const narrow = normalMatrix(4, 5, random);
      const codes = someCodes(30, 4, random);
      const shifted: Conditioning = { offset: new Float64Array(5), scale: 1 };
      const request = { samples, atoms, conditioning: one, keep: 2, residual: 0, lambda: 1 };
      const moments = (other: Partial<SparseCodes>, K = 4) =>
        kernels.codeMoments(samples, { ...codes, ...other }, K, one);
      const calls = [
        () => kernels.pursue({ ...request, atoms: narrow }),
        () => kernels.pursue({ ...request, conditioning: shifted }),
        () => kernels.pursue({ ...request, keep: -1 }),
        () => kernels.pursue({ ...request, keep: 1.5 }),
        () => kernels.pursue({ ...request, keep: 7 }),
        () => kernels.lasso({ ...request, atoms: narrow }),
        () => kernels.lasso({ ...request, conditioning: shifted }),
        () => moments({}, 3),
        () => moments({ starts: codes.starts.subarray(1) }),
        () => moments({ starts: codes.starts.toReversed() }),
        () => moments({ starts: codes.starts.map((start) => start + 1) }),
        () => moments({ values: codes.values.subarray(1) }),
        () => moments({ atoms: codes.atoms.map((k) => k - 1) }),
        () => kernels.codeMoments(samples, codes, 4, shifted),
      ];
      for (const call of calls) expect(call, String(call)).toThrow(RangeError);
    });

    test('arguments are not changed, the next call does not change earlier results, and repeats them', () => {
      const random = createRandom(seed, 'arguments');
      const samples = normalMatrix(20, 7, random);
      const atoms = unitRows(normalMatrix(9, 7, random));
      const request = { samples, atoms, conditioning: { offset: normalMatrix(1, 7, random).data, scale: 2 } };
      const before = structuredClone(request);
      const all = () => {
        const codes = kernels.pursue({ ...request, keep: 3, residual: 0 });
        const dense = kernels.lasso({ ...request, lambda: 0.2 });
        return [codes, dense, kernels.codeMoments(samples, codes, 9, request.conditioning)];
      };
      const first = all();
      const kept = structuredClone(first);
      expect(all()).toEqual(kept);
      expect(first).toEqual(kept);
      expect(request).toEqual(before);
    });

    testCompiled(name)('samples taken in pieces give the same bits', async () => {
      const pieces = await createBackend(name, 1); // the smallest piece: one block
      const random = createRandom(seed, 'pieces');
      const samples = toFloat32(normalMatrix(2 * ACCUMULATION_ROWS + 77, 21, random));
      const atoms = unitRows(normalMatrix(30, 21, random));
      const request = { samples, atoms, conditioning: one, keep: 5, residual: 0.1, lambda: 0.3 };
      const codes = kernels.pursue(request);
      expect(pieces.pursue(request)).toEqual(codes);
      expect(pieces.lasso(request)).toEqual(kernels.lasso(request));
      expect(pieces.codeMoments(samples, codes, 30, one)).toEqual(kernels.codeMoments(samples, codes, 30, one));
    });
  });
});
