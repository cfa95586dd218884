/**
 * Dense symmetric tensors of third order, T_abc with all d³ entries in C order.
 *
 *     T(A, A, A)_ijk = Σ_abc A_ia A_jb A_kc T_abc
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, transpose } from '../../core/matrix.ts';
import { describeForm, firstNotFinite, requireMatrixForm, requireNumbers } from '../../core/require-matrix.ts';
import { largestMagnitude, requireScale } from '../../core/scale.ts';
import type { Kernels } from '../../kernels/kernels.ts';

/** A d×d×d tensor whose entries do not depend on the order of their indices. */
export interface SymmetricTensor {
  /** d */
  readonly size: number;
  /** The d³ entries. */
  readonly data: Float64Array;
}

/** Entries that should be equal by symmetry may differ by this share of the largest: float32 rounding. */
const ASYMMETRY = 1e-6;

/**
 * Checks shape, numbers and symmetry; entries that differ by rounding are replaced by their mean.
 *
 * @example
 * ```js
 * import { symmetricTensor } from 'orthodict';
 *
 * const tensor = symmetricTensor([2, 2, 2], Float64Array.of(3, 0, 0, 0, 0, 0, 0, 2));
 * console.log(tensor.size); // 2
 * ```
 */
export function symmetricTensor(
  shape: readonly number[],
  values: ArrayLike<number>,
  who = 'symmetricTensor',
  name = 'T',
): SymmetricTensor {
  requireNumbers(who, 'shape', shape);
  requireNumbers(who, name, values);
  const [d] = shape;
  if (shape.length !== 3 || shape[1] !== d || shape[2] !== d || !(d > 0)) {
    throw inputError(who, name, 'd × d × d', shape.length === 0 ? 'a single number' : shape.join(' × '));
  }
  const { data } = requireTensor(who, name, { size: d, data: Float64Array.from(values) });
  for (const equal of equalEntries(d)) {
    const mean = equal.reduce((sum, at) => sum + data[at], 0) / 6;
    for (const at of equal) data[at] = mean;
  }
  return { size: d, data };
}

/** Checks that it is a tensor of finite numbers, symmetric up to rounding. */
export function requireTensor(who: string, name: string, value: unknown): SymmetricTensor {
  const { size: d, data } = (value ?? {}) as Partial<SymmetricTensor>;
  if (!(data instanceof Float64Array && Number.isSafeInteger(d) && d! > 0)) {
    throw inputError(who, name, 'a tensor {size, data: Float64Array}', describeForm(value));
  }
  const size = d!;
  if (data.length !== size ** 3) {
    throw inputError(who, name, `${size ** 3} numbers (${size} × ${size} × ${size})`, data.length);
  }
  const place = (at: number) => `(${Math.floor(at / (size * size))}, ${Math.floor(at / size) % size}, ${at % size})`;
  const bad = firstNotFinite(data);
  if (bad >= 0) throw inputError(who, name, 'finite', `${data[bad]} at ${place(bad)}`);
  const largest = largestMagnitude(data);
  requireScale(who, name, largest, 2); // residuals are sums of squares
  const slack = ASYMMETRY * largest;
  for (const [first, ...others] of equalEntries(size)) {
    const odd = others.find((at) => Math.abs(data[at] - data[first]) > slack);
    if (odd === undefined) continue;
    const got = `${data[first]} at ${place(first)} but ${data[odd]} at ${place(odd)}`;
    throw inputError(who, name, 'symmetric', got);
  }
  return value as SymmetricTensor;
}

/** The six places of every entry. */
function* equalEntries(d: number): Generator<number[]> {
  for (let a = 0; a < d; a++) {
    for (let b = 0; b <= a; b++) for (let c = 0; c <= b; c++) yield permutations(d, a, b, c);
  }
}

/** The places of the six orders of three indices. */
function permutations(d: number, a: number, b: number, c: number): number[] {
  const at = (x: number, y: number, z: number) => (x * d + y) * d + z;
  return [at(a, b, c), at(a, c, b), at(b, a, c), at(b, c, a), at(c, a, b), at(c, b, a)];
}

/**
 * Σ_r w_r v_r ⊗ v_r ⊗ v_r of the rows of V.
 *
 * @example
 * ```js
 * import { fromFactors, fromRows } from 'orthodict';
 *
 * const { size, data } = fromFactors(fromRows([[1, 0], [0, 1]]), [3, 2]); // 3 e⊗e⊗e + 2 f⊗f⊗f
 * console.log(size, data.join(' ')); // 2 3 0 0 0 0 0 0 2
 * ```
 */
export function fromFactors(V: Matrix64, weights: ArrayLike<number>): SymmetricTensor {
  requireMatrixForm('fromFactors', 'V', V);
  requireNumbers('fromFactors', 'weights', weights);
  const d = V.cols;
  const data = new Float64Array(d ** 3);
  for (let r = 0; r < V.rows; r++) addCube({ size: d, data }, weights[r], V.data.subarray(r * d, (r + 1) * d));
  return { size: d, data };
}

/** T ← T + w v ⊗ v ⊗ v */
export function addCube({ size: d, data }: SymmetricTensor, w: number, v: Float64Array): void {
  for (let a = 0, at = 0; a < d; a++) {
    for (let b = 0; b < d; b++) {
      const factor = w * v[a] * v[b];
      for (let c = 0; c < d; c++, at++) data[at] += factor * v[c];
    }
  }
}

/** T(A, A, A): a product over the first index moves it to the end, so three of them restore the order. */
export function transformTensor({ size, data }: SymmetricTensor, A: Matrix64, kernels: Kernels): SymmetricTensor {
  const At = transpose(A);
  let current = data;
  for (let mode = 0; mode < 3; mode++) {
    current = kernels.multiply({ rows: size, cols: current.length / size, data: current }, At, 'tn').data;
  }
  return { size: A.rows, data: current };
}

/** T(a, a, a) of every row a of A. */
export function cubeWeights({ size: d, data }: SymmetricTensor, A: Matrix64, kernels: Kernels): Float64Array {
  const once = kernels.multiply({ rows: d * d, cols: d, data }, A, 'nt'); // Σ_c T_abc A_ic
  return Float64Array.from({ length: A.rows }, (_, i) => {
    let sum = 0;
    for (let a = 0, at = i; a < d; a++) {
      let inner = 0;
      for (let b = 0; b < d; b++, at += A.rows) inner += A.data[i * d + b] * once.data[at];
      sum += A.data[i * d + a] * inner;
    }
    return sum;
  });
}

/** T ← T(R, R, R) in place, 3d² pairs of numbers. */
export function rotateTensor({ size: d, data }: SymmetricTensor, i: number, j: number, c: number, s: number): void {
  rotatePairs(data, i * d * d, j * d * d, 1, d * d, c, s);
  for (let a = 0; a < d; a++) rotatePairs(data, (a * d + i) * d, (a * d + j) * d, 1, d, c, s);
  rotatePairs(data, i, j, d, d * d, c, s);
}

function rotatePairs(
  data: Float64Array,
  first: number,
  second: number,
  stride: number,
  count: number,
  c: number,
  s: number,
): void {
  for (let k = 0, a = first, b = second; k < count; k++, a += stride, b += stride) {
    const x = data[a];
    const y = data[b];
    data[a] = c * x + s * y;
    data[b] = c * y - s * x;
  }
}

/** Changes the sign of coordinate i, in place. */
export function flipTensor({ size: d, data }: SymmetricTensor, i: number): void {
  for (let a = 0, at = 0; a < d; a++) {
    for (let b = 0; b < d; b++) {
      for (let c = 0; c < d; c++, at++) {
        if ((a === i) !== ((b === i) !== (c === i))) data[at] = -data[at];
      }
    }
  }
}
