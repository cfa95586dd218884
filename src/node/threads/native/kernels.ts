/**
 * Kernels that use a system BLAS for products. Everything in between (conditioning, responses, histograms) comes from
 * the WebAssembly kernels. Blocks live in their memory, so a block is copied once and nothing the size of the data is
 * stored.
 */
import {
  bytesPerNumber,
  type FloatArray,
  type Matrix,
  type Matrix64,
  newNumbers,
  type Precision,
  precisionOf,
} from '../../../core/matrix.ts';
import type {
  Conditioning,
  Kernels,
  LassoRequest,
  ProductForm,
  ProjectByAtomRequest,
  PursueRequest,
  ReflectorTransform,
  SymmetricEigen,
} from '../../../kernels/kernels.ts';
import { withCheckedOperands } from '../../../kernels/operands.ts';
import { panelsFor, panelWidth, SampleBlocks } from '../../../kernels/wasm/blocks.ts';
import { codeMoments } from '../../../kernels/wasm/code-moments.ts';
import { histogram, measure } from '../../../kernels/wasm/code-sizes.ts';
import { compileKernels } from '../../../kernels/wasm/compile.ts';
import { createMachine, type Machine } from '../../../kernels/wasm/module.ts';
import { copyCodes } from '../../../kernels/wasm/project.ts';
import { rotatePlanes } from '../../../kernels/wasm/rotate-planes.ts';
import { lassoOf, pursuitOf, sparseCodes } from '../../../kernels/wasm/sparse-codes.ts';
import { isSupported } from '../../../kernels/wasm/supported.ts';
import { survey } from '../../../kernels/wasm/survey.ts';
import { blocksToMatrix, rotate } from '../../../kernels/wasm/transform.ts';
import type { Blas, RankUpdate, SymmetricSolver } from './blas.ts';
import { correlateByProducts } from './correlate.ts';
import { productCovariance, surveyWithProducts } from './moments.ts';
import { Codes, conditionedRows, gemmOf, mirrored, openProductCodes } from './products.ts';

export async function createNativeKernels(blas: Blas, sampleBytes?: number): Promise<Kernels> {
  const compiled = await compileKernels(isSupported('relaxed') ? 'relaxed' : 'baseline');
  const machine = await createMachine(compiled, sampleBytes);
  const open = openProductCodes(blas);
  const gramOf = ({ atoms }: PursueRequest | LassoRequest) => multiply(blas, atoms, atoms, 'nt');
  blas.setThreads(1);
  return withCheckedOperands({
    name: 'native',
    ...(blas.eigen && { eigen: (symmetric: Matrix64) => eigen(blas.eigen!, symmetric) }),
    multiply: (a, b, form, into, factor) => multiply(blas, a, b, form, into, factor),
    covariance: (samples, conditioning, precision) =>
      productCovariance(blas, machine, samples, conditioning, precision),
    correlate: (request) => correlateByProducts(blas, machine, request),
    histogram: (request) => histogram(open, machine, request),
    measure: (request) => measure(open, machine, request),
    survey: (samples, conditioning, moments) =>
      moments ? surveyWithProducts(blas, machine, samples, conditioning) : survey(machine, samples, conditioning),
    project: (samples, atoms, conditioning, precision) =>
      project(blas, machine, samples, atoms, conditioning, precision),
    projectByAtom: (request) => projectByAtom(blas, machine, request),
    transform: (samples, map, conditioning, precision) =>
      map.kind === 'reflectors'
        ? reflect(blas, machine, samples, map, conditioning, precision)
        : rotate(machine, samples, map, conditioning, precision),
    pursue: (request) => sparseCodes(open, machine, request, gramOf(request), pursuitOf(request)),
    lasso: (request) => sparseCodes(open, machine, request, gramOf(request), lassoOf(request)),
    codeMoments: (samples, codes, components, conditioning) =>
      codeMoments(machine, samples, codes, components, conditioning),
    rotatePlanes: (request) => rotatePlanes(machine, request),
  });
}

/** Least size for which half of a symmetric product is cheaper than all of it. */
const HALF_FROM = 96;

function multiply<M extends Matrix>(blas: Blas, a: M, b: M, form: ProductForm = 'nn', into?: M, factor = 1): M {
  const [transposeA, transposeB] = [form === 'tn', form === 'nt'];
  const rows = transposeA ? a.cols : a.rows;
  const inner = transposeA ? a.rows : a.cols;
  const cols = transposeB ? b.rows : b.cols;
  const precision = precisionOf(a);
  const length = rows * cols;
  const data = into?.data ?? newNumbers(precision, length);
  const product = (into ?? { rows, cols, data }) as Matrix as M;
  const square = a === b && transposeA;
  if (square && cols >= HALF_FROM && factor === 1) {
    (blas.rankUpdate[precision] as RankUpdate<FloatArray>)(cols, inner, a.data, cols, 0, data, cols);
    return mirrored(product);
  }
  const gemm = gemmOf(blas, precision);
  gemm(transposeA, transposeB, rows, cols, inner, a.data, a.cols, b.data, b.cols, 0, data, cols, factor);
  return square ? mirrored(product) : product;
}

function project(
  blas: Blas,
  machine: Machine,
  samples: Matrix,
  atoms: Matrix,
  conditioning: Conditioning,
  precision: Precision,
): Matrix {
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { tight: true });
  const codes = new Codes(blas, blocks, machine, atoms, false);
  const length = samples.rows * atoms.rows;
  const data: FloatArray = newNumbers(precision, length);
  blocks.forEach((rows, first) => {
    codes.compute(conditionedRows(machine, blocks, rows));
    data.set(machine.arena.view(codes.at, rows * atoms.rows, precision), first * atoms.rows);
  });
  return { rows: samples.rows, cols: atoms.rows, data };
}

/** Computes A Yᵀ block by block. */
function projectByAtom(
  blas: Blas,
  machine: Machine,
  { samples, atoms, conditioning, codes, start }: ProjectByAtomRequest,
): number {
  const { arena } = machine;
  const bytes = bytesPerNumber('f64');
  const blocks = new SampleBlocks(machine, samples, conditioning, 'f64', {});
  const [K, n] = [atoms.rows, atoms.cols];
  const width = panelsFor(samples.rows, 'f64') * panelWidth('f64'); // whole vectors
  const left = arena.put(atoms.data, 'f64');
  const out = arena.take(K * width * bytes);
  const A = arena.view(left, K * n, 'f64');
  const perRow = blocks.stride / bytes;
  blocks.forEach((rows, first) => {
    const Y = arena.view(blocks.conditioned, rows * perRow, 'f64');
    const X = arena.view(out + first * bytes, (K - 1) * width + rows, 'f64');
    gemmOf(blas, 'f64')(false, true, K, rows, n, A, n, Y, perRow, 0, X, width);
  });
  return copyCodes(machine, { at: out, width, samples: samples.rows }, codes, start);
}

/** Computes Y − (Y Uᵀ) W, overwriting the conditioned samples. */
function reflect(
  blas: Blas,
  machine: Machine,
  samples: Matrix,
  { reflectors, combined }: ReflectorTransform,
  conditioning: Conditioning,
  precision: Precision,
): Matrix {
  const { arena } = machine;
  const [m, n] = [reflectors.rows, samples.cols];
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { tight: true });
  const codes = new Codes(blas, blocks, machine, reflectors, false);
  const subtracted = arena.put(
    combined.data.map((w) => -w),
    precision,
  );
  return blocksToMatrix(machine, blocks, samples, (rows) => {
    if (m === 0) return;
    const Y = conditionedRows(machine, blocks, rows);
    const X = codes.compute(Y);
    const W = arena.view(subtracted, m * n, precision);
    gemmOf(blas, precision)(false, false, rows, n, m, X.data, X.width, W, n, 1, Y.data, Y.width);
  });
}

function eigen(solve: SymmetricSolver, symmetric: Matrix64): SymmetricEigen | undefined {
  const n = symmetric.rows;
  const data = symmetric.data.slice();
  const values = new Float64Array(n);
  if (!solve(n, data, values)) return undefined;
  const vectors = { rows: n, cols: n, data: new Float64Array(n * n) };
  for (let i = 0; i < n; i++) vectors.data.set(data.subarray((n - 1 - i) * n, (n - i) * n), i * n);
  return { values: values.reverse(), vectors };
}
