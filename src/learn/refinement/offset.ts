/**
 * The offset m of centred samples, y = D x + m, as one more unknown of the refinement. The mean sample is off by the
 * mean of D x, which moves the zeros of every atom; their position shows by how much.
 *
 *     δ_i = mean of the codes of atom i that the mask rejects,   m ← m + B⁻¹ δ
 *
 * The atoms are fitted to the deviations from the means, Φᵀ(Z − 1 z̄ᵀ) with z̄ = B⁻¹ x̄: an error of m does not reach
 * them.
 */
import { type Matrix64, zeros } from '../../core/matrix.ts';
import type { Correlation } from '../../kernels/kernels.ts';
import { solve } from '../../linalg/lu.ts';
import type { Problem } from '../problem.ts';

export interface OffsetFit {
  /** δ */
  readonly shift: Float64Array;
  /** m after the shift, in the units of the samples. */
  readonly offset: Float64Array;
  /** The sums of the pass, about the means. */
  readonly masked: Correlation;
}

/** Fits δ and m. `problem` is centred at the present m, `masked` its sums for the encoder B; undefined if B is singular. */
export function fitOffset(problem: Problem, B: Matrix64, masked: Correlation): OffsetFit | undefined {
  const { kept, rejected } = masked.sums!;
  const p = problem.samples;
  const K = B.rows;
  const shift = rejected.map((sum, i) => (masked.values[i] < p ? sum / (p - masked.values[i]) : 0));
  const both = zeros(K, 2);
  for (let i = 0; i < K; i++) both.data.set([(kept[i] + rejected[i]) / p, shift[i]], 2 * i);
  const solved = solve(B, both);
  if (!solved) return undefined;
  const column = (k: number) => Float64Array.from({ length: K }, (_, i) => solved.data[2 * i + k]);
  return { shift, offset: problem.movedOffset(column(1)), masked: aboutMeans(masked, column(0), p) };
}

/** Returns Φᵀ Z − Φᵀ1 z̄ᵀ and Φᵀ Φ − Φᵀ1 1ᵀΦ/p. */
function aboutMeans(masked: Correlation, mean: Float64Array, samples: number): Correlation {
  const { kept } = masked.sums!;
  const correlation = lessProduct(masked.correlation, kept, mean, 1);
  return masked.gram
    ? { ...masked, correlation, gram: lessProduct(masked.gram, kept, kept, 1 / samples) }
    : { ...masked, correlation };
}

/** Returns M − factor · a bᵀ. */
function lessProduct({ rows, cols, data }: Matrix64, a: Float64Array, b: Float64Array, factor: number): Matrix64 {
  const out = data.map((value, at) => value - factor * a[Math.floor(at / cols)] * b[at % cols]);
  return { rows, cols, data: out };
}
