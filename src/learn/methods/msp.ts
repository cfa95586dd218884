/**
 * Matching, stretching and projection: maximise ‖X‖_q^q, X = Z Aᵀ, over orthogonal A (q = 4, any even q, or 3).
 *
 *     G = φ(X)ᵀ Z,   A ← polar(G − βA)
 *
 * β = 0 is plain MSP, which is monotone by convexity. Two accelerations lack that guarantee:
 *
 * - shift, for white data: a multiple of A keeps the fixed points and removes the linear rate. β = p σ^q E|N(0,1)|^q,
 *   σ² = ‖Z‖²_F/(pK), is the component of G along A if codes were Gaussian (3‖Y‖⁴_F/(pn²) for q = 4);
 * - momentum, for other data, where directions of little energy forbid a shift: with M_t = polar(G_t) the next point is
 *   polar(M_t + k/(k+3)·(M_t − M_{t−1})), k the steps since the last restart, and 3 at the start. It may end at another local maximum.
 *
 * With `tolerance: 'auto'` the run ends once it has converged to within sampling error (sampling-error.ts). Early steps on data that is
 * not white are taken on coresets (coreset.ts).
 *
 * The objective, which comes with the next pass, safeguards both. A shifted step that lowered it is repeated with a
 * quarter of β, and finally with none. After a step with momentum that lowered it, the run restarts from M_t, which
 * cannot be lower.
 */
import { inputError } from '../../core/errors.ts';
import { addScaled, type Matrix64, type Precision, rootMeanSquareDifference, zeros } from '../../core/matrix.ts';
import { choice, notNegativeOrWord, number as numberOption, numberOrWord, onlyWith } from '../../core/options.ts';
import type { AtomsSolver, SolverState } from '../../engine/solver.ts';
import { matrix, number, orthogonal, type StateShape, whole } from '../../engine/state-shape.ts';
import { polar } from '../../linalg/polar.ts';
import { exploringPrecision } from '../common-options.ts';
import { MOST_NORM } from '../powers.ts';
import type { Problem } from '../problem.ts';
import { enoughFor, gradientVariance, leftToGain } from '../sampling-error.ts';
import { isWhite, maySearch } from '../whitening.ts';
import { gaussianShift } from './gaussian-shift.ts';
import { asSolver, defineMethod } from './method.ts';
import { scoutSolver, stopWhenScouted } from './scout.ts';

/**
 * Scouting detects mixtures of atoms by comparing atoms with each other. With fewer atoms than this, half or all can be mixtures, with
 * zeros of their own: a third of centred runs at 4 atoms ended so. Such problems are small enough to be explored to the end.
 */
const FEWEST_SCOUTED = 16;

/** Number of starts of a fallback, each of which may be continued once. */
const FALLBACK_ATTEMPTS = 6;

/** The option `norm` of the methods that maximise an ℓ_q norm of the codes. */
export const normOption = numberOption(
  {
    placeholder: 'Q',
    default: 4,
    mustBe: `3 or an even number from 4 to ${MOST_NORM}`,
    help: 'maximise the l_q norm of the codes, where q is 3 or an even number; 3 needs fewer samples',
  },
  (q) => q === 3 || (q % 2 === 0 && q >= 4 && q <= MOST_NORM),
);

export const msp = defineMethod({
  name: 'msp',
  summary: 'matching, stretching and projection: maximisation of the l_q norm of the codes, all atoms at once',
  space: 'orthogonal',
  options: {
    norm: normOption,
    shift: numberOrWord(['auto', 'none'], {
      placeholder: 'BETA',
      default: 'auto',
      help: 'auto: the natural shift on white data, where it saves iterations, and none otherwise; none; or a number',
    }),
    momentum: onlyWith(
      { shift: ['auto', 'none', 0] },
      choice(['auto', 'on', 'off'], {
        default: 'auto',
        help: 'auto: on data that is not white, where it saves most of the passes; on: whenever there is no shift; off',
      }),
    ),
    fallback: onlyWith(
      { refine: ['auto'] },
      notNegativeOrWord(['auto', 'none'], {
        placeholder: 'TIMES',
        default: 'auto',
        help: 'maximum-likelihood search (see ml) if the atoms are not certified and most of them have the same energy; auto: for about as long as the run took, at least a second; none; or this many times as long',
      }),
    ),
  },
  describe: (settings) => `msp, l${settings.norm} norm`,
  scouting: {
    // exploring is fast and reliable enough to stop early only with a shift; coresets are for what replaces it
    wanted(problem, { shift, momentum, start }) {
      if (start) return 'nothing';
      if (isWhite(problem.input.coordinates)) {
        return shift === 'auto' && problem.size >= FEWEST_SCOUTED ? 'basin' : 'nothing';
      }
      return hasMomentum(problem, momentum, shift) ? 'coresets' : 'nothing';
    },
    solver: (problem, rows, settings, start) =>
      asSolver(scoutSolver(problem, { ...settings, precision: exploringPrecision(settings), rows, start })),
    arrived: stopWhenScouted,
    norm: (settings) => settings.norm,
  },
  search(problem, { fallback, start }) {
    const isOff = fallback === 'none' || start !== undefined;
    const mayHelp = problem.isUneven || maySearch(problem.input.coordinates, problem.size, problem.samples);
    if (isOff || problem.size < 2 || !mayHelp) return undefined;
    const times = fallback === 'auto' ? 1 : fallback;
    return { times, attempts: FALLBACK_ATTEMPTS * Math.max(1, times) };
  },
  solver(problem, settings, start) {
    const { norm, shift, tolerance } = settings;
    const momentum = hasMomentum(problem, settings.momentum, shift);
    const judged = tolerance === 'auto' || problem.samples < problem.input.allSamples;
    return asSolver(
      mspSolver(problem, { norm, shift, momentum, judged, precision: exploringPrecision(settings), start }),
    );
  },
});

/** Whether momentum replaces a shift that is not used. */
function hasMomentum({ input }: Problem, momentum: 'auto' | 'on' | 'off', shift: Shift): boolean {
  const white = isWhite(input.coordinates);
  const shifted = shift === 'auto' ? white : shift !== 'none' && shift !== 0;
  return !shifted && (momentum === 'on' || (momentum === 'auto' && !white));
}

/** `auto`: the natural β if the data is white; a number: β itself, in the units of the samples. */
export type Shift = 'auto' | 'none' | number;

export interface MspOptions {
  readonly norm: number;
  readonly shift: Shift;
  /** Use momentum; excludes a shift. */
  readonly momentum?: boolean;
  /** Estimate how much is left to gain (see sampling-error.ts). */
  readonly judged?: boolean;
  readonly precision: Precision;
  /** K×K, orthogonal. */
  readonly start: Matrix64;
}

export interface MspState extends SolverState {
  /** The next point to evaluate. */
  readonly candidate: Matrix64;
  /** The best point evaluated, with its gradient direction and objective. */
  readonly accepted: Matrix64;
  readonly correlation: Matrix64;
  readonly objective: number;
  /** M: where the step from the accepted point leads without momentum. */
  readonly matched: Matrix64;
  readonly shift: number;
  /** k, the steps with momentum since the last restart; −1: no momentum. */
  readonly streak: number;
  readonly change: number;
  /** v, the variance of the gradient, at an earlier point; zero before it is known. */
  readonly variance: Matrix64;
  /** Steps since `variance` was computed. */
  readonly age: number;
  /** Estimate of what was left to gain at the accepted point; infinite if unknown. */
  readonly left: number;
}

type Evaluated = Pick<MspState, 'accepted' | 'correlation' | 'objective' | 'change'>;

const MOMENTUM_DELAY = 3;
/** k after a restart at the start: the first step is followed by half of itself, as the start may already be good. */
const FIRST_STREAK = 3;
/** Estimating the gain left costs time, so it begins when a step gains less than this share of the objective. */
const JUDGE_BELOW = 0.01;
/** While more than this is left to gain, the variance of an earlier point is good enough. */
const FRESH_BELOW = 4;
const FRESH_EVERY = 4;
const SHRINK = 0.25;
const SMALLEST_SHIFT = 1 / 64;
/** A relative fall of the objective below this is rounding. */
const OBJECTIVE_ROUNDING = { f32: 1e-6, f64: 1e-13 } as const;

export function mspSolver(problem: Problem, options: MspOptions): AtomsSolver<MspState> {
  const { norm: q, start } = options;
  const precision = problem.powerPrecision(q, options.precision);
  const natural = gaussianShift(problem, q);
  const initialShift = chooseShift(problem, options.shift, natural, q);
  const slack = OBJECTIVE_ROUNDING[precision];
  const white = isWhite(problem.input.coordinates);
  // if directions differ much in energy, float32 would lose the weak ones
  const polarPrecision = white ? precision : 'f64';
  const enough = enoughFor(problem);

  const follow = (A: Matrix64, G: Matrix64, shift: number) =>
    polar(addScaled(G, -shift, A), problem.kernels, polarPrecision);
  const withMomentum = (current: Matrix64, previous: Matrix64, streak: number) => {
    const weight = streak / (streak + MOMENTUM_DELAY);
    if (!(weight > 0)) return current;
    return polar(addScaled(current, weight, addScaled(current, -1, previous)), problem.kernels, precision);
  };

  /** Uses the variance of an earlier point, and recomputes it here before the run may end. */
  const judge = async (state: MspState, next: Evaluated) => {
    const { accepted: A, correlation: G, objective } = next;
    const slowing = objective - state.objective < JUDGE_BELOW * objective;
    if (!options.judged || !slowing) return { left: Number.POSITIVE_INFINITY };
    const stale = leftToGain(G, A, state.variance, problem.kernels, precision);
    const known = stale < Number.POSITIVE_INFINITY;
    if (known && (stale > FRESH_BELOW * enough || (stale > enough && state.age < FRESH_EVERY))) {
      return { left: stale, age: state.age + 1 };
    }
    const variance = await gradientVariance(problem, A, q);
    return variance
      ? { variance, age: 0, left: leftToGain(G, A, variance, problem.kernels, precision) }
      : { left: Number.POSITIVE_INFINITY };
  };

  return {
    name: 'msp',
    shape: shapeOf(problem, precision),
    init: async () => firstState(start, initialShift, options.momentum === true),
    async step(state) {
      const { correlation, values } = await problem.correlate(state.candidate, { kind: 'power', norm: q }, precision);
      const objective = values.reduce((sum, value) => sum + value, 0);
      const fell = objective < state.objective * (1 - slack);
      if (fell && state.shift > 0) {
        const smaller = state.shift * SHRINK;
        const shift = smaller < natural * SMALLEST_SHIFT ? 0 : smaller;
        const matched = follow(state.accepted, state.correlation, shift);
        return { ...state, shift, matched, candidate: matched };
      }
      if (fell && state.streak > 0) return { ...state, streak: 0, candidate: state.matched };
      const accepted = state.candidate;
      const matched = follow(accepted, correlation, state.shift);
      const candidate = withMomentum(matched, state.matched, state.streak);
      const streak = state.streak < 0 ? -1 : state.streak + 1;
      const change = rootMeanSquareDifference(matched, accepted);
      const judged = await judge(state, { accepted, correlation, objective, change });
      return { ...state, candidate, accepted, correlation, objective, matched, streak, change, ...judged };
    },
    report: ({ objective, change, left }) => ({
      objective: problem.reported(objective, q),
      merit: objective,
      change,
      left,
    }),
    objectiveUnit: problem.objectiveUnit(q),
    // a plain step cannot have lowered the objective; a shifted one is trusted once it has converged
    atoms: ({ matched, accepted, shift }, converged) => (converged || shift <= 0 ? matched : accepted),
  };
}

function shapeOf({ size: K, kernels }: Problem, precision: Precision): StateShape<MspState> {
  const atoms = orthogonal(K, K, kernels, precision);
  return {
    candidate: atoms,
    accepted: atoms,
    correlation: matrix(K, K),
    objective: number,
    matched: atoms,
    shift: number,
    streak: whole(-1),
    change: number,
    variance: matrix(K, K),
    age: whole(),
    left: number,
  };
}

const firstState = (start: Matrix64, shift: number, momentum: boolean): MspState => ({
  candidate: start,
  accepted: start,
  correlation: start,
  objective: Number.NEGATIVE_INFINITY,
  matched: start,
  shift,
  streak: momentum ? FIRST_STREAK : -1,
  change: Number.POSITIVE_INFINITY,
  variance: zeros(start.rows, start.cols),
  age: 0,
  left: Number.POSITIVE_INFINITY,
});

function chooseShift(problem: Problem, shift: Shift, natural: number, q: number): number {
  if (shift === 'none' || shift === 0) return 0;
  if (shift === 'auto') return isWhite(problem.input.coordinates) ? natural : 0;
  const scaled = shift * problem.input.unit ** q;
  if (Number.isFinite(scaled)) return scaled;
  const advice = `${shift}, whose effect on samples this small overflows; multiply the samples by a constant`;
  throw inputError('learn', 'shift, or -1/step,', 'small against the powers of the samples', advice);
}
