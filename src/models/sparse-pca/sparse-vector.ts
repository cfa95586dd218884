/** A vector of n numbers by its non-zeros, and products with matrices that cost only these. */
import type { Matrix64 } from '../../core/matrix.ts';

/** A sparse vector: entry `at[j]` is `values[j]`, j < size; the arrays have room for n. */
export interface SparseVector {
  size: number;
  readonly at: Int32Array;
  readonly values: Float64Array;
}

export const emptyVector = (n: number): SparseVector => ({
  size: 0,
  at: new Int32Array(n),
  values: new Float64Array(n),
});

/** A vector with all n entries stored, all zero. */
export function fullVector(n: number): SparseVector {
  const vector = emptyVector(n);
  for (let k = 0; k < n; k++) append(vector, k, 0);
  return vector;
}

export function coordinateVector(n: number, k: number): SparseVector {
  const vector = emptyVector(n);
  append(vector, k, 1);
  return vector;
}

export function sparseVector(dense: Float64Array): SparseVector {
  const vector = emptyVector(dense.length);
  for (let k = 0; k < dense.length; k++) if (dense[k] !== 0) append(vector, k, dense[k]);
  return vector;
}

export function append(vector: SparseVector, k: number, value: number): void {
  vector.at[vector.size] = k;
  vector.values[vector.size++] = value;
}

/** The product Σ x_k v_k, where v begins at `from` in `data`. */
export function sparseDot({ size, at, values }: SparseVector, data: Float64Array, from = 0): number {
  let sum = 0;
  for (let j = 0; j < size; j++) sum += values[j] * data[from + at[j]];
  return sum;
}

/** ‖x‖². */
export function squareOf({ size, values }: SparseVector): number {
  let sum = 0;
  for (let j = 0; j < size; j++) sum += values[j] * values[j];
  return sum;
}

/** Adds Σ_k x_k · row k to `out`, four rows at a time, to visit `out` less often. */
export function addRows({ size, at, values }: SparseVector, { cols, data }: Matrix64, out: Float64Array): void {
  let j = 0;
  for (; j + 3 < size; j += 4) {
    const a = values[j];
    const b = values[j + 1];
    const c = values[j + 2];
    const d = values[j + 3];
    const p = at[j] * cols;
    const q = at[j + 1] * cols;
    const r = at[j + 2] * cols;
    const s = at[j + 3] * cols;
    for (let k = 0; k < cols; k++) out[k] += a * data[p + k] + b * data[q + k] + c * data[r + k] + d * data[s + k];
  }
  for (; j < size; j++) {
    const a = values[j];
    const p = at[j] * cols;
    for (let k = 0; k < cols; k++) out[k] += a * data[p + k];
  }
}
