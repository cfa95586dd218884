/**
 * Orthogonal Procrustes alternation: sparse codes for the atoms, then the best atoms for the codes (Lesage et al. 2005;
 * Bao et al. 2013).
 *
 *     X = HT(Z Aᵀ),   A ← polar(Xᵀ Z)
 *
 * HT keeps codes of magnitude at least ζ, or the s largest of every sample. Both steps lower ‖Z − X A‖² (+ ζ²‖X‖₀ with
 * a threshold). The objective is the energy of the codes kept, less ζ² for each with a threshold; it never falls. There
 * are many fixed points.
 */
import { inputError } from '../../core/errors.ts';
import {
  type Matrix,
  type Matrix64,
  range,
  rootMeanSquareDifference,
  selectRows,
  toFloat64,
  trace,
  zeros,
} from '../../core/matrix.ts';
import { count, positiveFinite } from '../../core/options.ts';
import { requireFiniteMatrix } from '../../core/require-matrix.ts';
import { atomsShape, initialState } from '../../engine/solver.ts';
import { orthogonal } from '../../engine/state-shape.ts';
import { selectKernels } from '../../kernels/select.ts';
import { polar } from '../../linalg/polar.ts';
import { type Selection, validateSelection } from '../../passes/select-codes.ts';
import { selectedCorrelationPass } from '../../passes/selected-correlation.ts';
import { exploringPrecision } from '../common-options.ts';
import type { Problem } from '../problem.ts';
import { asSolver, defineMethod } from './method.ts';

/** Options of the methods that keep the largest codes. */
export const keepOptions = {
  keep: count({ placeholder: 'S', help: 'keep the S codes with the largest magnitudes in every sample' }),
  threshold: positiveFinite({
    placeholder: 'Z',
    help: 'keep codes of at least this magnitude; default if keep is not given: the root mean square of the codes',
  }),
};

export const procrustes = defineMethod({
  name: 'procrustes',
  summary: 'orthogonal Procrustes alternation between the largest codes and the best atoms for them',
  space: 'orthogonal',
  options: keepOptions,
  check: checkKept,
  describe: (settings) => describeKept('procrustes', settings),
  solver(problem, settings, start) {
    const selection = workingSelection(problem, settings);
    const precision = exploringPrecision(settings);
    const penalty = (selection.threshold ?? 0) ** 2;
    return asSolver({
      name: 'procrustes',
      shape: atomsShape(orthogonal(start.rows, start.cols, problem.kernels)),
      init: async () => initialState(start),
      async step({ atoms }) {
        const sums = await problem.sum(selectedCorrelationPass, atoms, { selection, precision });
        const { correlation, energy, kept } = sums;
        requireKept(kept, settings);
        const next = polar(correlation, problem.kernels);
        return { atoms: next, objective: energy - penalty * kept, change: rootMeanSquareDifference(next, atoms) };
      },
      report: ({ objective, change }) => ({ objective: problem.reported(objective, 2), merit: objective, change }),
      atoms: ({ atoms }) => atoms,
      objectiveUnit: problem.objectiveUnit(2),
    });
  },
});

/**
 * Returns the least-squares atoms (K×n, orthonormal) for known codes, samples ≈ codes · atoms: polar(codesᵀ · samples). K ≤ n;
 * atoms that the codes do not determine complete an orthonormal set.
 */
export async function procrustesAtoms(samples: Matrix, codes: Matrix): Promise<Matrix64> {
  for (const [name, matrix] of Object.entries({ samples, codes })) requireFiniteMatrix('procrustes', name, matrix);
  const [K, n] = [codes.cols, samples.cols];
  if (codes.rows !== samples.rows) {
    throw inputError('procrustes', 'codes', `of ${samples.rows} rows, like the samples`, codes.rows);
  }
  if (!(K >= 1 && K <= n)) throw inputError('procrustes', 'codes', `of 1 to ${n} columns`, K);
  const kernels = await selectKernels('auto');
  const correlation = kernels.multiply(toFloat64(codes), toFloat64(samples), 'tn');
  if (K === n) return polar(correlation, kernels);
  const square = zeros(n, n); // rows of zeros leave the first K rows of the polar factor as they are
  square.data.set(correlation.data);
  return selectRows(polar(square, kernels), range(K));
}

export function checkKept(settings: Selection): void {
  validateSelection('learn', settings);
}

export const describeKept = (name: string, { keep, threshold }: Selection): string =>
  keep === undefined ? `${name}, threshold ${threshold ?? 'auto'}` : `${name}, ${keep} codes a sample`;

/** Converts the selection to working coordinates. */
export function workingSelection(problem: Problem, { keep, threshold }: Selection): Selection {
  if (keep !== undefined) return { keep };
  if (threshold !== undefined) return { threshold: threshold * problem.input.unit };
  return { threshold: Math.sqrt(trace(problem.gram) / (problem.samples * problem.size)) };
}

/** Throws if no code was kept. `given`: the selection that the user asked for. */
export function requireKept(kept: number, given: Selection): void {
  if (kept > 0) return;
  if (given.threshold !== undefined) {
    throw inputError('learn', 'threshold', 'small enough to keep a code', given.threshold);
  }
  throw inputError('learn', 'threshold or keep', 'given if all codes are of one size', 'neither');
}
