/**
 * Maximises ‖X‖⁴₄ over orthogonal atoms by plane rotations (rotations/l4-objective.ts). A step is a sweep over all
 * pairs of atoms, shared among threads in the default order of the pairs. All p·K codes are in memory, 8 bytes each;
 * every sweep begins with a pass over the data that recomputes them.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, precisionOf } from '../../core/matrix.ts';
import { number } from '../../core/options.ts';
import type { AtomsSolver } from '../../engine/solver.ts';
import type { PlaneRows } from '../../kernels/kernels.ts';
import { planeRows } from '../../kernels/wasm/plane-rows.ts';
import { type GivensState, givensSolver as givensSweeps } from '../../rotations/coordinate-ascent.ts';
import { l4Objective } from '../../rotations/l4-objective.ts';
import { PAIR_RULES, type PairRule } from '../../rotations/pairs.ts';
import { pairsOption } from '../../rotations/pairs-option.ts';
import { onThreadsOf } from '../../rotations/rotate-groups.ts';
import type { CommonSettings } from '../common-options.ts';
import type { Problem } from '../problem.ts';
import { asSolver, defineMethod } from './method.ts';

export const givens = defineMethod({
  name: 'givens',
  summary:
    'maximisation of the l4 norm of the codes by plane rotations, exact in every plane; holds all codes in memory',
  space: 'orthogonal',
  options: {
    norm: number(
      { placeholder: 'Q', default: 4, mustBe: '4 with method givens', help: 'only 4, the l4 norm' },
      (q) => q === 4,
    ),
    pairs: pairsOption(
      'tournament',
      `order of the planes: ${PAIR_RULES.join(', ')}; only tournament uses several threads`,
    ),
  },
  fit({ rows, cols }, { components: atoms = cols }) {
    if (atoms * rows <= MOST_CODES) return;
    const got = `${rows} samples with ${atoms} atoms; use method msp, which holds no codes, or fewer samples`;
    throw inputError('learn', 'samples × atoms', `at most 2^29 with method givens, which holds all codes (4 GiB)`, got);
  },
  describe: () => 'givens, l4 norm',
  solver: (problem, { seed, precision, pairs }, start) =>
    asSolver(givensL4(problem, { start, seed, precision, pairs })),
});

/** Most codes to hold in memory: 4 GiB. */
const MOST_CODES = 2 ** 29;

/**
 * Mixed precision: sweeps are in float32 as long as the last one moved the atoms by more than `change` (root mean
 * square), where the next one gains more than float32 loses; but not if they are short anyway (atoms² × samples).
 */
const COARSE = { change: 0.1, work: 2 ** 24 };

export interface GivensL4Options {
  /** K×K, orthogonal. */
  readonly start: Matrix64;
  readonly seed: number;
  readonly precision: CommonSettings['precision'];
  readonly pairs: PairRule;
}

function givensL4(problem: Problem, { start, seed, precision, pairs }: GivensL4Options): AtomsSolver<GivensState> {
  const { size, samples, kernels, input } = problem;
  let codes: PlaneRows | undefined; // Xᵀ, K×p: the same memory for every sweep
  const codesOf = async (A: Matrix64, change = Number.POSITIVE_INFINITY) => {
    const coarse = change > COARSE.change && size ** 2 * samples >= COARSE.work;
    const wanted = precision === 'mixed' ? (coarse ? 'f32' : 'f64') : precision;
    const used = problem.powerPrecision(4, wanted);
    if (!codes || precisionOf(codes) !== used) codes = planeRows(size, samples, used);
    return { ...codes, value: await problem.writeCodes(A, codes) };
  };
  const objective = l4Objective(size, codesOf, onThreadsOf(input.executor, input.signal));
  return {
    ...givensSweeps(objective, { start, seed, pairs, kernels, signal: input.signal }),
    report: ({ objective: value, change }) => ({ objective: problem.reported(value, 4), merit: value, change }),
    objectiveUnit: problem.objectiveUnit(4),
  };
}
