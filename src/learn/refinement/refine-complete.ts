/**
 * Refinement of a complete, not necessarily orthogonal dictionary in working coordinates: encoder B (K×K), codes X = Z
 * Bᵀ.
 *
 * With the masked codes Φ = X∘M (M and θ̂: masked-refinement.ts) least squares gives the dictionary D' = (ZᵀΦ)(ΦᵀΦ)⁻¹.
 * If B = (I + E) D⁻¹ with a small off-diagonal E, then B D' ≈ I + (1−θ) E: the plain alternation B ← D'⁻¹ would leave
 * θE, so
 *
 *     E = offdiagonal(B D')/(1 − θ̂),   B ← (I + E)⁻¹ B
 *
 * which is quadratic. The rows of B are scaled to unit code variance.
 */
import { identity, type Matrix64, scaleRows } from '../../core/matrix.ts';
import type { Solver } from '../../engine/solver.ts';
import { matrix } from '../../engine/state-shape.ts';
import { solveSymmetric } from '../../linalg/cholesky.ts';
import { solve } from '../../linalg/lu.ts';
import type { Problem } from '../problem.ts';
import { type MaskedRefinementOptions, maskedRefinement, type RefineState, type Update } from './masked-refinement.ts';

/** Makes the solver; the `atoms` of its state are the encoder B. */
export function refineComplete(problem: Problem, options: MaskedRefinementOptions): Solver<RefineState> {
  const update: Update = ({ atoms: B }, { correlation, gram }, theta) => {
    const dictionary = gram && solveSymmetric(gram, correlation);
    const movement = dictionary && movementOf(problem.kernels.multiply(B, dictionary, 'nt'), theta);
    const encoder = movement && solve(movement, B);
    return encoder && { atoms: unitVariance(encoder, problem), movement };
  };
  return maskedRefinement(problem, options, matrix(problem.size, problem.size), update, true);
}

/** Returns I + E from B D', whose columns are first divided by their diagonal: the scale of an atom is free. */
export function movementOf(product: Matrix64, theta: number): Matrix64 {
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
