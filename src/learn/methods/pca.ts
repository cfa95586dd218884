/**
 * Principal directions: the eigenvectors of ZᵀZ as atoms, largest eigenvalue first. One step, and no pass over the samples besides
 * the one that made ZᵀZ.
 *
 * The objective is Σ_i ‖x_i‖⁴, x_i the codes of atom i: among orthogonal matrices largest where these are uncorrelated.
 */
import type { Matrix64 } from '../../core/matrix.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import { eigh } from '../../linalg/eigh.ts';
import type { Problem } from '../problem.ts';

export interface PrincipalState extends SolverState {
  readonly atoms: Matrix64;
  readonly objective: number;
  readonly change: number;
}

/** `start`: K×K, what there is before the step. */
export function principalDirections(problem: Problem, start: Matrix64): Solver<PrincipalState> {
  const unit = problem.input.unit ** 4;
  return {
    name: 'pca',
    init: async () => ({ atoms: start, objective: Number.NEGATIVE_INFINITY, change: Number.POSITIVE_INFINITY }),
    async step() {
      const { values, vectors } = eigh(problem.gram, problem.kernels);
      return { atoms: vectors, objective: values.reduce((sum, energy) => sum + energy ** 2, 0), change: 0 };
    },
    report: ({ objective, change }) => ({ objective: objective / unit, merit: objective, change }),
    atoms: ({ atoms }) => atoms,
  };
}
