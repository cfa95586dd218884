/**
 * Exact refinement of an orthogonal dictionary: the zeros of the codes remove the finite-sample bias that ℓ_q leaves.
 *
 *     A' = polar((X∘M)ᵀ Z − θ̂ A ZᵀZ),   R = A'Aᵀ            (M and θ̂: masked-refinement.ts)
 *
 * The subtraction turns the linear rate θ into a superlinear one; polar(A·SPD) = A makes the true A a fixed point.
 */
import { addScaled } from '../../core/matrix.ts';
import type { Solver } from '../../engine/solver.ts';
import { orthogonal } from '../../engine/state-shape.ts';
import { polar } from '../../linalg/polar.ts';
import type { Problem } from '../problem.ts';
import { type MaskedRefinementOptions, maskedRefinement, type RefineState } from './masked-refinement.ts';

export function refineOrthogonal(problem: Problem, options: MaskedRefinementOptions): Solver<RefineState> {
  const { kernels, gram, size: K } = problem;
  // a refinement that fails keeps the atoms of exploring, which may be of float32
  const atoms = orthogonal(K, K, kernels, options.precision === 'f64' ? 'f64' : 'f32');
  return maskedRefinement(problem, options, atoms, (A, { correlation }, theta, precision) => {
    const next = polar(addScaled(correlation, -theta, kernels.multiply(A, gram)), kernels, precision);
    return { atoms: next, movement: kernels.multiply(next, A, 'nt') };
  });
}
