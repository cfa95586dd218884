/**
 * Principal directions: the eigenvectors of ZᵀZ as atoms, largest eigenvalue first. One step, which needs ZᵀZ and no
 * further pass over the samples.
 *
 * The objective is Σ_i ‖x_i‖⁴, x_i the codes of atom i. Among orthogonal matrices it is largest if these are
 * uncorrelated.
 */
import { atomsShape, initialState } from '../../engine/solver.ts';
import { orthogonal } from '../../engine/state-shape.ts';
import { eigh } from '../../linalg/eigh.ts';
import { commonBut, STOPPING } from '../common-options.ts';
import { asSolver, defineMethod } from './method.ts';

export const pca = defineMethod({
  name: 'pca',
  forComparison: true,
  summary: 'principal components',
  space: 'orthogonal',
  takes: commonBut(...STOPPING, 'scout', 'start', 'starts'),
  fixed: { whiten: ['none', ''], refine: ['none', ''] },
  options: {},
  solver(problem, _, start) {
    return asSolver({
      name: 'pca',
      shape: atomsShape(orthogonal(start.rows, start.cols, problem.kernels)),
      init: async () => initialState(start),
      async step() {
        const { values, vectors } = eigh(problem.gram, problem.kernels);
        return { atoms: vectors, objective: values.reduce((sum, energy) => sum + energy ** 2, 0), change: 0 };
      },
      report: ({ objective, change }) => ({ objective: problem.reported(objective, 4), merit: objective, change }),
      atoms: ({ atoms }) => atoms,
      objectiveUnit: problem.objectiveUnit(4),
    });
  },
});
