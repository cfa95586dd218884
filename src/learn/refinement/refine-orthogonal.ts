/**
 * Exact refinement of an orthogonal dictionary: the zeros of the codes remove the finite-sample bias that ℓ_q leaves.
 *
 *     A' = polar(H − ν A₋),   H = (X∘M)ᵀ Z − θ̂ A ZᵀZ,   R = A'Aᵀ            (M and θ̂: masked-refinement.ts)
 *
 * The subtraction of θ̂ A ZᵀZ turns the linear rate θ into that of its error: supports of p samples differ from their mean, and
 * what is left of an error after a step is a random symmetric matrix times it, whose eigenvalues are at most 2r in magnitude,
 * r² = θ̂/(1−θ̂)·K/p. The atoms A₋ of one step ago make the rate r instead of 2r (Chebyshev's recurrence):
 * A' ≈ T + r²(T − A₋) with T = polar(H). polar(A·SPD) = A makes the true A a fixed point.
 */
import { addScaled, inner } from '../../core/matrix.ts';
import type { Solver } from '../../engine/solver.ts';
import { orthogonal } from '../../engine/state-shape.ts';
import { polar } from '../../linalg/polar.ts';
import type { Problem } from '../problem.ts';
import { type MaskedRefinementOptions, maskedRefinement, type RefineState } from './masked-refinement.ts';

/** Largest r² of the recurrence: above it, the samples are too few. */
const MOST_MOMENTUM = 0.02;

export function refineOrthogonal(problem: Problem, options: MaskedRefinementOptions): Solver<RefineState> {
  const { kernels, gram, size: K } = problem;
  // a refinement that fails keeps the explored atoms, which may be float32
  const atoms = orthogonal(K, K, kernels, options.precision === 'f64' ? 'f64' : 'f32');
  return maskedRefinement(problem, options, atoms, ({ atoms: A, before }, { correlation }, theta, precision) => {
    const H = addScaled(correlation, -theta, kernels.multiply(A, gram));
    const squaredRate = Math.min((theta * K) / ((1 - theta) * problem.samples), MOST_MOMENTUM);
    const size = inner(H, A) / K; // H ≈ size · T
    const next = polar(addScaled(H, (-squaredRate * size) / (1 + squaredRate), before), kernels, precision);
    return { atoms: next, movement: kernels.multiply(next, A, 'nt') };
  });
}
