/**
 * Kernels written for readability: plain loops in the notation of kernels.ts, float64 sums throughout.
 * The oracle for every fast implementation, and the backend where WebAssembly is missing.
 */
import {
  addScaled,
  type Matrix,
  type Matrix64,
  type Precision,
  row,
  toFloat64,
  transpose,
  zeros,
} from '../core/matrix.ts';
import {
  type CodeMoments,
  type Conditioning,
  type CorrelateRequest,
  type Correlation,
  type FastTransform,
  HISTOGRAM_BINS,
  type HistogramRequest,
  histogramBin,
  type Kernels,
  type LassoRequest,
  type LikelihoodResponse,
  type MeasureRequest,
  type Measures,
  type ProductForm,
  type ProjectByAtomRequest,
  type PursueRequest,
  type Response,
  type RotateRequest,
  type RotationTransform,
  type SampleSizes,
  type SampleSurvey,
  type SparseCodes,
} from './kernels.ts';
import { withCheckedOperands } from './operands.ts';
import { planeSums, rotateRows } from './planes.ts';
import { lasso as lassoCodes } from './reference/lasso.ts';
import { pursue as pursuedCodes } from './reference/pursuit.ts';

/** The readable kernels that all others are tested against. */
export const referenceKernels: Kernels = withCheckedOperands({
  name: 'js',
  multiply,
  covariance,
  correlate,
  histogram,
  measure,
  survey,
  project,
  projectByAtom,
  transform,
  pursue,
  lasso,
  codeMoments,
  rotatePlanes,
});

function multiply<M extends Matrix>(a: M, b: M, form: ProductForm = 'nn', into?: M, factor = 1): M {
  const A = form === 'tn' ? transpose(a) : toFloat64(a);
  const B = form === 'nt' ? transpose(b) : toFloat64(b);
  const product = zeros(A.rows, B.cols);
  for (let i = 0; i < A.rows; i++) {
    const sums = row(product, i);
    for (let l = 0; l < A.cols; l++) {
      const ail = A.data[i * A.cols + l];
      for (let j = 0, at = l * B.cols; j < sums.length; j++, at++) sums[j] += ail * B.data[at];
    }
  }
  for (let i = 0; i < product.data.length; i++) product.data[i] *= factor;
  if (!into) return inPrecision(product, a.data instanceof Float32Array ? 'f32' : 'f64') as M;
  into.data.set(product.data);
  return into;
}

function covariance(samples: Matrix, conditioning: Conditioning): Matrix64 {
  const Y = condition(samples, conditioning);
  return multiply(Y, Y, 'tn');
}

function correlate({ samples, atoms, conditioning, response, gram, counts }: CorrelateRequest): Correlation {
  const Y = condition(samples, conditioning);
  const X = multiply(Y, { ...atoms, data: Float64Array.from(atoms.data) }, 'nt');
  const counted = counts && response.kind === 'mask' && { counts: countSizes(X, Y, response, counts) };
  const sums = response.kind === 'likelihood' ? weigh(X, response) : respondTo(X, Y, response);
  return { correlation: multiply(X, Y, 'tn'), ...sums, ...(gram && { gram: multiply(X, X, 'tn') }), ...counted };
}

/** Replaces X by its power or its masked codes, in place. */
function respondTo(X: Matrix64, Y: Matrix64, response: CodeResponse): Pick<Correlation, 'values' | 'sums'> {
  const values = new Float64Array(X.cols);
  const sums = { kept: new Float64Array(X.cols), rejected: new Float64Array(X.cols) };
  for (let j = 0; j < X.rows; j++) {
    const c = response.kind === 'mask' ? relativeSize(Y, j, response) : 1;
    for (let i = 0; i < X.cols; i++) {
      const x = X.data[j * X.cols + i];
      const { phi, value } = respond(response, x, i, c);
      X.data[j * X.cols + i] = phi;
      values[i] += value;
      if (value === 0) sums.rejected[i] += x;
      else sums.kept[i] += x;
    }
  }
  return { values, ...(response.kind === 'mask' && { sums }) };
}

/** A response that needs no other code of its sample. */
type CodeResponse = Exclude<Response, LikelihoodResponse>;

function respond(response: CodeResponse, x: number, atom: number, c: number): { phi: number; value: number } {
  if (response.kind === 'power') {
    const phi = Math.sign(x) * Math.abs(x) ** (response.norm - 1);
    return { phi, value: phi * x };
  }
  const kept = c > 0 && Math.abs(x) > response.thresholds[atom] * c;
  return kept ? { phi: x, value: 1 } : { phi: 0, value: 0 };
}

/** Replaces X by its response by likelihood, in place. */
function weigh(X: Matrix64, response: LikelihoodResponse): Pick<Correlation, 'values' | 'likelihood'> {
  const { theta, spike, slab, spread, meanEnergy, leastEnergy = 0 } = response;
  const [values, spikeEnergy, slope] = Array.from({ length: 3 }, () => new Float64Array(X.cols));
  let live = 0;
  for (let j = 0; j < X.rows; j++) {
    const codes = row(X, j);
    const energy = codes.reduce((sum, x) => sum + x * x, 0);
    if (energy <= leastEnergy) {
      codes.fill(0);
      continue;
    }
    live++;
    const c2 = spread === undefined ? 1 : (energy / meanEnergy + spread) / (1 + spread);
    const t2 = spike * c2;
    const s2 = Math.max(slab, 1.01 * t2);
    const d = 1 / t2 - 1 / s2;
    const a = Math.log((1 - theta) / theta) + 0.5 * Math.log(s2 / t2);
    for (let i = 0; i < X.cols; i++) {
      const x = codes[i];
      const r = 1 / (1 + Math.exp(0.5 * d * x * x - a));
      const weight = spike * (1 / s2 + r * d);
      codes[i] = weight * x;
      values[i] += r;
      spikeEnergy[i] += (r * x * x) / c2;
      slope[i] += weight - spike * d * r * (1 - r) * (d * x * x);
    }
  }
  return { values, likelihood: { spikeEnergy, slope, live } };
}

function histogram({ samples, atoms, conditioning, ...sizes }: HistogramRequest): Float64Array {
  const Y = condition(samples, conditioning);
  const X = multiply(Y, { ...atoms, data: Float64Array.from(atoms.data) }, 'nt');
  return countSizes(X, Y, sizes);
}

function countSizes(X: Matrix64, Y: Matrix64, sizes: SampleSizes, samples = X.rows): Float64Array {
  const counts = new Float64Array(X.cols * HISTOGRAM_BINS);
  for (let j = 0; j < Math.min(samples, X.rows); j++) {
    const c = relativeSize(Y, j, sizes);
    if (c === 0) continue;
    for (let i = 0; i < X.cols; i++) counts[i * HISTOGRAM_BINS + histogramBin(X.data[j * X.cols + i] / c)]++;
  }
  return counts;
}

function measure({ samples, atoms, conditioning, thresholds, norm, ...sizes }: MeasureRequest): Measures {
  const Y = condition(samples, conditioning);
  const X = multiply(Y, { ...atoms, data: Float64Array.from(atoms.data) }, 'nt');
  const measures = { kept: new Float64Array(atoms.rows), powers: new Float64Array(atoms.rows) };
  for (let j = 0; j < X.rows; j++) {
    const c = relativeSize(Y, j, sizes);
    for (let i = 0; i < X.cols; i++) {
      const size = Math.abs(X.data[j * X.cols + i]);
      if (c > 0 && size > thresholds[i] * c) measures.kept[i]++;
      measures.powers[i] += size ** norm;
    }
  }
  return measures;
}

function survey(samples: Matrix, conditioning: Conditioning, moments = false): SampleSurvey {
  const { rows, cols, data } = condition(samples, conditioning);
  const seen = { finite: data.every(Number.isFinite), largest: 0, zeroSamples: 0, normSum: 0 };
  const sum = new Float64Array(cols);
  for (let i = 0; i < rows; i++) {
    let largest = 0;
    let square = 0;
    for (let j = 0; j < cols; j++) {
      const y = data[i * cols + j];
      largest = Math.max(largest, Math.abs(y));
      square += y * y;
      sum[j] += y;
    }
    if (largest === 0) seen.zeroSamples++;
    seen.largest = Math.max(seen.largest, largest);
    seen.normSum += Math.sqrt(square);
  }
  return { ...seen, sum, ...(moments && { gram: covariance(samples, conditioning) }) };
}

function project(samples: Matrix, atoms: Matrix, conditioning: Conditioning, precision: Precision): Matrix {
  const codes = multiply(condition(samples, conditioning), { ...atoms, data: Float64Array.from(atoms.data) }, 'nt');
  return inPrecision(codes, precision);
}

function projectByAtom({ samples, atoms, conditioning, codes, start }: ProjectByAtomRequest): number {
  const X = multiply({ ...atoms, data: Float64Array.from(atoms.data) }, condition(samples, conditioning), 'nt');
  for (let i = 0; i < X.rows; i++) codes.data.set(row(X, i), i * codes.cols + start);
  return X.data.reduce((sum, x) => sum + x ** 4, 0);
}

function transform(samples: Matrix, map: FastTransform, conditioning: Conditioning, precision: Precision): Matrix {
  const Y = condition(samples, conditioning);
  if (map.kind === 'rotations') return inPrecision(rotated(Y, map), precision);
  return inPrecision(addScaled(Y, -1, multiply(multiply(Y, map.reflectors, 'nt'), map.combined)), precision);
}

/** Rotates the samples; overwrites Y. */
function rotated(Y: Matrix64, { rotations, order, signs }: RotationTransform): Matrix64 {
  const out = zeros(Y.rows, Y.cols);
  for (let b = 0; b < Y.rows; b++) {
    const y = Y.data.subarray(b * Y.cols, (b + 1) * Y.cols);
    for (let r = 0; r < rotations.rows; r++) {
      const [i, j, c, s] = rotations.data.subarray(4 * r, 4 * r + 4);
      [y[i], y[j]] = [c * y[i] + s * y[j], c * y[j] - s * y[i]];
    }
    for (let k = 0; k < Y.cols; k++) out.data[b * Y.cols + k] = signs[k] * y[order[k]];
  }
  return out;
}

function pursue({ samples, atoms, conditioning, keep, residual }: PursueRequest): SparseCodes {
  const Y = condition(samples, conditioning);
  return pursuedCodes(multiply(Y, atoms, 'nt'), energies(Y), multiply(atoms, atoms, 'nt'), keep, residual);
}

function lasso({ samples, atoms, conditioning, lambda }: LassoRequest): SparseCodes {
  const Y = condition(samples, conditioning);
  return lassoCodes(multiply(Y, atoms, 'nt'), energies(Y), multiply(atoms, atoms, 'nt'), lambda);
}

function codeMoments(
  samples: Matrix,
  { starts, atoms, values }: SparseCodes,
  components: number,
  conditioning: Conditioning,
): CodeMoments {
  const Y = condition(samples, conditioning);
  const gram = zeros(components, components);
  const correlation = zeros(components, Y.cols);
  for (let j = 0; j < Y.rows; j++) {
    for (let s = starts[j]; s < starts[j + 1]; s++) {
      const [k, x] = [atoms[s], values[s]];
      for (let i = 0; i < Y.cols; i++) correlation.data[k * Y.cols + i] += x * Y.data[j * Y.cols + i];
      for (let t = starts[j]; t < starts[j + 1]; t++) gram.data[k * components + atoms[t]] += x * values[t];
    }
  }
  return { gram, correlation };
}

function rotatePlanes({ rows, planes, sums, choose }: RotateRequest): void {
  for (const [i, j] of planes) {
    const rotation = choose(planeSums(rows, i, j, sums));
    if (rotation) rotateRows(rows, i, j, ...rotation);
  }
}

function condition(samples: Matrix, { offset, scale }: Conditioning): Matrix64 {
  const { rows, cols, data } = samples;
  const out = zeros(rows, cols);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) out.data[i * cols + j] = (data[i * cols + j] - (offset?.[j] ?? 0)) * scale;
  }
  return out;
}

/** ‖y‖² of every sample. */
const energies = (Y: Matrix64): Float64Array => Float64Array.from({ length: Y.rows }, (_, j) => norm(Y, j) ** 2);

/** c_j */
function relativeSize(Y: Matrix64, j: number, { meanNorm, leastNorm = 0 }: SampleSizes): number {
  return Math.max(norm(Y, j), leastNorm) / meanNorm;
}

function norm(Y: Matrix64, j: number): number {
  let sum = 0;
  for (let i = j * Y.cols; i < (j + 1) * Y.cols; i++) sum += Y.data[i] * Y.data[i];
  return Math.sqrt(sum);
}

function inPrecision(matrix: Matrix64, precision: Precision): Matrix {
  return precision === 'f64' ? matrix : { ...matrix, data: Float32Array.from(matrix.data) };
}
