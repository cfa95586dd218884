/**
 * Kernels that use a system BLAS for products. Everything in between (conditioning, responses, histograms) comes from
 * the WebAssembly kernels. Blocks live in their memory, so a block is copied once and nothing the size of the data is
 * stored.
 */
import { type FloatArray, type Matrix, type Matrix64, type Precision, precisionOf } from '../../../core/matrix.ts';
import type {
  Conditioning,
  CorrelateRequest,
  Correlation,
  HistogramRequest,
  Kernels,
  ProductForm,
  ProjectByAtomRequest,
  ReflectorTransform,
  SymmetricEigen,
} from '../../../kernels/kernels.ts';
import { withCheckedOperands } from '../../../kernels/operands.ts';
import { bytesPer } from '../../../kernels/wasm/arena.ts';
import { panelsFor, panelWidth, SampleBlocks } from '../../../kernels/wasm/blocks.ts';
import { copyCodes } from '../../../kernels/wasm/codes.ts';
import { Counts } from '../../../kernels/wasm/counts.ts';
import { createMachine, isSupported, type Machine } from '../../../kernels/wasm/module.ts';
import { normsFor, Responder } from '../../../kernels/wasm/responder.ts';
import { blocksToMatrix, rotate } from '../../../kernels/wasm/transform.ts';
import { turnPlanes } from '../../../kernels/wasm/turn-planes.ts';
import { SAMPLE_BYTES } from '../../../kernels/wasm.ts';
import type { Blas, SymmetricSolver } from './blas.ts';
import { Codes, gemmOf, Sums } from './products.ts';

export async function createNativeKernels(blas: Blas, sampleBytes = SAMPLE_BYTES): Promise<Kernels> {
  const machine = await createMachine(isSupported('relaxed') ? 'relaxed' : 'baseline', sampleBytes);
  blas.setThreads(1);
  return withCheckedOperands({
    name: 'native',
    ...(blas.eigen && { eigen: (symmetric: Matrix64) => eigen(blas.eigen!, symmetric) }),
    multiply: (a, b, form) => multiply(blas, a, b, form),
    covariance: (samples, conditioning, precision) => covariance(blas, machine, samples, conditioning, precision),
    correlate: (request) => correlate(blas, machine, request),
    histogram: (request) => histogram(blas, machine, request),
    project: (samples, atoms, conditioning, precision) =>
      project(blas, machine, samples, atoms, conditioning, precision),
    projectByAtom: (request) => projectByAtom(blas, machine, request),
    transform: (samples, map, conditioning, precision) =>
      map.kind === 'reflectors'
        ? reflect(blas, machine, samples, map, conditioning, precision)
        : rotate(machine, samples, map, conditioning, precision),
    turnPlanes: (request) => turnPlanes(machine, request),
  });
}

function multiply<M extends Matrix>(blas: Blas, a: M, b: M, form: ProductForm = 'nn'): M {
  const [transposeA, transposeB] = [form === 'tn', form === 'nt'];
  const rows = transposeA ? a.cols : a.rows;
  const inner = transposeA ? a.rows : a.cols;
  const cols = transposeB ? b.rows : b.cols;
  const data = precisionOf(a) === 'f32' ? new Float32Array(rows * cols) : new Float64Array(rows * cols);
  gemmOf(blas, precisionOf(a))(
    transposeA,
    transposeB,
    rows,
    cols,
    inner,
    a.data,
    a.cols,
    b.data,
    b.cols,
    0,
    data,
    cols,
  );
  return { rows, cols, data } as Matrix as M;
}

function covariance(blas: Blas, machine: Machine, samples: Matrix, conditioning: Conditioning, precision: Precision) {
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, {});
  const sums = new Sums(blas, blocks, machine, samples.cols, samples.cols);
  blocks.forEach((rows) => {
    sums.addSquare(rows);
  });
  return mirrored(sums.read());
}

function correlate(blas: Blas, machine: Machine, request: CorrelateRequest): Correlation {
  const { samples, atoms, conditioning, response, precision, gram = false, counts = false } = request;
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, { norms: normsFor(response) });
  const codes = new Codes(blas, blocks, machine, atoms);
  const responder = new Responder(machine, blocks, response, atoms.rows, codes.stride);
  const sums = new Sums(blas, blocks, machine, atoms.rows, samples.cols);
  const gramSums = gram ? new Sums(blas, blocks, machine, atoms.rows, atoms.rows) : undefined;
  const counted =
    counts && response.kind === 'mask'
      ? new Counts(machine, blocks, atoms.rows, codes.stride, response.meanNorm)
      : undefined;
  blocks.forEach((rows) => {
    codes.compute(rows);
    codes.forEachStrip((strip, first) => {
      counted?.add(strip, rows, first, atoms.rows - first);
      responder.apply(strip, rows, first);
    });
    sums.add(codes.at, codes.stride, atoms.rows, rows);
    gramSums?.add(codes.at, codes.stride, atoms.rows, rows, codes.at, codes.stride);
  });
  return {
    correlation: sums.read(),
    ...responder.read(),
    ...(gramSums && { gram: mirrored(gramSums.read()) }),
    ...(counted && { counts: counted.read() }),
  };
}

function histogram(blas: Blas, machine: Machine, request: HistogramRequest): Float64Array {
  const { samples, atoms, conditioning, meanNorm, leastNorm = 0 } = request;
  const blocks = new SampleBlocks(machine, samples, conditioning, 'f64', { norms: { least: leastNorm } });
  const codes = new Codes(blas, blocks, machine, atoms);
  const counts = new Counts(machine, blocks, atoms.rows, codes.stride, meanNorm);
  blocks.forEach((rows) => {
    codes.compute(rows);
    codes.forEachStrip((strip, first) => counts.add(strip, rows, first, atoms.rows - first));
  });
  return counts.read();
}

function project(
  blas: Blas,
  machine: Machine,
  samples: Matrix,
  atoms: Matrix,
  conditioning: Conditioning,
  precision: Precision,
): Matrix {
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, {});
  const codes = new Codes(blas, blocks, machine, atoms);
  const length = samples.rows * atoms.rows;
  const data: FloatArray = precision === 'f32' ? new Float32Array(length) : new Float64Array(length);
  const width = codes.stride / bytesPer(precision);
  blocks.forEach((rows, first) => {
    codes.compute(rows);
    const block = machine.arena.view(codes.at, rows * width, precision);
    for (let i = 0; i < rows; i++) {
      data.set(block.subarray(i * width, i * width + atoms.rows), (first + i) * atoms.rows);
    }
  });
  return { rows: samples.rows, cols: atoms.rows, data };
}

/** A Yᵀ, block after block. */
function projectByAtom(
  blas: Blas,
  machine: Machine,
  { samples, atoms, conditioning, codes, start }: ProjectByAtomRequest,
): void {
  const { arena } = machine;
  const bytes = bytesPer('f64');
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
  copyCodes(machine, { at: out, width, samples: samples.rows }, codes, start);
}

/** Y − (Y Uᵀ) W, overwriting the conditioned samples. */
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
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, {});
  const codes = new Codes(blas, blocks, machine, reflectors);
  const subtracted = arena.put(
    combined.data.map((w) => -w),
    precision,
  );
  const bytes = bytesPer(precision);
  const [codesWidth, width] = [codes.stride / bytes, blocks.stride / bytes];
  return blocksToMatrix(machine, blocks, samples, (rows) => {
    if (m === 0) return;
    codes.compute(rows);
    const X = arena.view(codes.at, rows * codesWidth, precision);
    const W = arena.view(subtracted, m * n, precision);
    const Y = arena.view(blocks.conditioned, rows * width, precision);
    gemmOf(blas, precision)(false, false, rows, n, m, X, codesWidth, W, n, 1, Y, width);
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

/** Makes LᵀL exactly symmetric by copying its upper half: the halves may differ in the last bits. */
function mirrored(square: Matrix64): Matrix64 {
  const n = square.rows;
  for (let i = 1; i < n; i++) for (let j = 0; j < i; j++) square.data[i * n + j] = square.data[j * n + i];
  return square;
}
