/**
 * An orthogonal basis that is given, as a solver: one step, which chooses the K atoms of largest energy. No pass over the samples
 * besides the one that made their second moments. The objective is Σ_i ‖x_i‖⁴ as in principal-directions.ts.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, selectRows } from '../../core/matrix.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import type { Problem } from '../problem.ts';

export interface FixedBasisState extends SolverState {
  readonly atoms: Matrix64;
  readonly objective: number;
  readonly change: number;
}

/** `basis`: n×n, of the samples as they are; `components`: default all. */
export function fixedBasis(
  problem: Problem,
  name: string,
  basis: Matrix64,
  components = basis.rows,
): Solver<FixedBasisState> {
  if (components > basis.rows) {
    throw inputError('learn', 'components', `at most ${basis.rows} with method ${name}`, components);
  }
  const unit = problem.input.unit ** 4;
  const energies = problem.energiesAlong(basis);
  const strongest = Array.from(energies.keys())
    .sort((a, b) => energies[b] - energies[a])
    .slice(0, components);
  return {
    name,
    init: async () => ({
      atoms: selectRows(basis, strongest),
      objective: Number.NEGATIVE_INFINITY,
      change: Number.POSITIVE_INFINITY,
    }),
    async step({ atoms }) {
      return { atoms, objective: strongest.reduce((sum, k) => sum + energies[k] ** 2, 0), change: 0 };
    },
    report: ({ objective, change }) => ({ objective: objective / unit, merit: objective, change }),
    atoms: ({ atoms }) => atoms,
  };
}
