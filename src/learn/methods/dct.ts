/**
 * The discrete cosine transform, a basis that does not depend on the data. One step chooses the K atoms of largest
 * energy; it needs the second moments and no further pass over the samples. The objective is Σ_i ‖x_i‖⁴ as in pca.ts.
 */
import { inputError } from '../../core/errors.ts';
import { selectRows } from '../../core/matrix.ts';
import { text } from '../../core/options.ts';
import { dctOfShape, requireDctShape } from '../../dictionaries/dct.ts';
import { atomsShape, initialState } from '../../engine/solver.ts';
import { orthogonal } from '../../engine/state-shape.ts';
import { commonBut, STOPPING } from '../common-options.ts';
import { asSolver, defineMethod } from './method.ts';

export const dct = defineMethod({
  name: 'dct',
  forComparison: true,
  summary: 'the discrete cosine transform, a fixed basis',
  space: 'fixed',
  takes: commonBut(...STOPPING, 'scout'),
  fixed: { start: [undefined, 'which is fixed'] },
  options: {
    dctShape: text(/^[1-9]\d*x[1-9]\d*$/, {
      placeholder: 'RxC',
      mustBe: 'ROWSxCOLUMNS, as in 8x8',
      help: 'samples are pictures of R rows and C columns, as in 8x8; default: one-dimensional signals',
    }),
  },
  describe: ({ dctShape }) => `dct, ${dctShape ?? 'one dimension'}`,
  fit({ cols }, { dctShape, components = cols }) {
    if (components > cols) throw inputError('learn', 'components', `at most ${cols} with method dct`, components);
    requireDctShape(cols, dctShape);
  },
  solver(problem, { dctShape, components }) {
    const basis = dctOfShape(problem.input.source.cols, dctShape);
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
