/**
 * The discrete cosine transform, a basis that does not depend on the data. One step chooses the K atoms of largest
 * energy; it needs the second moments and no further pass over the samples. The objective is Σ_i ‖x_i‖⁴ as in pca.ts.
 */
import { inputError } from '../../core/errors.ts';
import { selectRows } from '../../core/matrix.ts';
import { dctOfShape, dctShapeOption, requireDctShape } from '../../dictionaries/dct.ts';
import { atomsShape, initialState } from '../../engine/solver.ts';
import { orthogonal } from '../../engine/state-shape.ts';
import { commonBut, STOPPING } from '../common-options.ts';
import { asSolver, defineMethod } from './method.ts';

export const dct = defineMethod({
  name: 'dct',
  forComparison: true,
  summary: 'the discrete cosine transform, a fixed basis',
  space: 'fixed',
  takes: commonBut(...STOPPING, 'scout', 'starts'),
  fixed: { start: [undefined, 'which is fixed'] },
  options: {
    dctShape: dctShapeOption('one-dimensional signals'),
  },
  describe: ({ dctShape }) => `dct, ${dctShape ?? 'one dimension'}`,
  fit({ cols }, { dctShape, components = cols }) {
    if (components > cols) throw inputError('learn', 'components', `at most ${cols} with method dct`, components);
    requireDctShape('learn', cols, dctShape);
  },
  solver(problem, { dctShape, components }) {
    const basis = dctOfShape('learn', problem.input.source.cols, dctShape);
    const count = components ?? basis.rows;
    const energies = problem.energies(basis);
    const strongest = Array.from(energies.keys())
      .sort((a, b) => energies[b] - energies[a])
      .slice(0, count);
    return asSolver({
      name: 'dct',
      shape: atomsShape(orthogonal(count, basis.cols, problem.kernels)),
      init: async () => initialState(selectRows(basis, strongest)),
      async step({ atoms }) {
        return { atoms, objective: strongest.reduce((sum, k) => sum + energies[k] ** 2, 0), change: 0 };
      },
      report: ({ objective, change }) => ({ objective: problem.reported(objective, 4), merit: objective, change }),
      atoms: ({ atoms }) => atoms,
      objectiveUnit: problem.objectiveUnit(4),
    });
  },
});
