/**
 * Decides whether and how to refine a learned dictionary, and never makes it worse.
 *
 * The codes must fit a spike and slab better than a single shape, by a larger margin after than before, and be likelier
 * under it than before. If the data is not white, atoms of different energies can look like a small gain, and so can the edge of a
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
import { policy } from '../policy.ts';
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
  reportRefinement,
} from './masked-refinement.ts';
import { meanShare, partPairs, someAreMixtures } from './mixed-pairs.ts';
import { refineComplete } from './refine-complete.ts';
import { refineOrthogonal } from './refine-orthogonal.ts';

export interface RefinementOptions {
  /** `orthogonal`: A stays orthogonal in working coordinates; `complete`: it need not be. */
  readonly kind: 'orthogonal' | 'complete';
  readonly precision: RefiningPrecision;
  /** The start is near a solution but not yet a maximum: reject atoms that are still mixtures of two. */
  readonly fromBasin?: boolean | undefined;
  /** Continues from a refinement on part of the samples, which has shown that there are zeros to refine with. */
  readonly from?: RefineState | undefined;
  /** q of the objective Σ|x|^q, if exploring had one. */
  readonly norm?: number | undefined;
  /** Time limit in seconds. */
  readonly maxSeconds?: number | undefined;
  /** Number of times that pairs of mixtures may be separated and refined again. */
  readonly attempts?: number | undefined;
  /** Largest share of non-zeros of the result, if the start is separated mixtures. */
  readonly than?: number | undefined;
  /** Steps within which the level of the zeros must fall, again and again to the end; undefined: no limit. Default: `usualCollapse`. */
  readonly collapse?: number | undefined;
  /** Least advantage of the spike and slab over a single shape, in nats per code, for an attempt. Default: HOPEFUL_ADVANTAGE. */
  readonly hopeful?: number | undefined;
}

export interface RefinementOutcome {
  readonly atoms: Matrix64;
  /** The refined offset, if the samples are centred; absent: the mean sample. */
  readonly offset?: Float64Array | undefined;
  readonly refined: boolean;
  /** Last state; absent if the result was rejected. */
  readonly state?: RefineState;
  readonly iterations: number;
  /** Why the result was kept or rejected, as text for the user. */
  readonly note: string;
  readonly aborted: boolean;
  /** Whether the time limit ended it. */
  readonly late?: boolean;
  /** Σ|x|^q at these atoms, if a pass computed it. */
  readonly power?: number;
}

const MAX_ITERATIONS = 60;
const ENOUGH_SAMPLES_PER_ATOM = 50;
const APPROACH_CHANGE = 1e-3;
/** Least advantage of the spike and slab over a single shape, in nats per code: default to start; next: to be accepted. */
const HOPEFUL_ADVANTAGE = 0.01;
export const CREDIBLE_ADVANTAGE = 0.012;
/** Least gain in likelihood, in nats per code, if zeros must collapse. */
const COLLAPSE = 1;
/** Largest ratio of the levels of zeros of two steps, if zeros must collapse; exact zeros fall by far more. */
const LOWERED = 0.8;
/** Levels of zeros below this, relative to the signal, have collapsed: float32 may hold them there for a step. */
const COLLAPSED = 1e-4;
const UNCLEAR = { code: 'unclear', reason: 'the zeros of the codes did not get clearer' };
/** Error of the atoms, below which they are exact for every purpose; float32 ends earlier. */
const EXACT = { f32: 1e-6, mixed: 1e-11, f64: 1e-11 } as const;
/** Least useful movement, as a fraction of the statistical error of an atom's entry. */
const USEFUL_FRACTION = 0.02;

export async function* refinement(
  problem: Problem,
  run: Run,
  start: Matrix64,
  {
    kind,
    precision,
    fromBasin,
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
    ? { state: from, iterations: 0, before: undefined, least: Number.NEGATIVE_INFINITY }
    : yield* enter(problem, run, start, { precision, maxSeconds, hopeful });
  if (!entry) return kept('the codes show no zeros to refine with');
  const settings = { kind, precision, maxSeconds, collapse };
  const { before } = entry;
  const isProbed = before && before.advantage < policy.refine.clearAdvantage && isWhite(problem.input.coordinates);
  const probe = isProbed ? yield* probeOf(problem, run, entry, settings) : undefined;
  const probed = entry.iterations + (probe?.iterations ?? 0);
  if (probe?.status === 'aborted') return kept('aborted', probed, true);
  if (probe && !probe.isClearer) return kept(UNCLEAR.reason, probed);
  const outcome = yield* maskedSteps(problem, run, probe?.state ?? entry.state, {
    ...settings,
    earlierChange: probe?.state.change ?? from?.change,
    probe: probe?.state,
  });
  const iterations = probed + outcome.iterations;
  if (outcome.status === 'aborted') return kept('aborted', iterations, true);
  if (outcome.code === 'no mask' || outcome.code === UNCLEAR.code) return kept(outcome.reason, iterations);
  const { state, counts } = await closeRefinement(problem, outcome.state);
  const credibility = assessSparsity(counts);
  const share = meanShare(counts);
  const doubt = than === undefined ? doubtOf(credibility, before, collapse) : doubtOfParted(credibility, share, than);
  if (doubt) return kept(doubt, iterations);
  const mixed = someAreMixtures(counts);
  if (fromBasin && mixed) return kept('some atoms are mixtures', iterations);
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

type MaskedStepsOptions = Pick<RefinementOptions, 'kind' | 'precision' | 'maxSeconds' | 'collapse'> &
  Pick<MaskedRefinementOptions, 'dense'> & {
    readonly earlierChange?: number | undefined;
    /** Most steps. */
    readonly most?: number;
    /** State after the first step, against which the next ones must show that the zeros get clearer. */
    readonly probe?: RefineState | undefined;
  };

/**
 * Takes one step: where codes have zeros, they are likelier after it. Codes with heavy tails look as if they had zeros, but
 * become less likely, and the refinement ends here.
 */
async function* probeOf(
  problem: Problem,
  run: Run,
  { state: start, least }: { readonly state: RefineState; readonly least: number },
  settings: MaskedStepsOptions,
) {
  const { status, state, iterations } = yield* maskedSteps(problem, run, start, { ...settings, most: 1 });
  if (status === 'aborted' || !Number.isFinite(state.change)) return { status, state, iterations, isClearer: true };
  const { likelihood } = assessSparsity(await problem.about(state.offset).histogram(state.atoms));
  return { status, state, iterations, isClearer: likelihood > least };
}

/** Runs the masked steps from a state to their end. */
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
    most = MAX_ITERATIONS,
    probe,
  }: MaskedStepsOptions,
): AsyncGenerator<Progress, Outcome<RefineState>> {
  const refine = kind === 'orthogonal' ? refineOrthogonal : refineComplete;
  return yield* run.steps(refine(problem, { start, precision, dense }), {
    stop: [
      stopWhenMaskFails,
      stopWhenErrorBelow(EXACT[precision], earlierChange),
      stopAtStatisticalError(problem.samples),
      ...(collapse === undefined ? [] : [stopWhenZerosStay(collapse)]),
      ...(probe ? [stopAfterProbation(probe)] : []),
      stopAfterIterations(most),
      stopAfterSeconds(maxSeconds, run.looped),
    ],
    samplesPerStep: problem.samples,
  });
}

/** Returns why separated mixtures are rejected, if they are: they must be sparser than before, as they are no less exact. */
const doubtOfParted = ({ advantage }: Credibility, share: number, than: number): string | undefined =>
  advantage >= CREDIBLE_ADVANTAGE && share < than ? undefined : 'parted mixtures are not sparser';

/** Codes below this share of the signal are zeros, even in float32. */
const CLEARLY_ZERO = 1e-4;
/** Largest excess of non-zeros in all samples over those in the part, as a share of all codes. */
const MORE_NONZEROS = 0.01;

/** Checks that exact atoms of a part leave as many zeros in all samples. */
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

/** Makes the state before the first masked pass; undefined if the codes show no zeros. */
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
  const least = iterations === 0 ? before.likelihood : Math.min(before.likelihood, assessSparsity(nearer).likelihood);
  return { state, before, least, iterations };
}

/** Returns the reason to reject the refined atoms, if any. One that continues from a part was compared there. */
function doubtOf(
  after: Credibility,
  before: Credibility | undefined,
  collapse: number | undefined,
): string | undefined {
  const gain = before ? after.likelihood - before.likelihood : Number.POSITIVE_INFINITY;
  if (!(gain > (collapse === undefined ? 0 : COLLAPSE))) return UNCLEAR.reason;
  const needed = Math.max(CREDIBLE_ADVANTAGE, before?.advantage ?? 0);
  return after.advantage >= needed ? undefined : 'the zeros of the codes are not credible';
}

/**
 * Approaches the solution. With few samples the ℓ3 norm errs less than the ℓ4 norm: a few of its steps bring the atoms close enough to find the
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
      stopAfterIterations(policy.refine.approachSteps),
      stopAfterSeconds(maxSeconds, run.looped),
    ],
    samplesPerStep: problem.samples,
  });
  problem.input.signal?.throwIfAborted();
  return { atoms: solver.atoms(state, true), iterations };
}

const stopWhenMaskFails: StopRule = ({ change }) =>
  Number.isFinite(change)
    ? undefined
    : { status: 'exhausted', code: 'no mask', reason: 'zeros and non-zeros could not be told apart' };

/** Default of `collapse`: every step if the data is not white; otherwise no limit. */
const usualCollapse = ({ input }: Problem): number | undefined => (isWhite(input.coordinates) ? undefined : 1);

/** Stops after a few steps that have neither lowered the level of the zeros, minus the objective, nor brought the atoms to rest. */
function stopAfterProbation(first: RefineState): StopRule {
  const { steps, level, change: rest } = policy.refine.probation;
  const { objective, change: before } = reportRefinement(first);
  return ({ iteration, objective: now, change }) =>
    iteration === steps && now < level * objective && change > rest * before
      ? { status: 'exhausted', ...UNCLEAR }
      : undefined;
}

/** Stops early what would be rejected: the level of the zeros, minus the objective, must fall within a number of steps. */
function stopWhenZerosStay(steps: number): StopRule {
  return ({ recentObjectives: recent }) => {
    const [before, now] = [recent.at(-1 - steps), recent.at(-1)!];
    const stays = before !== undefined && now < LOWERED * before;
    return stays && -now > COLLAPSED ? { status: 'exhausted', ...UNCLEAR } : undefined;
  };
}

/**
 * Stops when the error left is small: the movement of the next step, estimated by the ratio of the last two; at most the last.
 */
function stopWhenErrorBelow(tolerance: number, earlierChange?: number): StopRule {
  return endingAt({ change: tolerance }, ({ change, recentChanges }) => {
    const previous = recentChanges.at(-2) ?? earlierChange ?? change;
    const left = change * Math.min(1, change / previous);
    return left <= tolerance
      ? { status: 'converged', code: 'settled', reason: `atoms settled to ${left.toExponential(0)}` }
      : undefined;
  });
}

/**
 * Stops at the statistical error. The objective is minus the level of the zeros relative to the signal, which limits the accuracy of
 * the atoms.
 */
function stopAtStatisticalError(samples: number): StopRule {
  return ({ objective, change }) =>
    change <= (USEFUL_FRACTION * -objective) / Math.sqrt(samples)
      ? { status: 'converged', code: 'noise', reason: 'the noise of the data allows no better atoms' }
      : undefined;
}
