/**
 * One suite for every implementation of the kernels: the reference is the oracle, rounding bounds are the tolerance.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FloatArray, type Matrix, type Precision, transpose, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix, type Random } from '#src/core/random.ts';
import {
  ACCUMULATION_ROWS,
  type Conditioning,
  type FastTransform,
  HISTOGRAM_BINS,
  histogramBin,
  type Kernels,
  type LikelihoodResponse,
  type Response,
  type RotateRequest,
} from '#src/kernels/kernels.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { reflectorTransform } from '#src/linalg/reflectors.ts';
import type { Blas } from '#src/node/threads/native/blas.ts';
import { randomReflectors, randomRotations } from '../helpers/matrices.ts';
import { backendNames, blas, createBackend, supported, testCompiled, whyNot } from '../kernels/backends.ts';
import {
  conditioned,
  correlationBounds,
  productBound,
  transformBound,
  unitRoundoff,
  violation,
} from '../kernels/bounds.ts';

const seed = Number(process.env.ORTHODICT_TEST_SEED ?? 5);
const precisions: readonly Precision[] = ['f32', 'f64'];
const one: Conditioning = { scale: 1 };

/** Sizes around every edge of a tile, a panel and a vector. */
const size = fc.constantFrom(1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 64, 100);
/** Numbers of samples: the same, and across the end of a block of rows. */
const rowCount = fc.oneof(size, fc.constantFrom(255, 256, 257, 300));
const dataSeed = fc.integer({ min: 0, max: 2 ** 31 });
const form = fc.constantFrom('nn', 'nt', 'tn');
const precision = fc.constantFrom(...precisions);
const runs = { numRuns: 30 };

function inPrecision(matrix: Matrix, as: Precision): Matrix {
  return { ...matrix, data: as === 'f32' ? Float32Array.from(matrix.data) : Float64Array.from(matrix.data) };
}

function normals(rows: number, cols: number, random: Random, as: Precision): Matrix {
  return inPrecision(normalMatrix(rows, cols, random), as);
}

function someConditioning(cols: number, random: Random): Conditioning {
  const scale = random.uniform() < 0.3 ? 1 : 0.1 + random.uniform();
  return random.uniform() < 0.5 ? { scale } : { offset: normalMatrix(1, cols, random).data, scale };
}

/** A response whose spike and slab are both met among normal codes. */
const likely: LikelihoodResponse = { kind: 'likelihood', theta: 0.2, spike: 0.3, slab: 6, spread: 0.5, meanEnergy: 40 };

/** Samples, one in eight of them zero after conditioning, and the mean norm of the others. */
function samplesWithZeros(rows: number, cols: number, conditioning: Conditioning, random: Random, as: Precision) {
  const samples = normals(rows, cols, random, as);
  const offset = (conditioning.offset ?? new Float64Array(cols)).map((x) => (as === 'f32' ? Math.fround(x) : x));
  for (let j = 0; j < rows; j++) if (random.uniform() < 0.125) samples.data.set(offset, j * cols);
  const exact = { ...conditioning, offset };
  const Y = conditioned(samples, exact);
  const norms = Array.from({ length: rows }, (_, j) => Math.hypot(...Y.data.subarray(j * cols, (j + 1) * cols)));
  const nonZero = norms.filter((norm) => norm > 0);
  const meanNorm = nonZero.length ? nonZero.reduce((a, b) => a + b) / nonZero.length : 1;
  return { samples, conditioning: exact, Y, meanNorm, nonZero: nonZero.length };
}

describe('selection', () => {
  test('every supported kernel set says its name', async () => {
    for (const name of supported) expect((await createBackend(name)).name).toBe(name);
  });
});

for (const name of backendNames) {
  describe.skipIf(whyNot[name])(`kernels ${name}`, () => {
    let kernels: Kernels;
    beforeAll(async () => {
      kernels = await createBackend(name);
    });

    describe('operands that do not fit are refused by', () => {
      const random = createRandom(seed, 'operands');
      const [Y, A] = [normalMatrix(30, 6, random), normalMatrix(4, 6, random)];
      const [narrow, short] = [normalMatrix(4, 5, random), { rows: 30, cols: 6, data: Y.data.slice(1) }];
      const power: Response = { kind: 'power', norm: 4 };
      const mask = (length: number): Response => ({ kind: 'mask', thresholds: new Float64Array(length), meanNorm: 1 });
      const request = { samples: Y, atoms: A, conditioning: one, response: power, precision: 'f64' as const };
      const unlikely = [{ theta: 0 }, { theta: 1 }, { spike: 0 }, { slab: -1 }, { slab: Infinity }, { spread: 0 }];
      const unfit = [...unlikely, { meanEnergy: Number.NaN }, { leastEnergy: -1 }, { leastEnergy: Number.NaN }];
      const measured = { ...request, thresholds: new Float64Array(4), norm: 4, meanNorm: 1 };
      const shifted: Conditioning = { offset: new Float64Array(5), scale: 1 };
      const turn = (i: number, cols = 4): FastTransform => ({
        kind: 'rotations',
        rotations: { rows: 1, cols, data: Float64Array.of(i, 1, 1, 0, 0).slice(0, cols) },
        order: Int32Array.from({ length: 6 }, (_, k) => k),
        signs: new Float64Array(6).fill(1),
      });
      const mirror = (m: number): FastTransform => ({
        kind: 'reflectors',
        reflectors: A,
        combined: normalMatrix(m, 6, random),
      });
      const written = { samples: Y, atoms: A, conditioning: one, codes: zeros(4, 30), start: 0 };
      const still: RotateRequest = { rows: Y, planes: [[0, 1]], sums: 'cubic', choose: () => undefined };
      const calls: Record<string, (() => unknown)[]> = {
        multiply: [
          () => kernels.multiply(Y, A),
          () => kernels.multiply(Y, narrow, 'nt'),
          () => kernels.multiply(Y, A, 'tn'),
          () => kernels.multiply(short, A, 'nt'),
          () => kernels.multiply<Matrix>(Y, inPrecision(A, 'f32'), 'nt'),
        ],
        covariance: [() => kernels.covariance(Y, shifted, 'f64'), () => kernels.covariance(short, one, 'f32')],
        correlate: [
          () => kernels.correlate({ ...request, atoms: narrow }),
          () => kernels.correlate({ ...request, samples: short }),
          () => kernels.correlate({ ...request, conditioning: shifted }),
          () => kernels.correlate({ ...request, response: mask(3) }),
          ...unfit.map((part) => () => kernels.correlate({ ...request, response: { ...likely, ...part } })),
        ],
        histogram: [() => kernels.histogram({ samples: Y, atoms: narrow, conditioning: one, meanNorm: 1 })],
        measure: [
          () => kernels.measure({ ...measured, atoms: narrow }),
          () => kernels.measure({ ...measured, samples: short }),
          () => kernels.measure({ ...measured, thresholds: new Float64Array(3) }),
        ],
        survey: [() => kernels.survey(short, one), () => kernels.survey(Y, shifted)],
        project: [
          () => kernels.project(Y, narrow, one, 'f64'),
          () => kernels.project(Y, A, shifted, 'f32'),
          () => kernels.project(short, A, one, 'f64'),
        ],
        projectByAtom: [
          () => kernels.projectByAtom({ ...written, atoms: narrow }),
          () => kernels.projectByAtom({ ...written, codes: zeros(5, 30) }),
          () => kernels.projectByAtom({ ...written, codes: zeros(4, 29) }),
          ...[1, -1, 0.5].map((start) => () => kernels.projectByAtom({ ...written, start })),
        ],
        transform: [
          () => kernels.transform(Y, turn(6), one, 'f64'),
          () => kernels.transform(Y, turn(-1), one, 'f64'),
          () => kernels.transform(Y, turn(0, 5), one, 'f64'),
          () => kernels.transform(Y, mirror(3), one, 'f64'),
          () => kernels.transform(narrow, mirror(4), one, 'f64'),
        ],
        rotatePlanes: [
          () => kernels.rotatePlanes({ ...still, rows: short }),
          ...[
            [0, 30],
            [-1, 2],
            [0.5, 2],
            [3, 3],
          ].map(
            ([i, j]) =>
              () =>
                kernels.rotatePlanes({ ...still, planes: [[i, j]] }),
          ),
        ],
        eigen: [() => (kernels.eigen ? kernels.eigen(A) : referenceKernels.multiply(Y, A))],
      };
      test.each(Object.keys(calls))('%s', (operation) => {
        for (const call of calls[operation]) expect(call, String(call)).toThrow(RangeError);
      });
    });

    describe.each(precisions)('%s', (as) => {
      test('multiply agrees in every form and shape', () => {
        const property = (rows: number, inner: number, cols: number, how: 'nn' | 'nt' | 'tn', data: number) => {
          const random = createRandom(data, 'multiply');
          const a = how === 'tn' ? normals(inner, rows, random, as) : normals(rows, inner, random, as);
          const b = how === 'nt' ? normals(cols, inner, random, as) : normals(inner, cols, random, as);
          const product = kernels.multiply(a, b, how);
          expect([product.rows, product.cols]).toEqual([rows, cols]);
          expect(product.data.constructor).toBe(a.data.constructor);
          const bound = productBound(a, b, how, as);
          expect(violation(product.data, referenceKernels.multiply(a, b, how).data, bound.data)).toBeUndefined();
        };
        fc.assert(fc.property(size, rowCount, size, form, dataSeed, property), runs);
      });

      test('multiply multiplies its result by a factor, and overwrites a given matrix', () => {
        const random = createRandom(seed, 'factor');
        for (const n of [1, 5, 33, 130]) {
          const a = normals(n, n, random, as);
          for (const b of [a, normals(n, n, random, as)]) {
            for (const how of ['nn', 'nt', 'tn'] as const) {
              const into = normals(n, n, random, as);
              expect(kernels.multiply(a, b, how, into, -2)).toBe(into);
              const expected = kernels.multiply(a, b, how).data.map((x) => -2 * x);
              const bound = productBound(a, b, how, as).data.map((x) => 2 * x);
              expect(violation(into.data, expected, bound)).toBeUndefined();
            }
          }
        }
      });

      test('multiply agrees across blocks of depth, rows and columns', () => {
        const random = createRandom(seed, 'blocks');
        for (const [rows, inner, cols] of [
          [5, 600, 7],
          [301, 257, 9],
          [3, 20, 2100],
        ]) {
          const a = normals(rows, inner, random, as);
          const b = normals(inner, cols, random, as);
          const expected = referenceKernels.multiply(a, b);
          const bound = productBound(a, b, 'nn', as).data;
          expect(violation(kernels.multiply(a, b).data, expected.data, bound)).toBeUndefined();
        }
      });

      test('project agrees for float32 and float64 samples', () => {
        const property = (rows: number, cols: number, atomRows: number, of: Precision, data: number) => {
          const random = createRandom(data, 'project');
          const samples = normals(rows, cols, random, of);
          const atoms = normalMatrix(atomRows, cols, random);
          const conditioning = someConditioning(cols, random);
          const codes = kernels.project(samples, atoms, conditioning, as);
          expect(codes.data).toBeInstanceOf(as === 'f32' ? Float32Array : Float64Array);
          const expected = referenceKernels.project(samples, atoms, conditioning, 'f64');
          const bound = productBound(conditioned(samples, conditioning), atoms, 'nt', as).data;
          expect(violation(codes.data, expected.data, bound)).toBeUndefined();
        };
        fc.assert(fc.property(rowCount, size, size, precision, dataSeed, property), runs);
      });

      test('projectByAtom agrees with project, and writes nowhere else', () => {
        const property = (rows: number, cols: number, atomRows: number, of: Precision, data: number) => {
          const random = createRandom(data, 'project by atom');
          const samples = normals(rows, cols, random, of);
          const atoms = normals(atomRows, cols, random, data % 2 === 0 ? 'f64' : 'f32');
          const conditioning = someConditioning(cols, random);
          const before = normals(atomRows, rows + 5, random, as);
          const codes = { ...before, data: before.data.slice() };
          const powers = kernels.projectByAtom({ samples, atoms, conditioning, codes, start: 2 });
          const expected = { ...before, data: before.data.slice() };
          const all = referenceKernels.projectByAtom({ samples, atoms, conditioning, codes: expected, start: 2 });
          expect(Math.abs(powers - all)).toBeLessThanOrEqual(1e-9 * all);
          const bound = productBound(atoms, conditioned(samples, conditioning), 'nt', 'f64').data;
          const bounds = Float64Array.from(codes.data, (code, at) => {
            const [i, l] = [Math.floor(at / codes.cols), (at % codes.cols) - 2];
            if (l < 0 || l >= rows) return 0;
            return bound[i * rows + l] + (as === 'f32' ? 2 * unitRoundoff.f32 * Math.abs(code) : 0); // rounded once
          });
          expect(violation(codes.data, expected.data, bounds)).toBeUndefined();
        };
        fc.assert(fc.property(rowCount, size, size, precision, dataSeed, property), runs);
      });

      test('transform agrees: reflectors and rotations, none, few and many', () => {
        const factors = fc.constantFrom(0, 1, 2, 5, 10, 40);
        const property = (rows: number, cols: number, count: number, of: Precision, data: number) => {
          const random = createRandom(data, 'transform');
          const samples = normals(rows, cols, random, of);
          const conditioning = someConditioning(cols, random);
          const maps: FastTransform[] = [
            reflectorTransform(randomReflectors(Math.min(count, cols), cols, random)),
            { kind: 'rotations', ...randomRotations(count, cols, random) },
          ];
          for (const map of maps) {
            const codes = kernels.transform(samples, map, conditioning, as);
            expect([codes.rows, codes.cols]).toEqual([rows, cols]);
            expect(codes.data).toBeInstanceOf(as === 'f32' ? Float32Array : Float64Array);
            const expected = referenceKernels.transform(samples, map, conditioning, 'f64');
            const bound = transformBound(conditioned(samples, conditioning), count, as);
            expect(violation(codes.data, expected.data, bound)).toBeUndefined();
          }
        };
        fc.assert(fc.property(rowCount, size, factors, precision, dataSeed, property), runs);
      });

      test('correlate with powers agrees', () => {
        const norm = fc.constantFrom(2, 3, 4, 6, 8);
        const property = (rows: number, cols: number, atomRows: number, p: number, of: Precision, data: number) => {
          const random = createRandom(data, 'power');
          const samples = normals(rows, cols, random, of);
          const atoms = normalMatrix(atomRows, cols, random);
          const conditioning = someConditioning(cols, random);
          agrees(samples, atoms, conditioning, { kind: 'power', norm: p }, data % 2 === 0);
        };
        fc.assert(fc.property(rowCount, size, size, norm, precision, dataSeed, property), runs);
      });

      test('correlate with signs is exact if codes are, including zeros', () => {
        const property = (rows: number, cols: number, atomRows: number, as: Precision, data: number) => {
          const random = createRandom(data, 'sign');
          const whole = (r: number, c: number) => ({
            rows: r,
            cols: c,
            data: normalMatrix(r, c, random).data.map(Math.round),
          });
          const samples = inPrecision(whole(rows, cols), as);
          const atoms = whole(atomRows, cols);
          const response: Response = { kind: 'power', norm: 1 };
          const request = { samples, atoms, conditioning: { scale: 1 }, response, precision: as };
          const { correlation, values } = kernels.correlate(request);
          const expected = referenceKernels.correlate(request);
          expect(correlation).toEqual(expected.correlation);
          expect(values).toEqual(expected.values);
        };
        fc.assert(fc.property(rowCount, size, size, precision, dataSeed, property), runs);
      });

      test('correlate with masks agrees, including thresholds of zero and zero samples', () => {
        const property = (rows: number, cols: number, atomRows: number, of: Precision, data: number) => {
          const random = createRandom(data, 'mask');
          const of1 = someConditioning(cols, random);
          const { samples, conditioning, meanNorm } = samplesWithZeros(rows, cols, of1, random, of);
          const atoms = normalMatrix(atomRows, cols, random);
          const thresholds = Float64Array.from({ length: atomRows }, (_, i) => (i % 3 ? 2 * random.uniform() : 0));
          const leastNorm = data % 3 ? undefined : meanNorm;
          agrees(samples, atoms, conditioning, { kind: 'mask', thresholds, meanNorm, leastNorm }, data % 2 === 0);
        };
        fc.assert(fc.property(rowCount, size, size, precision, dataSeed, property), runs);
      });

      test('correlate with likelihoods agrees, including samples that are zero or dropped', () => {
        const property = (rows: number, cols: number, atomRows: number, of: Precision, data: number) => {
          const random = createRandom(data, 'likelihood');
          const of1 = someConditioning(cols, random);
          const { samples, conditioning } = samplesWithZeros(rows, cols, of1, random, of);
          const meanEnergy = cols * atomRows;
          const spike = meanEnergy / atomRows / 2 ** (1 + 9 * random.uniform());
          const spread = data % 3 ? 2 * random.uniform() + 0.01 : undefined;
          const leastEnergy = data % 5 ? undefined : 0.4 * meanEnergy;
          const sizes = { spike, slab: 20 * spike * random.uniform(), spread, meanEnergy, leastEnergy };
          const response: Response = { kind: 'likelihood', theta: 0.01 + 0.98 * random.uniform(), ...sizes };
          agrees(samples, normalMatrix(atomRows, cols, random), conditioning, response, data % 2 === 0);
        };
        fc.assert(fc.property(rowCount, size, size, precision, dataSeed, property), { ...runs, numRuns: 15 });
      });

      test('a sample far larger than the others has no part in the spike', () => {
        const random = createRandom(seed, 'outlier');
        for (const spread of [undefined, 0.5]) {
          const samples = normals(40, 5, random, 'f64');
          for (let l = 0; l < 5; l++) samples.data[7 * 5 + l] *= as === 'f32' ? 1e17 : 1e100;
          agrees(samples, normalMatrix(11, 5, random), one, { ...likely, spread }, false);
        }
      });

      test('a spike far narrower than the codes: nothing overflows, cancels or is lost', () => {
        const t = as === 'f32' ? 1e-6 : 1e-12;
        const codes = [0, 0.3 * t, t, -2 * t, 9 * t, 1e-3, 0.5, 1, -3];
        const samples = { rows: 3, cols: 3, data: Float64Array.from(codes, Math.abs) };
        const atoms = { rows: 3, cols: 3, data: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) };
        for (const spread of [undefined, 0.5]) {
          const response: Response = { ...likely, spike: t * t, slab: 1, spread, meanEnergy: 1 };
          const request = { samples, atoms, conditioning: one, response, precision: as, gram: true };
          const [actual, expected] = [kernels.correlate(request), referenceKernels.correlate(request)];
          // the argument of exp, about 30, is rounded a few times
          const sums = [actual, expected].map(({ correlation, values, gram, likelihood: sums }) => {
            return [correlation.data, values, gram!.data, sums!.spikeEnergy].flatMap((data) => [...data]);
          });
          const near = (x: number) => 300 * unitRoundoff[as] * Math.abs(x) + 1e-30;
          expect(violation(sums[0], sums[1], sums[1].map(near))).toBeUndefined();
          const { slope, live } = actual.likelihood!;
          const size = (x: number) => near(Math.abs(x) + 30); // of its terms
          expect(violation(slope, expected.likelihood!.slope, expected.likelihood!.slope.map(size))).toBeUndefined();
          expect(live).toBe(3);
        }
      });

      testCompiled(name)('the power of two in a likelihood has the accuracy it states', () => {
        // a = 1 and g = 1 exactly, so that r = 1/(1 + 2^(x² − 1)); squares of such short numbers are exact. Powers below ½
        // do not show in r, and have the same fractions of the exponent.
        const [most, bits, stated] = as === 'f32' ? [126, 8, 2e-7] : [1022, 21, 1e-15];
        const spike = 0.375 * Math.LOG2E;
        const response: Response = { kind: 'likelihood', theta: 0.5, spike, slab: 4 * spike, meanEnergy: 1 };
        const data = Float64Array.from({ length: 5000 }, (_, i) => {
          return Math.round(Math.sqrt(most) * (i / 5000) * 2 ** bits) / 2 ** bits;
        });
        const atoms = { rows: data.length, cols: 1, data };
        const samples = { rows: 1, cols: 1, data: Float64Array.of(1) };
        const { values } = kernels.correlate({ samples, atoms, conditioning: one, response, precision: as });
        const exact = data.map((x) => 1 / (1 + 2 ** (x * x - 1)));
        // 1 + q and its reciprocal are rounded once each
        const bound = exact.map((r) => r * (stated + 2 * unitRoundoff[as]));
        expect(violation(values, exact, bound)).toBeUndefined();
      });

      test('measure agrees: numbers of codes above thresholds, and sums of powers', () => {
        const norm = fc.constantFrom(1, 2, 3, 4, 6, 8);
        const property = (rows: number, cols: number, atomRows: number, q: number, of: Precision, data: number) => {
          const random = createRandom(data, 'measure');
          const of1 = someConditioning(cols, random);
          const { samples, conditioning, meanNorm } = samplesWithZeros(rows, cols, of1, random, of);
          const atoms = normalMatrix(atomRows, cols, random);
          const thresholds = Float64Array.from({ length: atomRows }, (_, i) => (i % 3 ? 2 * random.uniform() : 0));
          const sizes = { meanNorm, leastNorm: data % 3 ? undefined : meanNorm };
          const request = { samples, atoms, conditioning, thresholds, norm: q, precision: as, ...sizes };
          const Y = conditioned(samples, conditioning);
          const counted = correlationBounds(Y, atoms, { kind: 'mask', thresholds, ...sizes }, as).values;
          const summed = correlationBounds(Y, atoms, { kind: 'power', norm: q }, as).values;
          const [actual, expected] = [kernels.measure(request), referenceKernels.measure(request)];
          expect(violation(actual.kept, expected.kept, counted)).toBeUndefined();
          expect(violation(actual.powers, expected.powers, summed)).toBeUndefined();
        };
        fc.assert(fc.property(rowCount, size, size, norm, precision, dataSeed, property), runs);
      });

      test('samples of any magnitude that the scale brings back', () => {
        const random = createRandom(seed, 'magnitudes');
        // 1e30 and 1e-18: sums of samples that are not scaled would overflow float32, those of scaled ones do not
        for (const [magnitude, scale] of [
          [1e-30, 1e30],
          [1e-17, 1e17],
          [1e17, 1e-17],
          [1e30, 1e-30],
          [1e30, 1e-18],
        ]) {
          const samples = normals(300, 13, random, as);
          for (let i = 0; i < samples.data.length; i++) samples.data[i] *= magnitude;
          const atoms = normalMatrix(11, 13, random);
          agrees(samples, atoms, { scale }, { kind: 'power', norm: 2 }, true);
          agrees(samples, atoms, { scale }, likely, true);
          if (magnitude * scale < 10) agrees(samples, atoms, { scale }, { kind: 'power', norm: 4 }, false);
        }
      });

      test('more features than one block of the summation holds', () => {
        const random = createRandom(seed, 'features');
        for (const cols of [257, 600]) {
          const samples = normals(20, cols, random, as);
          const atoms = normalMatrix(10, cols, random);
          const conditioning = someConditioning(cols, random);
          agrees(samples, atoms, conditioning, { kind: 'power', norm: 4 }, true);
          const Y = conditioned(samples, conditioning);
          const expected = referenceKernels.covariance(samples, conditioning, 'f64');
          const actual = kernels.covariance(samples, conditioning, as);
          expect(violation(actual.data, expected.data, productBound(Y, Y, 'tn', as).data)).toBeUndefined();
        }
      });

      function agrees(samples: Matrix, atoms: Matrix, conditioning: Conditioning, response: Response, gram: boolean) {
        const request = { samples, atoms, conditioning, response, precision: as, gram };
        const actual = kernels.correlate(request);
        const expected = referenceKernels.correlate(request);
        const bounds = correlationBounds(conditioned(samples, conditioning), atoms, response, as);
        expect(bounds.undecided * samples.rows * atoms.rows).toBeLessThanOrEqual(2 + 0.01 * samples.rows * atoms.rows);
        const { correlation, values } = actual;
        expect([correlation.rows, correlation.cols]).toEqual([atoms.rows, samples.cols]);
        expect(violation(correlation.data, expected.correlation.data, bounds.correlation.data)).toBeUndefined();
        expect(violation(values, expected.values, bounds.values)).toBeUndefined();
        expect(actual.sums === undefined).toBe(response.kind !== 'mask');
        for (const which of response.kind === 'mask' ? (['kept', 'rejected'] as const) : []) {
          expect(violation(actual.sums![which], expected.sums![which], bounds.codeSums)).toBeUndefined();
        }
        expect(actual.likelihood === undefined).toBe(response.kind !== 'likelihood');
        for (const which of response.kind === 'likelihood' ? (['spikeEnergy', 'slope'] as const) : []) {
          expect(violation(actual.likelihood![which], expected.likelihood![which], bounds[which])).toBeUndefined();
        }
        if (bounds.undecided === 0) expect(actual.likelihood?.live).toBe(expected.likelihood?.live);
        expect(actual.gram === undefined).toBe(!gram);
        if (gram) expect(violation(actual.gram!.data, expected.gram!.data, bounds.gram.data)).toBeUndefined();
      }

      test('a code at its threshold is not kept', () => {
        const samples = { rows: 3, cols: 1, data: Float64Array.of(1, -1, 1.5) };
        const atoms = { rows: 3, cols: 1, data: Float64Array.of(0.5, 0.25, 1) };
        const response: Response = { kind: 'mask', thresholds: Float64Array.of(0.5, 0.125, 1), meanNorm: 1 };
        const { values } = kernels.correlate({ samples, atoms, conditioning: one, response, precision: as });
        expect([...values]).toEqual([0, 3, 0]);
      });

      test('a sample smaller than the least norm counts as that large', () => {
        const samples = { rows: 2, cols: 1, data: Float64Array.of(1, 4) };
        const atoms = { rows: 1, cols: 1, data: Float64Array.of(1) };
        const sizes = { meanNorm: 1, leastNorm: 3 };
        const response: Response = { kind: 'mask', thresholds: Float64Array.of(0.5), ...sizes };
        const request = { samples, atoms, conditioning: one, response, precision: as, counts: 2 };
        const { values, sums, counts } = kernels.correlate(request);
        expect([values[0], sums!.kept[0], sums!.rejected[0]]).toEqual([1, 4, 1]); // 1 ≤ 0.5·3, 4 > 0.5·4
        expect([counts![histogramBin(1 / 3)], counts![histogramBin(1)]]).toEqual([1, 1]);
        expect(kernels.histogram({ samples, atoms, conditioning: one, ...sizes })).toEqual(counts);
      });

      test('samples that are zero are never kept by a mask', () => {
        const atoms = { rows: 3, cols: 5, data: new Float64Array(15).fill(1) };
        const response: Response = { kind: 'mask', thresholds: new Float64Array(3), meanNorm: 1 };
        const request = { samples: zeros(9, 5), atoms, conditioning: one, response, precision: as };
        expect([...kernels.correlate(request).values]).toEqual([0, 0, 0]);
        const tiny = { rows: 1, cols: 5, data: new Float64Array(5).fill(1e-200) }; // its norm underflows to zero
        expect([...kernels.correlate({ ...request, samples: tiny }).values]).toEqual([0, 0, 0]);
      });

      test('covariance agrees and is symmetric to the last bit', () => {
        const property = (rows: number, cols: number, of: Precision, data: number) => {
          const random = createRandom(data, 'covariance');
          const samples = normals(rows, cols, random, of);
          const conditioning = someConditioning(cols, random);
          const C = kernels.covariance(samples, conditioning, as);
          const Y = conditioned(samples, conditioning);
          const expected = referenceKernels.covariance(samples, conditioning, 'f64');
          expect(violation(C.data, expected.data, productBound(Y, Y, 'tn', as).data)).toBeUndefined();
          expect(C.data).toEqual(transpose(C).data);
        };
        fc.assert(fc.property(rowCount, size, precision, dataSeed, property), runs);
      });

      test('a NaN in a sample surfaces', () => {
        const random = createRandom(seed, 'nan');
        for (const at of [0, 77, 300 * 13 - 1]) {
          const samples = normals(300, 13, random, 'f64');
          const atoms = normalMatrix(9, 13, random);
          samples.data[at] = Number.NaN;
          const column = at % 13;
          const covariance = kernels.covariance(samples, one, as);
          for (let j = 0; j < 13; j++) expect(covariance.data[column * 13 + j]).toBeNaN();
          const responses: Response[] = [{ kind: 'power', norm: 4 }, likely, { ...likely, spread: undefined }];
          for (const response of responses) {
            const request = { samples, atoms, conditioning: one, response, precision: as };
            const { correlation, values, likelihood } = kernels.correlate(request);
            const sums = [correlation.data, values, likelihood?.spikeEnergy ?? [], likelihood?.slope ?? []];
            for (const sum of sums) expect(sum.every(Number.isNaN)).toBe(true);
            expect(likelihood?.live ?? 300).toBe(300);
          }
          expect(kernels.project(samples, atoms, one, as).data.filter(Number.isNaN).length).toBe(9);
        }
      });

      test('arguments are not changed, and the next call does not change earlier results', () => {
        const random = createRandom(seed, 'arguments');
        const samples = normals(20, 7, random, as);
        const atoms = normals(6, 7, random, as);
        const offset = normalMatrix(1, 7, random).data;
        const thresholds = new Float64Array(6).fill(0.5);
        const before: FloatArray[] = [samples.data, atoms.data, offset, thresholds].map((x) => x.slice());
        const conditioning = { offset, scale: 2 };
        const response: Response = { kind: 'mask', thresholds, meanNorm: 1 };
        const first = kernels.correlate({ samples, atoms, conditioning, response, precision: as });
        const kept = first.correlation.data.slice();
        kernels.covariance(samples, conditioning, as);
        kernels.project(samples, atoms, conditioning, as);
        kernels.multiply(samples, atoms, 'nt');
        kernels.histogram({ samples, atoms, conditioning, meanNorm: 1 });
        kernels.measure({ samples, atoms, conditioning, thresholds, norm: 4, meanNorm: 1, precision: as });
        kernels.survey(samples, conditioning);
        expect([samples.data, atoms.data, offset, thresholds]).toEqual(before);
        expect(first.correlation.data).toEqual(kept);
        const again = kernels.correlate({ samples, atoms, conditioning, response, precision: as });
        expect(again.correlation.data).toEqual(kept);
      });

      test('samples in shared memory and in the middle of a buffer give the same', () => {
        const random = createRandom(seed, 'shared');
        const samples = normals(50, 9, random, as);
        const atoms = normalMatrix(9, 9, random);
        const buffer = new SharedArrayBuffer((450 + 3) * 8);
        const shared = as === 'f32' ? new Float32Array(buffer, 12, 450) : new Float64Array(buffer, 24, 450);
        shared.set(samples.data);
        const response: Response = { kind: 'power', norm: 4 };
        const request = { atoms, conditioning: one, response, precision: as };
        expect(kernels.correlate({ ...request, samples: { ...samples, data: shared } })).toEqual(
          kernels.correlate({ ...request, samples }),
        );
      });

      testCompiled(name)('samples taken in pieces give the same bits', async () => {
        const pieces = await createBackend(name, 1); // the smallest piece: one block
        const random = createRandom(seed, 'pieces');
        const samples = normals(2 * ACCUMULATION_ROWS + 77, 70, random, 'f32');
        const atoms = normalMatrix(11, 70, random);
        const response: Response = { kind: 'power', norm: 4 };
        const request = { samples, atoms, conditioning: one, response, precision: as, gram: true, meanNorm: 1 };
        for (const response of [request.response, likely])
          expect(pieces.correlate({ ...request, response })).toEqual(kernels.correlate({ ...request, response }));
        expect(pieces.covariance(samples, one, as)).toEqual(kernels.covariance(samples, one, as));
        expect(pieces.project(samples, atoms, one, as)).toEqual(kernels.project(samples, atoms, one, as));
        expect(pieces.histogram(request)).toEqual(kernels.histogram(request));
        const measured = { ...request, thresholds: new Float64Array(11).fill(0.5), norm: 4 };
        expect(pieces.measure(measured)).toEqual(kernels.measure(measured));
        expect(pieces.survey(samples, one)).toEqual(kernels.survey(samples, one));
        for (const map of [
          reflectorTransform(randomReflectors(3, 70, random)),
          { kind: 'rotations', ...randomRotations(50, 70, random) } as const,
        ]) {
          expect(pieces.transform(samples, map, one, as)).toEqual(kernels.transform(samples, map, one, as));
        }
        const codesBy = (by: Kernels) => {
          const codes = inPrecision(zeros(atoms.rows, samples.rows), as);
          by.projectByAtom({ samples, atoms, conditioning: one, codes, start: 0 });
          return codes;
        };
        expect(codesBy(pieces)).toEqual(codesBy(kernels));
      });

      test('sums over many samples keep their accuracy', () => {
        const rows = 200_000;
        const samples = { rows, cols: 3, data: new Float32Array(rows * 3).fill(0.1) };
        const exact = rows * samples.data[0] ** 2;
        const covariance = kernels.covariance(samples, one, as);
        const atoms = { rows: 1, cols: 3, data: Float64Array.of(1, 0, 0) };
        const response: Response = { kind: 'power', norm: 2 };
        const { correlation, values } = kernels.correlate({
          samples,
          atoms,
          conditioning: one,
          response,
          precision: as,
        });
        // A run of ACCUMULATION_ROWS equal numbers in float32 is off by at most that many roundings, on average by far
        // fewer.
        const tolerance = as === 'f32' ? 1e-6 : rows * unitRoundoff.f64;
        for (const sum of [...covariance.data, ...correlation.data, ...values]) {
          expect(Math.abs(sum / exact - 1)).toBeLessThan(tolerance);
        }
      });

      test('no samples give empty sums', () => {
        const samples = zeros(0, 4);
        const atoms = normalMatrix(3, 4, createRandom(seed, 'empty'));
        const response: Response = { kind: 'power', norm: 4 };
        const { correlation, values } = kernels.correlate({
          samples,
          atoms,
          conditioning: one,
          response,
          precision: as,
        });
        expect(correlation).toEqual(zeros(3, 4));
        expect([...values]).toEqual([0, 0, 0]);
        expect(kernels.covariance(samples, one, as)).toEqual(zeros(4, 4));
        expect(kernels.project(samples, atoms, one, as).data.length).toBe(0);
      });
    });

    test('histogram counts every code of every non-zero sample, in the bin of the reference up to rounding', () => {
      const property = (rows: number, cols: number, atomRows: number, of: Precision, data: number) => {
        const random = createRandom(data, 'histogram');
        const of1 = someConditioning(cols, random);
        const { samples, conditioning, Y, meanNorm, nonZero } = samplesWithZeros(rows, cols, of1, random, of);
        const atoms = normalMatrix(atomRows, cols, random);
        const counts = kernels.histogram({ samples, atoms, conditioning, meanNorm });
        const expected = referenceKernels.histogram({ samples, atoms, conditioning, meanNorm });
        const X = referenceKernels.multiply(Y, atoms, 'nt');
        const deltas = productBound(Y, atoms, 'nt', 'f64');
        for (let i = 0; i < atomRows; i++) {
          const line = counts.subarray(i * HISTOGRAM_BINS, (i + 1) * HISTOGRAM_BINS);
          expect(line.reduce((a, b) => a + b)).toBe(nonZero);
          let moved = 0;
          line.forEach((count, bin) => {
            moved += Math.abs(count - expected[i * HISTOGRAM_BINS + bin]) / 2;
          });
          expect(moved).toBeLessThanOrEqual(atEdges(i));
        }
        /** Codes of atom i that rounding may put in another bin. */
        function atEdges(i: number): number {
          let count = 0;
          for (let j = 0; j < rows; j++) {
            const c = Math.hypot(...Y.data.subarray(j * cols, (j + 1) * cols)) / meanNorm;
            const x = Math.abs(X.data[j * atomRows + i]) / c;
            const delta = deltas.data[j * atomRows + i] / c + x * (cols + 6) * unitRoundoff.f64;
            if (c > 0 && histogramBin(Math.max(0, x - delta)) !== histogramBin(x + delta)) count++;
          }
          return count;
        }
      };
      fc.assert(fc.property(rowCount, size, size, precision, dataSeed, property), { numRuns: 15 });
    });

    test.each(precisions)('the counts of a masked correlation are the histogram of its codes in %s', (as) => {
      const random = createRandom(seed, 'counts');
      const { samples, conditioning, meanNorm, nonZero } = samplesWithZeros(300, 13, one, random, 'f64');
      const atoms = normalMatrix(11, 13, random);
      const response = { kind: 'mask', thresholds: new Float64Array(11).fill(0.5), meanNorm } as const;
      const request = { samples, atoms, conditioning, response, precision: as };
      const { counts, ...rest } = kernels.correlate({ ...request, counts: 300 });
      expect(rest).toEqual(kernels.correlate(request));
      for (const first of [1, 255, 257]) {
        const part = { ...samples, rows: first, data: samples.data.slice(0, 13 * first) };
        const ofPart = kernels.correlate({ ...request, samples: part, counts: 1000 }).counts;
        expect(kernels.correlate({ ...request, counts: first }).counts).toEqual(ofPart);
      }
      const exact = kernels.histogram({ samples, atoms, conditioning, meanNorm });
      const moved = exact.reduce((sum, count, bin) => sum + Math.abs(count - counts![bin]), 0) / 2;
      expect(counts!.reduce((sum, count) => sum + count, 0)).toBe(11 * nonZero);
      expect(moved).toBeLessThanOrEqual(as === 'f64' ? 0 : 3); // float32 moves a code across an edge now and then
    });

    test.each(precisions)(
      'survey agrees for %s samples: sums and extremes to the last bit, norms to rounding',
      (of) => {
        const property = (rows: number, cols: number, data: number) => {
          const random = createRandom(data, 'survey');
          const { samples, conditioning } = samplesWithZeros(rows, cols, someConditioning(cols, random), random, of);
          const { normSum, ...actual } = kernels.survey(samples, conditioning);
          const { normSum: expected, ...exact } = referenceKernels.survey(samples, conditioning);
          expect(actual).toEqual(exact);
          expect(Math.abs(normSum - expected)).toBeLessThanOrEqual((rows + cols + 4) * unitRoundoff.f64 * expected);
        };
        fc.assert(fc.property(rowCount, size, dataSeed, property), runs);
        const long = normals(700, 300, createRandom(seed, 'survey'), of); // several pieces
        expect(kernels.survey(long, one).sum).toEqual(referenceKernels.survey(long, one).sum);
      },
    );

    test.each(precisions)('survey with moments is survey and covariance of %s samples', (of) => {
      const random = createRandom(seed, 'moments');
      for (const [rows, cols] of [
        [1, 1],
        [50, 3],
        [300, 130],
      ]) {
        const samples = normals(rows, cols, random, of);
        for (const conditioning of [one, { scale: 3 }, someConditioning(cols, random)]) {
          const { gram, ...seen } = kernels.survey(samples, conditioning, true);
          expect(seen).toEqual(kernels.survey(samples, conditioning));
          const { data } = kernels.covariance(samples, conditioning, 'f64');
          expect(gram!.data.every((value, k) => Object.is(value, data[k]))).toBe(true);
        }
      }
    });

    test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('survey sees %d anywhere', (value) => {
      for (const cols of [1, 2, 7]) {
        for (const at of [0, cols - 1, 40 * cols, 300 * cols - 1]) {
          const samples = normals(300, cols, createRandom(seed, 'survey'), 'f64');
          expect(kernels.survey(samples, one).finite).toBe(true);
          samples.data[at] = value;
          expect(kernels.survey(samples, one).finite).toBe(false);
        }
      }
      const large = { rows: 2, cols: 3, data: new Float64Array(6).fill(1e308) };
      expect(kernels.survey(large, one)).toMatchObject({ finite: true, largest: 1e308 });
    });

    test('histogram bins reach from zero to infinity', () => {
      const samples = { rows: 1, cols: 1, data: Float64Array.of(1) };
      const data = Float64Array.of(0, 2 ** -70, 2 ** -60, 1, 1.125, 2, -3, 2 ** 11, 2 ** 40, Number.POSITIVE_INFINITY);
      const atoms = { rows: data.length, cols: 1, data };
      const counts = kernels.histogram({ samples, atoms, conditioning: one, meanNorm: 1 });
      data.forEach((x, i) => {
        expect(counts[i * HISTOGRAM_BINS + histogramBin(x)]).toBe(1);
      });
    });

    test('infinities propagate', () => {
      const samples = { rows: 1, cols: 2, data: Float64Array.of(1, 2) };
      const atoms = { rows: 1, cols: 2, data: Float64Array.of(Number.POSITIVE_INFINITY, 1) };
      expect(kernels.project(samples, atoms, one, 'f64').data[0]).toBe(Number.POSITIVE_INFINITY);
      const response: Response = { kind: 'power', norm: 4 };
      const { correlation } = kernels.correlate({ samples, atoms, conditioning: one, response, precision: 'f64' });
      expect([...correlation.data]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    });
  });
}

describe.skipIf(whyNot.native)('the BLAS', () => {
  const { f64, f32, rankUpdate, eigen } = blas as Blas;
  const [wide, single] = [new Float64Array(12), new Float32Array(12)];

  test('is not called with operands that end before the product does', () => {
    const calls = [
      () => f64(false, false, 4, 4, 4, wide, 4, wide, 4, 0, wide, 4),
      () => f64(false, true, 3, 4, 3, wide, 3, wide, 3, 0, wide, 3), // C: a stride below its columns
      () => f64(true, false, 3, 3, 5, wide, 3, wide, 3, 0, wide, 3),
      () => f32(false, false, 3, 3, 3, single, 5, single, 3, 0, single, 3),
      () => f32(false, false, 1.5, 3, 3, single, 3, single, 3, 0, single, 3),
      () => f32(false, false, -1, 3, 3, single, 3, single, 3, 0, single, 3),
      () => f64(false, false, 3, 3, 3, single as never, 3, wide, 3, 0, wide, 3),
      () => rankUpdate.f64(4, 3, wide, 4, 0, wide, 4),
      () => rankUpdate.f32(3, 5, single, 3, 0, single, 3),
      ...(eigen ? [() => eigen(4, wide, wide), () => eigen(3, wide, wide.subarray(0, 2))] : []),
    ];
    for (const call of calls) expect(call, String(call)).toThrow(RangeError);
    f64(false, true, 3, 4, 3, wide, 3, wide, 3, 0, wide, 4); // and with those that just fit
    rankUpdate.f32(3, 4, single, 3, 0, single, 3);
  });
});
