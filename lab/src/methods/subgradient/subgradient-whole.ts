/**
 * Riemannian subgradient descent on the orthogonal group: minimise E‖Az‖₁ over orthogonal A, all atoms at once.
 *
 *     G = E[sign(x) zᵀ],   R = (G − A Gᵀ A)/2,   A ← polar(A − η √K R/‖R‖_F)
 *
 * with the step lengths of subgradient-atoms.ts, but constant for K more steps: an atom moves by η (root mean square),
 * and some take longer to settle. No restarts are needed: orthogonal atoms cannot coincide.
 */
import {
  type AtomsSolver,
  addScaled,
  field,
  type Matrix64,
  type Problem,
  polar,
  type SolverState,
} from 'orthodict/extend';
import { lastStep, type SubgradientOptions, stepLength } from './subgradient-atoms.ts';

export interface SubgradientWholeState extends SolverState {
  readonly atoms: Matrix64;
  /** Steps taken. */
  readonly age: number;
  /** −E‖Az‖₁ */
  readonly objective: number;
}

export function subgradientWhole(
  problem: Problem,
  { precision, tolerance, start }: SubgradientOptions,
): AtomsSolver<SubgradientWholeState> {
  const { kernels, samples: p, size: K } = problem;
  return {
    name: 'subgradient',
    shape: { atoms: field.orthogonal(K, K, kernels), age: field.whole(), objective: field.number },
    init: async () => ({ atoms: start, age: 0, objective: Number.NEGATIVE_INFINITY }),
    async step({ atoms: A, age }) {
      const { correlation: G, values } = await problem.correlate(A, { kind: 'power', norm: 1 }, precision);
      const R = addScaled(G, -1, kernels.multiply(kernels.multiply(A, G, 'nt'), A));
      const size = Math.sqrt(R.data.reduce((sum, r) => sum + r * r, 0));
      const length = size > 0 ? (stepLength(age, K) * Math.sqrt(K)) / size : 0;
      const objective = -values.reduce((sum, value) => sum + value, 0) / p;
      return { atoms: polar(addScaled(A, -length, R), kernels), age: age + 1, objective };
    },
    report: ({ objective, age }) => {
      const next = stepLength(age, K);
      return {
        objective: problem.reported(objective, 1),
        merit: Number.NaN,
        change: next > lastStep(tolerance) ? next : 0,
      };
    },
    atoms: ({ atoms }) => atoms,
    objectiveUnit: problem.objectiveUnit(1),
  };
}
