/**
 * How far a kernel may be from the reference: classical rounding bounds, |Δ(AB)| ≤ k·u·|A||B| for inner dimension k and
 * unit roundoff u, so that tolerances are as tight as the operation allows and need no tuned constants.
 */
import { type Matrix, type Matrix64, type Precision, row, toFloat64 } from '#src/core/matrix.ts';
import type { Conditioning, PlaneSums, Response } from '#src/kernels/kernels.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { likelihoodRanges } from './likelihood-ranges.ts';

export const unitRoundoff: Record<Precision, number> = { f32: 2 ** -24, f64: 2 ** -53 };

/** The bounds are of first order and for one of two results; this covers the reference's rounding and higher orders. */
const SLACK = 2;

export function magnitudes(matrix: Matrix): Matrix64 {
  return { ...matrix, data: toFloat64(matrix).data.map(Math.abs) };
}

export function conditioned({ rows, cols, data }: Matrix, { offset, scale }: Conditioning): Matrix64 {
  const out = new Float64Array(data).map((y, i) => (y - (offset?.[i % cols] ?? 0)) * scale);
  return { rows, cols, data: out };
}

/** Entrywise bound for a product with inner dimension k, operands rounded beforehand. */
export function productBound(a: Matrix, b: Matrix, form: 'nn' | 'nt' | 'tn', precision: Precision): Matrix64 {
  const inner = form === 'tn' ? a.rows : a.cols;
  const bound = referenceKernels.multiply(magnitudes(a), magnitudes(b), form);
  for (let i = 0; i < bound.data.length; i++) bound.data[i] *= SLACK * (inner + 6) * unitRoundoff[precision];
  return bound;
}

/** Bound for an orthogonal map of `factors` factors, each a few sums of n terms, relative to the sample's norm. */
export function transformBound(Y: Matrix64, factors: number, precision: Precision): Float64Array {
  return Y.data.map((_, k) => {
    const j = Math.floor(k / Y.cols);
    const norm = Math.hypot(...Y.data.subarray(j * Y.cols, (j + 1) * Y.cols));
    return SLACK * (2 + 4 * factors) * Math.sqrt(Y.cols + 6) * unitRoundoff[precision] * norm;
  });
}

/**
 * Bounds for rows turned in planes, whatever the angles: for their entries, and for sums of their products of degree 3
 * or 4. A column keeps its norm m, and no rounding in it is larger than that of a number of this size.
 */
export function planesBounds(
  X: Matrix,
  planes: number,
  sums: PlaneSums,
  precision: Precision,
): { entries: Float64Array; powers: number } {
  const degree = sums === 'cubic' ? 3 : 4;
  const norms = Array.from({ length: X.cols }, (_, l) =>
    Math.hypot(...Array.from({ length: X.rows }, (_, i) => X.data[i * X.cols + l])),
  );
  const entry = SLACK * 4 * planes * unitRoundoff[precision];
  const largest = norms.reduce((sum, m) => sum + m ** degree, 0);
  return {
    entries: Float64Array.from(X.data, (_, at) => entry * norms[at % X.cols]),
    powers: (degree * entry + SLACK * (X.cols + 6) * unitRoundoff[precision]) * largest,
  };
}

export interface CorrelationBounds {
  readonly correlation: Matrix64;
  readonly values: Float64Array;
  readonly gram: Matrix64;
  /** For the sums of kept and of rejected codes. */
  readonly codeSums: Float64Array;
  /** For the sums of a likelihood. */
  readonly spikeEnergy: Float64Array;
  readonly slope: Float64Array;
  /** Share of codes so close to a threshold that rounding decides. */
  readonly undecided: number;
}

/** Entrywise bounds for the fused pass: error of a code, carried through φ, then summed over the samples. */
export function correlationBounds(Y: Matrix64, A: Matrix, response: Response, precision: Precision): CorrelationBounds {
  const u = unitRoundoff[precision];
  const X = referenceKernels.multiply(Y, { ...A, data: Float64Array.from(A.data) }, 'nt');
  const sizes = referenceKernels.multiply(magnitudes(Y), magnitudes(A), 'nt'); // |Y||A|ᵀ ≥ |X|
  const deltas = productBound(Y, A, 'nt', precision);
  const phi = { ...X, data: new Float64Array(X.data.length) }; // bound of |φ|
  const error = { ...X, data: new Float64Array(X.data.length) }; // bound of |Δφ|
  const [values, spikeEnergy, slope] = Array.from({ length: 3 }, () => new Float64Array(A.rows));
  let undecided = 0;
  for (let j = 0; j < X.rows; j++) {
    const norm = Math.hypot(...Y.data.subarray(j * Y.cols, (j + 1) * Y.cols));
    const c = response.kind === 'mask' ? Math.max(norm, response.leastNorm ?? 0) : 0;
    const ranges =
      response.kind === 'likelihood' ? likelihoodRanges(row(X, j), row(deltas, j), response, precision) : [];
    for (let i = 0; i < X.cols; i++) {
      const at = j * X.cols + i;
      if (response.kind === 'power') {
        const { norm } = response;
        phi.data[at] = sizes.data[at] ** (norm - 1);
        error.data[at] = SLACK * norm * (Y.cols + 8) * u * phi.data[at];
        values[i] += (error.data[at] + SLACK * (X.rows + norm + 2) * u * phi.data[at]) * sizes.data[at];
      } else if (response.kind === 'likelihood') {
        const range = ranges[i];
        const rounding = SLACK * (X.rows + 12) * u;
        phi.data[at] = range.phi.most;
        error.data[at] = range.phi.width + SLACK * 12 * u * range.phi.most;
        values[i] += range.value.width + rounding * range.value.most;
        spikeEnergy[i] += range.energy.width + rounding * range.energy.most;
        slope[i] += range.slope.width + rounding * range.slope.most;
        undecided += range.undecided ? 1 : 0;
      } else {
        const threshold = (response.thresholds[i] * c) / response.meanNorm;
        const near = Math.abs(Math.abs(X.data[at]) - threshold) < deltas.data[at] + 8 * u * threshold;
        phi.data[at] = sizes.data[at];
        error.data[at] = near ? sizes.data[at] : deltas.data[at];
        values[i] += near ? 1 : 0;
        undecided += near ? 1 : 0;
      }
    }
  }
  const sums = (B: Matrix64, factor: number): Matrix64 => {
    const fromCodes = referenceKernels.multiply(error, magnitudes(B), 'tn');
    const fromSums = referenceKernels.multiply(phi, magnitudes(B), 'tn');
    const data = fromCodes.data.map((e, i) => factor * e + SLACK * (Y.rows + 6) * u * fromSums.data[i]);
    return { ...fromCodes, data };
  };
  const gram = sums(phi, 1);
  // |ΔΦ|ᵀ|Φ| + |Φ|ᵀ|ΔΦ| and the rounding of the sum
  const symmetric = gram.data.map((_, k) => {
    const transposed = (k % A.rows) * A.rows + Math.floor(k / A.rows);
    return gram.data[k] + gram.data[transposed];
  });
  return {
    correlation: sums(Y, 1),
    values,
    gram: { ...gram, data: symmetric },
    spikeEnergy,
    slope,
    codeSums: sums({ rows: Y.rows, cols: 1, data: new Float64Array(Y.rows).fill(1) }, 1).data,
    undecided: undecided / Math.max(1, X.data.length),
  };
}

/** The entry that exceeds its bound the most, as text; undefined if none does. */
export function violation(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  bound: ArrayLike<number>,
): string | undefined {
  if (actual.length !== expected.length) return `${actual.length} entries instead of ${expected.length}`;
  let worst: string | undefined;
  let excess = 0;
  for (let i = 0; i < actual.length; i++) {
    const over = Math.abs(actual[i] - expected[i]) - bound[i];
    if (Number.isNaN(over) || over > excess) {
      excess = over;
      worst = `entry ${i}: ${actual[i]} instead of ${expected[i]} ± ${bound[i]}`;
    }
  }
  return worst;
}
