/**
 * Decides whether and how a learned dictionary is refined. It is never made worse.
 *
 * The codes must fit a spike and slab better than a single shape, by a larger margin after than before, and be likelier
 * under it than before. If the data is not white, atoms of different energies can fake a small gain, and so can the edge of a
 * skewed density where codes need only be independent: then the zeros must collapse, which gains at least one nat per code. Otherwise the input is kept and the reason given.
 */
import type { Matrix64, Precision } from '../../core/matrix.ts';
import type { Outcome } from '../../engine/iterate.ts';
import type { Run } from '../../engine/run.ts';
import {
  endingAt,
  type Progress,
  type StopRule,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
} from '../../engine/stop.ts';
import { exploringPrecision } from '../common-options.ts';
import { mspSolver } from '../methods/msp.ts';
import type { Problem } from '../problem.ts';
import { isWhite } from '../whitening.ts';
import { assessSparsity, type Credibility } from './code-distribution.ts';
import {
  closeRefinement,
  initialRefineState,
  isExact,
  type MaskedRefinementOptions,
  type RefineState,
  type RefiningPrecision,
} from './masked-refinement.ts';
import { meanShare, partPairs, someAreMixtures } from './mixed-pairs.ts';
import { refineComplete } from './refine-complete.ts';
import { refineOrthogonal } from './refine-orthogonal.ts';

export interface RefinementOptions {
  /** `orthogonal`: A stays orthogonal in working coordinates; `complete`: it need not be. */
  readonly kind: 'orthogonal' | 'complete';
  readonly precision: RefiningPrecision;
  /** The start is not yet a maximum: reject atoms that are still mixtures of two. */
  readonly scouting?: boolean | undefined;
  /** Continues from a refinement on part of the samples, which has shown that there are zeros to refine with. */
  readonly from?: RefineState | undefined;
  /** q of the objective Σ|x|^q, if exploring had one. */
  readonly norm?: number | undefined;
  /** Seconds after which the run must come to its end. */
  readonly maxSeconds?: number | undefined;
  /** How often pairs of mixtures may be parted, and refined again. */
  readonly attempts?: number | undefined;
  /** The share of non-zeros that the result must stay below, where the start is parted mixtures. */
  readonly than?: number | undefined;
  /** The zeros must collapse: their level must fall within this many steps, and do so to the end. Default: `usualCollapse`. */
  readonly collapse?: number | undefined;
  /** Advantage of the spike and slab over a single shape, in nats per code, that is worth a try. Default: HOPEFUL_ADVANTAGE. */
  readonly hopeful?: number | undefined;
}

export interface RefinementOutcome {
  readonly atoms: Matrix64;
  /** The refined offset, if the samples are centred; absent: the mean sample. */
  readonly offset?: Float64Array | undefined;
  readonly refined: boolean;
  /** Where it ended; absent if the result was rejected. */
  readonly state?: RefineState;
  readonly iterations: number;
  /** Why the result was kept or rejected, in words for a person. */
  readonly note: string;
  readonly aborted: boolean;
  /** Whether it ended for want of time. */
  readonly late?: boolean;
  /** Σ|x|^q at these atoms, if a pass has shown it. */
  readonly power?: number;
}

const MAX_ITERATIONS = 60;
const ENOUGH_SAMPLES_PER_ATOM = 50;
const APPROACH_CHANGE = 1e-3;
/** Least advantage of the spike and slab over a single shape, in nats per code: to start, unless told otherwise, and to be accepted. */
const HOPEFUL_ADVANTAGE = 0.01;
export const CREDIBLE_ADVANTAGE = 0.012;
/** Least gain in likelihood, in nats per code, where zeros must collapse. */
const COLLAPSE = 1;
/** There every step must lower the level of the zeros to this share; where there are zeros it falls by far more. */
const LOWERED = 0.8;
/** A lower level, relative to the signal, has collapsed: float32 may hold it there for a step. */
const COLLAPSED = 1e-4;
const UNCLEAR = 'the zeros of the codes did not get clearer';
/** Atoms with a smaller error are exact for every purpose; float32 ends earlier. */
const EXACT = { f32: 1e-6, mixed: 1e-11, f64: 1e-11 } as const;
/** A movement below this fraction of the statistical error of an atom's entry is useless. */
const USEFUL_FRACTION = 0.02;

export async function* refinement(
  problem: Problem,
  run: Run,
  start: Matrix64,
  {
    kind,
    precision,
    scouting,
    from,
    norm,
    maxSeconds = Number.POSITIVE_INFINITY,
    attempts = 3,
    than,
    collapse = usualCollapse(problem),
    hopeful = HOPEFUL_ADVANTAGE,
  }: RefinementOptions,
): AsyncGenerator<Progress, RefinementOutcome> {
  const kept = (note: string, iterations = 0, aborted = false): RefinementOutcome => {
    return { atoms: start, offset: from?.offset, refined: false, iterations, note, aborted };
  };
  if (from && norm !== undefined && isExact(from)) {
    const { power, confirmed } = await confirm(problem, from, norm, exploringPrecision({ precision }));
    const { atoms, offset } = from;
    const note = 'atoms exact on a part, and the zeros of all samples confirm it';
    if (confirmed) return { atoms, offset, refined: true, state: from, iterations: 0, note, aborted: false, power };
  }
  const entry = from
    ? { state: from, iterations: 0, before: undefined }
    : yield* enter(problem, run, start, { precision, maxSeconds, hopeful });
  if (!entry) return kept('the codes show no zeros to refine with');
  const outcome = yield* maskedSteps(problem, run, entry.state, {
    kind,
    precision,
    maxSeconds,
    earlierChange: from?.change,
    collapse,
  });
  const iterations = entry.iterations + outcome.iterations;
  if (outcome.status === 'aborted') return kept('aborted', iterations, true);
  if (!Number.isFinite(outcome.state.change)) return kept('zeros and non-zeros could not be told apart', iterations);
  if (outcome.reason === UNCLEAR) return kept(UNCLEAR, iterations);
  const { state, counts } = await closeRefinement(problem, outcome.state);
  const credibility = assessSparsity(counts);
  const share = meanShare(counts);
  const doubt =
    than === undefined ? doubtOf(credibility, entry.before, collapse) : doubtOfParted(credibility, share, than);
  if (doubt) return kept(doubt, iterations);
  const mixed = someAreMixtures(counts);
  if (scouting && mixed) return kept('some atoms are mixtures', iterations);
  const { atoms, offset } = state;
  const late = !run.mayGoOn({ maxSeconds: run.looped });
  const found: RefinementOutcome = {
    atoms,
    offset,
    refined: true,
    state,
    iterations,
    note: outcome.reason,
    aborted: false,
    late,
  };
  const parted = mixed && !late && attempts > 0 ? await partPairs(problem.about(offset), atoms, counts) : undefined;
  if (!parted) return found;
  const rest = { kind, precision, norm, maxSeconds, attempts: attempts - 1, than: share, collapse, hopeful };
  const again = yield* refinement(problem, run, parted, rest);
  return { ...(again.refined ? again : found), iterations: iterations + again.iterations, aborted: again.aborted };
}

/** The masked steps from a state to their end. */
export async function* maskedSteps(
  problem: Problem,
  run: Run,
  start: RefineState,
  {
    kind,
    precision,
    maxSeconds = Number.POSITIVE_INFINITY,
    earlierChange,
    dense,
    collapse = usualCollapse(problem),
  }: Pick<RefinementOptions, 'kind' | 'precision' | 'maxSeconds' | 'collapse'> &
    Pick<MaskedRefinementOptions, 'dense'> & { readonly earlierChange?: number | undefined },
): AsyncGenerator<Progress, Outcome<RefineState>> {
  const refine = kind === 'orthogonal' ? refineOrthogonal : refineComplete;
  return yield* run.steps(refine(problem, { start, precision, dense }), {
    stop: [
      stopWhenMaskFails,
      stopWhenErrorBelow(EXACT[precision], earlierChange),
      stopAtStatisticalError(problem.samples),
      ...(collapse === undefined ? [] : [stopWhenZerosStay(collapse)]),
      stopAfterIterations(MAX_ITERATIONS),
      stopAfterSeconds(maxSeconds, run.looped),
    ],
    samplesPerStep: problem.samples,
  });
}

/** Parted mixtures are as exact as the mixtures were: what counts is that they are sparser. */
const doubtOfParted = ({ advantage }: Credibility, share: number, than: number): string | undefined =>
  advantage >= CREDIBLE_ADVANTAGE && share < than ? undefined : 'parted mixtures are not sparser';

/** Codes below this share of the signal are zeros, also in float32. */
const CLEARLY_ZERO = 1e-4;
/** All samples may have this many more non-zeros than the part, as a share of all codes. */
const MORE_NONZEROS = 0.01;

/** Whether exact atoms of a part leave as many zeros in all samples. */
async function confirm(
  problem: Problem,
  { atoms, offset, signals, theta }: RefineState,
  norm: number,
  precision: Precision,
) {
  const thresholds = signals.map((signal) => CLEARLY_ZERO * signal);
  const { kept, powers } = await problem.about(offset).measure(atoms, thresholds, norm, precision);
  const share = sumOf(kept) / (problem.input.nonZeroSamples * problem.size);
  return { power: sumOf(powers), confirmed: share <= theta + MORE_NONZEROS };
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((sum, value) => sum + value, 0);

/** The state before the first masked pass; undefined if the codes show no zeros. */
async function* enter(
  problem: Problem,
  run: Run,
  start: Matrix64,
  { precision, maxSeconds, hopeful }: Pick<RefinementOptions, 'precision'> & { maxSeconds: number; hopeful: number },
) {
  const counts = await problem.histogram(start);
  const before = assessSparsity(counts);
  if (!(before.advantage >= hopeful)) return undefined;
  const { atoms, iterations } = yield* approach(problem, run, start, precision, maxSeconds);
  const nearer = iterations === 0 ? counts : await problem.histogram(atoms);
  const state = initialRefineState(atoms, nearer, problem.input.conditioning.offset);
  return { state, before, iterations };
}

/** The reason to reject the refined atoms, if any. If it continues from a part, it was compared there. */
function doubtOf(
  after: Credibility,
  before: Credibility | undefined,
  collapse: number | undefined,
): string | undefined {
  const gain = before ? after.likelihood - before.likelihood : Number.POSITIVE_INFINITY;
  if (!(gain > (collapse === undefined ? 0 : COLLAPSE))) return UNCLEAR;
  const needed = Math.max(CREDIBLE_ADVANTAGE, before?.advantage ?? 0);
  return after.advantage >= needed ? undefined : 'the zeros of the codes are not credible';
}

/**
 * With few samples the ℓ3 norm errs less than the ℓ4 norm: a few of its steps bring the atoms close enough to find the
 * right zeros. With many samples, or if the data is not white, the atoms are good enough as they are.
 */
async function* approach(
  problem: Problem,
  run: Run,
  start: Matrix64,
  precision: RefiningPrecision,
  maxSeconds: number,
): AsyncGenerator<Progress, { atoms: Matrix64; iterations: number }> {
  if (problem.samples >= ENOUGH_SAMPLES_PER_ATOM * problem.size || !isWhite(problem.input.coordinates)) {
    return { atoms: start, iterations: 0 };
  }
  const solver = {
    ...mspSolver(problem, { norm: 3, shift: 'auto', precision: exploringPrecision({ precision }), start }),
    name: 'approach',
  };
  const { state, iterations } = yield* run.steps(solver, {
    stop: [
      stopWhenChangeBelow(APPROACH_CHANGE),
      stopAfterIterations(MAX_ITERATIONS),
      stopAfterSeconds(maxSeconds, run.looped),
    ],
    samplesPerStep: problem.samples,
  });
  problem.input.signal?.throwIfAborted();
  return { atoms: solver.atoms(state, true), iterations };
}

const stopWhenMaskFails: StopRule = ({ change }) =>
  Number.isFinite(change) ? undefined : { status: 'exhausted', reason: 'the mask failed' };

/** In every step if the data is not white; otherwise they need not. */
const usualCollapse = ({ input }: Problem): number | undefined => (isWhite(input.coordinates) ? undefined : 1);

/** Ends in time what would be rejected: the level of the zeros, minus the objective, must fall within a number of steps. */
function stopWhenZerosStay(steps: number): StopRule {
  return ({ recentObjectives: recent }) => {
    const [before, now] = [recent.at(-1 - steps), recent.at(-1)!];
    const stays = before !== undefined && now < LOWERED * before;
    return stays && -now > COLLAPSED ? { status: 'exhausted', reason: UNCLEAR } : undefined;
  };
}

/**
 * The error left is what the next step would move, estimated by the ratio of the last two movements; at most the last.
 */
function stopWhenErrorBelow(tolerance: number, earlierChange?: number): StopRule {
  return endingAt({ change: tolerance }, ({ change, recentChanges }) => {
    const previous = recentChanges.at(-2) ?? earlierChange ?? change;
    const left = change * Math.min(1, change / previous);
    return left <= tolerance ? { status: 'converged', reason: `atoms exact to ${left.toExponential(0)}` } : undefined;
  });
}

/**
 * The reported objective is minus the level of the zeros relative to the signal, which limits how well atoms can be
 * known.
 */
function stopAtStatisticalError(samples: number): StopRule {
  return ({ objective, change }) =>
    change <= (USEFUL_FRACTION * -objective) / Math.sqrt(samples)
      ? { status: 'converged', reason: 'the noise of the data allows no better atoms' }
      : undefined;
}
