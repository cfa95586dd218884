/** The options `keep` and `threshold` of the methods that keep the largest codes (procrustes, gtransform). */
import { inputError } from '../../core/errors.ts';
import { trace } from '../../core/matrix.ts';
import { count, positiveFinite } from '../../core/options.ts';
import { type Selection, validateSelection } from '../../passes/select-codes.ts';
import type { Problem } from '../problem.ts';

export const keepOptions = {
  keep: count({ placeholder: 'S', help: 'keep the S codes with the largest magnitudes in every sample' }),
  threshold: positiveFinite({
    placeholder: 'Z',
    help: 'keep codes of at least this magnitude; default if keep is not given: the root mean square of the codes',
  }),
};

export const checkKept = (settings: Selection): void => validateSelection('learn', settings);

export const describeKept = (name: string, { keep, threshold }: Selection): string =>
  keep === undefined ? `${name}, threshold ${threshold ?? 'auto'}` : `${name}, ${keep} codes a sample`;

/** The selection in working coordinates. */
export function workingSelection(problem: Problem, { keep, threshold }: Selection): Selection {
  if (keep !== undefined) return { keep };
  if (threshold !== undefined) return { threshold: threshold * problem.input.unit };
  return { threshold: Math.sqrt(trace(problem.gram) / (problem.samples * problem.size)) };
}

/** `given`: the selection that the user asked for. */
export function requireKept(kept: number, given: Selection): void {
  if (kept > 0) return;
  if (given.threshold !== undefined) {
    throw inputError('learn', 'threshold', 'small enough to keep a code', given.threshold);
  }
  throw inputError('learn', 'threshold or keep', 'given if all codes are of one size', 'neither');
}
