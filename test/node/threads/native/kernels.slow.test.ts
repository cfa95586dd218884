/** Native kernels compared with the reference, each call in a few sizes; test/contracts/kernels.slow.test.ts tries all sizes. */
import { beforeAll, expect, it } from 'vitest';
import { type Matrix, type Matrix64, type Precision, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { Conditioning, Kernels, Response } from '#src/kernels/kernels.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { portableKernels, supportedKernels } from '#src/kernels/select.ts';
import { reflectorTransform } from '#src/linalg/reflectors.ts';
import { enableRelaxedSimd } from '#src/node/threads/kernels.ts';
import { type Blas, findBlas } from '#src/node/threads/native/blas.ts';
import { createNativeKernels } from '#src/node/threads/native/kernels.ts';
import { product, randomReflectors, randomRotations, withEigenvalues } from '../../../helpers/matrices.ts';
import { testSeed } from '../../../helpers/seed.ts';
import { describeUnless } from '../../../helpers/skip.ts';

const blas = await findBlas();
const seed = testSeed(3);
const PRECISIONS = ['f64', 'f32'] as const;

const inPrecision = (matrix: Matrix, as: Precision): Matrix => ({
  ...matrix,
  data: as === 'f32' ? Float32Array.from(matrix.data) : Float64Array.from(matrix.data),
});

/** Every number inside differs by no more than this share of the largest in its array. */
function expectClose(found: unknown, right: unknown, share: number, path = ''): void {
  if (ArrayBuffer.isView(right)) {
    const [a, b] = [found as Float64Array, right as Float64Array];
    expect(a.length, path).toBe(b.length);
    const most = share * b.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0);
    const at = b.findIndex((x, k) => !(Math.abs(x - a[k]) <= most));
    expect(at < 0 ? undefined : `${path}[${at}]: ${a[at]}, not ${b[at]}`).toBeUndefined();
  } else if (typeof right === 'object' && right !== null) {
    const names = (value: object) =>
      Object.keys(value).filter((name) => value[name as keyof typeof value] !== undefined);
    expect(names(found as object).toSorted(), path).toEqual(names(right).toSorted());
    for (const name of names(right)) {
      expectClose(found![name as never], right[name as never], share, path ? `${path}.${name}` : name);
    }
  } else if (typeof right === 'number') expectClose([found].map(Number), Float64Array.of(right), share, path);
  else expect(found, path).toBe(right);
}

/** Rows across blocks and panels, fewer and more atoms than a strip, fewer and more numbers than are transposed. */
const SIZES = [
  { rows: 1, n: 1, K: 1 },
  { rows: 40, n: 7, K: 3 },
  { rows: 300, n: 13, K: 17 },
  { rows: 70, n: 80, K: 60 },
];

describeUnless('missing' in blas ? blas.missing : undefined, 'native kernels', () => {
  let native: Kernels;
  beforeAll(async () => {
    enableRelaxedSimd();
    native = await createNativeKernels(blas as Blas);
  });

  const cases = SIZES.flatMap((size) => PRECISIONS.map((precision) => ({ ...size, precision })));
  const close = (precision: Precision) => (precision === 'f32' ? 1e-4 : 1e-11);

  /** Samples with a zero among them, in their own precision and in the other, as they are and conditioned. */
  function* inputs({ rows, n, K, precision }: (typeof cases)[number]) {
    const random = createRandom(seed, 'native');
    const atoms = normalMatrix(K, n, random);
    const all = normalMatrix(rows, n, random);
    const offset = normalMatrix(1, n, random).data.map(Math.fround);
    for (const of of PRECISIONS) {
      const conditionings: Conditioning[] = [{ scale: 1 }, { scale: 0.3 }, { scale: 0.3, offset }];
      for (const conditioning of conditionings) {
        const samples = inPrecision({ ...all, data: all.data.slice() }, of);
        if (rows > 2) samples.data.set(conditioning.offset ?? new Float64Array(n), n);
        yield { samples, atoms, conditioning, precision, random };
      }
    }
  }

  const thresholdsOf = (K: number) => Float64Array.from({ length: K }, (_, i) => 0.4 * (i % 3));
  const responses = (n: number, K: number): Response[] => [
    { kind: 'power', norm: 4 },
    { kind: 'mask', thresholds: thresholdsOf(K), meanNorm: Math.sqrt(n) },
    { kind: 'likelihood', theta: 0.2, spike: 0.3, slab: 6, spread: 0.5, meanEnergy: n * K },
  ];

  it.each(cases)('correlate as the reference: $rows×$n, $K atoms, $precision', (given) => {
    for (const input of inputs(given)) {
      for (const response of responses(given.n, given.K)) {
        for (const gram of [false, true]) {
          const counts = response.kind === 'mask' && gram ? Math.ceil(given.rows / 2) : undefined;
          const request = { ...input, response, gram, ...(counts && { counts }) };
          const right = referenceKernels.correlate({ ...request, precision: 'f64' });
          const found = native.correlate(request);
          if (given.precision === 'f32') continue; // a code may be on the other side of a threshold or an edge
          expectClose(found, right, close('f64'));
        }
      }
      const power: Response = { kind: 'power', norm: 6 };
      const right = referenceKernels.correlate({ ...input, response: power, gram: true });
      expectClose(native.correlate({ ...input, response: power, gram: true }), right, close(given.precision));
    }
  });

  it.each(cases)('survey, project and measure as the reference: $rows×$n, $K atoms, $precision', (given) => {
    const { rows, K, n, precision } = given;
    for (const { samples, atoms, conditioning } of inputs(given)) {
      const of = [samples, conditioning, precision] as const;
      const gram = native.covariance(...of);
      expectClose(gram, referenceKernels.covariance(...of), close(precision));
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) expect(gram.data[i * n + j]).toBe(gram.data[j * n + i]);
      }
      for (const moments of [false, true]) {
        const right = referenceKernels.survey(samples, conditioning, moments);
        expectClose(native.survey(samples, conditioning, moments), right, 1e-11);
      }
      const codes = native.project(samples, atoms, conditioning, precision);
      expect(codes.data).toBeInstanceOf(precision === 'f32' ? Float32Array : Float64Array);
      expectClose(codes, referenceKernels.project(samples, atoms, conditioning, precision), close(precision));
      const [found, right] = [zeros(K, rows + 3), zeros(K, rows + 3)];
      const sums = [native, referenceKernels].map((kernels, k) =>
        kernels.projectByAtom({ samples, atoms, conditioning, codes: [found, right][k], start: 2 }),
      );
      expectClose(found, right, 1e-11);
      expectClose(sums[0], sums[1], 1e-11);
      const sizes = { meanNorm: Math.sqrt(n), leastNorm: 0.1 };
      const counted = { samples, atoms, conditioning, ...sizes };
      expect(native.histogram(counted)).toEqual(referenceKernels.histogram(counted));
      const measured = { ...counted, thresholds: thresholdsOf(K), norm: 3, precision: 'f64' as const };
      expectClose(native.measure(measured), referenceKernels.measure(measured), 1e-11);
    }
  });

  it.each(cases)('transform as the reference: $rows×$n, $precision', (given) => {
    for (const { samples, conditioning, precision, random } of inputs(given)) {
      const n = given.n;
      for (const map of [
        reflectorTransform(randomReflectors(Math.min(3, n), n, random)),
        reflectorTransform({ rows: 0, cols: n, data: new Float64Array(0) }),
        { kind: 'rotations', ...randomRotations(n > 1 ? 5 : 0, n, random) } as const,
      ]) {
        const right = referenceKernels.transform(samples, map, conditioning, precision);
        expectClose(native.transform(samples, map, conditioning, precision), right, close(precision));
      }
    }
  });

  it('sparse codes and their moments as the reference', () => {
    for (const given of cases.filter(({ precision, n }) => precision === 'f64' && n < 80)) {
      for (const { samples, atoms, conditioning } of inputs(given)) {
        const unit = { ...atoms, data: atoms.data.slice() } as Matrix64;
        for (let i = 0; i < atoms.rows; i++) {
          const row = unit.data.subarray(i * atoms.cols, (i + 1) * atoms.cols);
          const norm = Math.hypot(...row);
          for (const [k, x] of row.entries()) row[k] = x / norm;
        }
        const input = { samples, atoms: unit, conditioning };
        const pursued = native.pursue({ ...input, keep: Math.min(given.n, given.K, 3), residual: 0.1 });
        const pursuit = { ...input, keep: Math.min(given.n, given.K, 3), residual: 0.1 };
        expectClose(pursued, referenceKernels.pursue(pursuit), 1e-9);
        expectClose(native.lasso({ ...input, lambda: 0.4 }), referenceKernels.lasso({ ...input, lambda: 0.4 }), 1e-6);
        const moments = native.codeMoments(samples, pursued, given.K, conditioning);
        expectClose(moments, referenceKernels.codeMoments(samples, pursued, given.K, conditioning), 1e-9);
      }
    }
  });

  it.each(PRECISIONS)('multiplies as the reference, fresh and into a matrix: %s', (precision) => {
    const random = createRandom(seed, 'multiply');
    const normal = (rows: number, cols: number) => inPrecision(normalMatrix(rows, cols, random), precision);
    for (const [rows, inner, cols] of [
      [1, 1, 1],
      [3, 5, 2],
      [20, 100, 110],
    ]) {
      const operands = {
        nn: [normal(rows, inner), normal(inner, cols)],
        nt: [normal(rows, inner), normal(cols, inner)],
        tn: [normal(inner, rows), normal(inner, cols)],
      } as const;
      for (const [form, [a, b]] of Object.entries(operands)) {
        for (const factor of [undefined, -2]) {
          const right = referenceKernels.multiply(a, b, form as 'nn', undefined, factor);
          expectClose(native.multiply(a, b, form as 'nn', undefined, factor), right, close(precision));
          const into = normal(rows, cols);
          expect(native.multiply(a, b, form as 'nn', into, factor).data).toBe(into.data);
          expectClose(into, right, close(precision));
        }
      }
      for (const factor of [undefined, 3]) {
        const [, b] = operands.nn;
        const square = native.multiply(b, b, 'tn', undefined, factor);
        expectClose(square, referenceKernels.multiply(b, b, 'tn', undefined, factor), close(precision));
        for (let i = 0; i < cols; i++) {
          for (let j = 0; j < i; j++) expect(square.data[i * cols + j]).toBe(square.data[j * cols + i]);
        }
      }
    }
  });

  it('finds eigenvalues in descending order, and their vectors as rows', () => {
    const values = Float64Array.of(9, 4, 1, 0.5, -2);
    const symmetric = withEigenvalues(values, createRandom(seed, 'eigen'));
    const before = symmetric.data.slice();
    const found = native.eigen!(symmetric)!;
    expectClose(found.values, values, 1e-13);
    expect(symmetric.data).toEqual(before);
    const right = Float64Array.from(found.vectors.data, (x, k) => x * values[Math.floor(k / 5)]);
    expectClose(product(found.vectors, symmetric), { rows: 5, cols: 5, data: right }, 1e-13);
  });

  it('samples whose squares overflow are scaled before they are multiplied', () => {
    for (const precision of PRECISIONS) {
      const samples = inPrecision(normalMatrix(30, 5, createRandom(seed, 'large')), precision);
      const large = precision === 'f32' ? 2 ** 70 : 2 ** 520;
      samples.data.forEach((x, k) => {
        samples.data[k] = large * x;
      });
      const atoms = normalMatrix(4, 5, createRandom(seed, 'atoms'));
      const response: Response = { kind: 'power', norm: 4 };
      const request = { samples, atoms, conditioning: { scale: 1 / large }, response, precision };
      expectClose(native.correlate(request), referenceKernels.correlate(request), close(precision));
      const of = [samples, { scale: 1 / large }, precision] as const;
      expectClose(native.covariance(...of), referenceKernels.covariance(...of), close(precision));
    }
  });

  it('what the BLAS has no part in is computed by the fastest WebAssembly kernels, to the bit', async () => {
    const fastest = supportedKernels()[0] as 'wasm';
    const portable = await portableKernels(fastest);
    const random = createRandom(seed, 'portable');
    const [samples, turned] = [normalMatrix(50, 9, random), normalMatrix(6, 200, random)];
    const map = { kind: 'rotations', ...randomRotations(20, 9, random) } as const;
    const results = [native, portable].map((kernels) => {
      const rows = { ...turned, data: turned.data.slice() };
      kernels.rotatePlanes({
        rows,
        planes: [
          [0, 3],
          [2, 4],
          [3, 5],
        ],
        sums: 'cubic',
        choose: () => [0.6, 0.8],
      });
      return [kernels.transform(samples, map, { scale: 0.7 }, 'f64').data, rows.data];
    });
    expect(results[0]).toEqual(results[1]);
  });

  it('has a name of its own', () => {
    expect(native.name).toBe('native');
  });
});
