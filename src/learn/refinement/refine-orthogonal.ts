/**
 * Exact refinement of an orthogonal dictionary: the zeros of the codes remove the finite-sample bias that ℓ_q leaves.
 *
 *     A' = polar((X∘M)ᵀ Z − θ̂ A ZᵀZ),   R = A'Aᵀ            (M and θ̂: masked-refinement.ts)
 *
 * The subtraction turns the linear rate θ into a superlinear one; polar(A·SPD) = A makes the true A a fixed point.
 */
import { addScaled } from '../../core/matrix.ts';
import type { Solver } from '../../engine/solver.ts';
import { polar } from '../../linalg/polar.ts';
import type { Problem } from '../problem.ts';
import { type MaskedRefinementOptions, maskedRefinement, type RefineState } from './masked-refinement.ts';

export function refineOrthogonal(problem: Problem, options: MaskedRefinementOptions): Solver<RefineState> {
  const { kernels, gram } = problem;
  return maskedRefinement(problem, options, (A, { correlation }, theta) => {
    const atoms = polar(addScaled(correlation, -theta, kernels.multiply(A, gram)), kernels);
    return { atoms, movement: kernels.multiply(atoms, A, 'nt') };
  });
}
