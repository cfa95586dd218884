/**
 * ‖X‖⁴₄ over orthogonal atoms by plane rotations (l4-objective.ts), a step being a sweep over all pairs of atoms. All codes are in
 * memory, 8 bytes each, p·K of them; every sweep begins with one pass over the data that makes them anew. Threads share the planes of a sweep.
 */
import { inputError } from '../../core/errors.ts';
import type { Matrix64 } from '../../core/matrix.ts';
import type { Solver } from '../../engine/solver.ts';
import { type GivensState, givens } from '../../rotations/engine.ts';
import { l4Objective } from '../../rotations/l4-objective.ts';
import type { PairRule } from '../../rotations/pairs.ts';
import { onThreadsOf } from '../../rotations/turn-groups.ts';
import type { Problem } from '../problem.ts';

export interface GivensL4Options {
  /** K×K, orthogonal. */
  readonly start: Matrix64;
  readonly pairs?: PairRule | undefined;
  readonly seed?: number | undefined;
}

/** Codes that may be held: 4 GiB of them. */
const MOST_CODES = 2 ** 29;

export function givensL4(problem: Problem, options: GivensL4Options): Solver<GivensState> {
  const { size, samples, kernels, input } = problem;
  if (size * samples > MOST_CODES) {
    const got = `${samples} samples with ${size} atoms; use method msp, which holds no codes, or fewer samples`;
    throw inputError('learn', 'samples × atoms', `at most 2^29 with method givens, which holds all codes (4 GiB)`, got);
  }
  const unit = input.unit ** 4;
  const objective = l4Objective(size, (A) => problem.codesByAtom(A), onThreadsOf(input.executor, input.signal));
  return {
    ...givens(objective, { ...options, kernels, signal: input.signal }),
    report: ({ objective: value, change }) => ({ objective: value / unit, merit: value, change }),
  };
}
