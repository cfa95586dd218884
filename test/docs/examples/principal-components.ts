/**
 * Principal components by orthogonal iteration: the rows of A become the eigenvectors of ZᵀZ, largest eigenvalue first.
 *
 *     G = Xᵀ Z,  X = Z Aᵀ,   Q R = Gᵀ,   A ← Qᵀ
 *
 * The objective is Σ_i (‖x_i‖²)², x_i the codes of atom i: largest where the codes of different atoms are uncorrelated.
 */
import { addScaled, type Matrix64, transpose } from '#src/core/matrix.ts';
import type { Solver, SolverState } from '#src/engine/solver.ts';
import type { Problem } from '#src/learn/problem.ts';
import { qr } from '#src/linalg/qr.ts';

export interface PrincipalComponentsState extends SolverState {
  readonly atoms: Matrix64;
  readonly objective: number;
  readonly change: number;
}

/** `start`: K×K, orthogonal. */
export function principalComponents(problem: Problem, start: Matrix64): Solver<PrincipalComponentsState> {
  return {
    name: 'principal-components',
    init: async () => ({ atoms: start, objective: Number.NEGATIVE_INFINITY, change: Number.POSITIVE_INFINITY }),
    async step({ atoms }) {
      const { correlation, values } = await problem.correlate(atoms, { kind: 'power', norm: 2 }, 'f64');
      const next = transpose(qr(transpose(correlation)).q);
      const objective = values.reduce((sum, energy) => sum + energy ** 2, 0);
      return { atoms: next, objective, change: rootMeanSquare(addScaled(next, -1, atoms)) };
    },
    report: ({ objective, change }) => ({ objective, change }),
    atoms: ({ atoms }) => atoms,
  };
}

/** Over rows, like the change that `msp` reports. */
function rootMeanSquare({ rows, data }: Matrix64): number {
  return Math.sqrt(data.reduce((sum, value) => sum + value ** 2, 0) / rows);
}
