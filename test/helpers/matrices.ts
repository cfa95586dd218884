/** Matrices of known structure, with the products and norms to check them: plain loops, no kernel under test. */
import { identity, type Matrix, type Matrix64, maxDifference, scaleRows, transpose, zeros } from '#src/core/matrix.ts';
import { normalMatrix, type Random } from '#src/core/random.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';

export function product(a: Matrix, b: Matrix): Matrix64 {
  const out = zeros(a.rows, b.cols);
  for (let i = 0; i < a.rows; i++) {
    for (let l = 0; l < a.cols; l++) {
      const x = a.data[i * a.cols + l];
      for (let j = 0; j < b.cols; j++) out.data[i * b.cols + j] += x * b.data[l * b.cols + j];
    }
  }
  return out;
}

export function maxAbs({ data }: Matrix): number {
  let max = 0;
  for (const x of data) max = Math.max(max, Math.abs(x));
  return max;
}

/** Frobenius norm, safe from overflow and underflow. */
export function frobenius(matrix: Matrix): number {
  const largest = maxAbs(matrix);
  let sum = 0;
  for (const x of matrix.data) sum += largest > 0 ? (x / largest) ** 2 : 0;
  return largest * Math.sqrt(sum);
}

export function scaled(matrix: Matrix, factor: number): Matrix64 {
  return scaleRows(matrix, new Float64Array(matrix.rows).fill(factor));
}

/** max |A Aᵀ − I| over the rows of A. */
export function orthonormalityError(A: Matrix): number {
  return maxDifference(product(A, transpose(A)), identity(A.rows));
}

export function diagonal(values: ArrayLike<number>): Matrix64 {
  return scaleRows(identity(values.length), values);
}

/** A matrix U diag(values) Vᵀ with Haar distributed U and V. */
export function withSingularValues(values: ArrayLike<number>, random: Random): Matrix64 {
  const n = values.length;
  return product(randomOrthogonal(n, random), scaleRows(randomOrthogonal(n, random), values));
}

/** A matrix Vᵀ diag(values) V with orthogonal V. */
export function withEigenvalues(values: ArrayLike<number>, random: Random): Matrix64 {
  const V = randomOrthogonal(values.length, random);
  return symmetrised(product(transpose(V), scaleRows(V, values)));
}

export function symmetrised(matrix: Matrix64): Matrix64 {
  const other = transpose(matrix);
  return { ...matrix, data: matrix.data.map((x, i) => 0.5 * x + 0.5 * other.data[i]) };
}

/** n values from 1 to 1/condition in geometric progression. */
export function geometric(n: number, condition: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => condition ** (n === 1 ? 0 : -i / (n - 1)));
}

export function randomPermutation(n: number, random: Random, signed: boolean): Matrix64 {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const k = random.integer(i + 1);
    [order[i], order[k]] = [order[k], order[i]];
  }
  const P = zeros(n, n);
  order.forEach((k, i) => {
    P.data[i * n + k] = signed && random.uniform() < 0.5 ? -1 : 1;
  });
  return P;
}

export function lowRank(n: number, rank: number, random: Random): Matrix64 {
  return product(normalMatrix(n, rank, random), normalMatrix(rank, n, random));
}

/** m unit rows of length n. */
export function randomReflectors(m: number, n: number, random: Random): Matrix64 {
  const U = normalMatrix(m, n, random);
  const norms = Array.from({ length: m }, (_, k) => Math.hypot(...U.data.subarray(k * n, (k + 1) * n)));
  return scaleRows(
    U,
    norms.map((norm) => 1 / norm),
  );
}

/** Rotations of random pairs by random angles, with a random order and random signs. */
export function randomRotations(count: number, n: number, random: Random) {
  const P = randomPermutation(n, random, true);
  const nonZeros = Array.from({ length: n }, (_, k) => P.data.subarray(k * n, (k + 1) * n).findIndex((x) => x !== 0));
  const rotations = zeros(n > 1 ? count : 0, 4);
  for (let r = 0; r < rotations.rows; r++) {
    const i = random.integer(n);
    const angle = 2 * Math.PI * random.uniform();
    const j = (i + 1 + random.integer(n - 1)) % n;
    rotations.data.set([i, j, Math.cos(angle), Math.sin(angle)], 4 * r);
  }
  const order = Int32Array.from(nonZeros);
  return { rotations, order, signs: Float64Array.from(nonZeros, (place, k) => P.data[k * n + place]) };
}
