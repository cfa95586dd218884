/**
 * Refinement of a complete dictionary that need not be orthogonal, in working coordinates: encoder B (K×K), codes X = Z Bᵀ.
 *
 * With the masked codes Φ = X∘M (thresholds as in refine-orthogonal.ts) least squares gives the dictionary D' = (ZᵀΦ)(ΦᵀΦ)⁻¹.
 * If B = (I + E) D⁻¹ with a small off-diagonal E, then B D' ≈ I + (1−θ) E: the plain alternation B ← D'⁻¹ would leave θE, so
 *
 *     E = offdiagonal(B D')/(1 − θ̂),   B ← (I + E)⁻¹ B
 *
 * which is quadratic. The rows of B are scaled to unit code variance.
 */
import { solveSymmetric } from '../linalg/cholesky.ts';
import { solve } from '../linalg/lu.ts';
import { identity, type Matrix64, scaleRows } from '../matrix.ts';
import { describeAtoms } from './code-distribution.ts';
import type { Problem } from './problem.ts';
import {
  advance,
  credibleMask,
  initialRefineState,
  keptFraction,
  maskFailed,
  precisionAt,
  type RefineState,
  type RefiningPrecision,
  reportRefinement,
  thresholds,
} from './refine-orthogonal.ts';
import type { Solver } from './solver.ts';

/** `state.atoms` holds the encoder B. `counts` is the histogram of the codes at `start`. */
export function refineComplete(
  problem: Problem,
  start: Matrix64,
  counts: Float64Array,
  precision: RefiningPrecision,
): Solver<RefineState> {
  return {
    name: 'refine',
    init: async () => initialRefineState(start, counts),
    async step(state) {
      const B = state.atoms;
      const { counts, ...masked } = await problem.refine(B, thresholds(state), precisionAt(precision, state), true);
      const theta = keptFraction(masked.values, problem);
      if (!credibleMask(masked.values, state)) return maskFailed(state);
      const dictionary = masked.gram && solveSymmetric(masked.gram, masked.correlation);
      if (!dictionary) return maskFailed(state);
      const movement = movementOf(problem.kernels.multiply(B, dictionary, 'nt'), theta);
      const encoder = solve(movement, B);
      if (!encoder) return maskFailed(state);
      return { ...advance(state, movement, describeAtoms(counts)), atoms: unitVariance(encoder, problem), theta };
    },
    report: reportRefinement,
    atoms: ({ atoms }) => atoms,
  };
}

/** I + E from B D', whose columns are first divided by their diagonal: the scale of an atom is free. */
function movementOf(product: Matrix64, theta: number): Matrix64 {
  const K = product.rows;
  const movement = identity(K);
  for (let i = 0; i < K; i++) {
    for (let k = 0; k < K; k++) {
      if (i !== k) movement.data[i * K + k] = product.data[i * K + k] / (product.data[k * K + k] * (1 - theta));
    }
  }
  return movement;
}

function unitVariance(encoder: Matrix64, problem: Problem): Matrix64 {
  const K = encoder.rows;
  const half = problem.kernels.multiply(encoder, problem.gram);
  const factors = Float64Array.from({ length: K }, (_, i) => {
    let energy = 0;
    for (let j = 0; j < K; j++) energy += half.data[i * K + j] * encoder.data[i * K + j];
    return Math.sqrt(problem.samples / energy);
  });
  return scaleRows(encoder, factors);
}
