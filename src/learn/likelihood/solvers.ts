/**
 * The three stages of maximum likelihood as solvers. All take the step of spike-slab.ts; ρ = t²/v is the spike's share of the
 * mean square v of a code.
 *
 * - explore: θ = 1/2 and ρ falls slowly from .5 to .3. The wide spike makes the likelihood smooth enough to find the basin of a
 *   solution from a random start, with a half to a third of the samples that ℓ3 needs.
 * - anneal: the spike narrows whatever the data, θ follows. Where there are exact zeros, t² collapses and the
 *   atoms become exact. Where there are none, its codes soon fill the spike to its edges, and the stage ends.
 * - fit: expectation-maximisation of θ, t² and s² beside the step, without a spread. This is maximum likelihood for codes with
 *   noise: at its end the error of the atoms is the Cramér-Rao limit.
 */
import type { Matrix64, Precision } from '../../core/matrix.ts';
import type { AtomsSolver } from '../../engine/solver.ts';
import { number, orthogonal, whole } from '../../engine/state-shape.ts';
import type { StopRule } from '../../engine/stop.ts';
import type { Problem } from '../problem.ts';
import type { RefiningPrecision } from '../refinement/masked-refinement.ts';
import {
  firstState,
  type LikelihoodState,
  likelihoodShape,
  likelihoodStep,
  meanSquare,
  reportLikelihood,
  type SpikeSlab,
} from './spike-slab.ts';

export const EXPLORED = { from: 0.5, to: 0.3 };

export interface StageOptions {
  readonly start: Matrix64;
  readonly precision: RefiningPrecision;
  /** Weight δ of a sample's energy in its spike width; undefined: all spikes are equally wide. */
  readonly spread?: number | undefined;
}

interface ExploreState extends LikelihoodState {
  /** Steps of the schedule already done. */
  readonly done: number;
}

/** Makes the solver that explores. `steps`: length of the schedule; `done`: where in it to begin. */
export function exploreSolver(
  problem: Problem,
  { start, precision, spread, steps, done = 0 }: StageOptions & { readonly steps: number; readonly done?: number },
): AtomsSolver<ExploreState> {
  const inArithmetic: Precision = precision === 'f64' ? 'f64' : 'f32';
  return {
    ...common(problem, 'explore', precision),
    shape: { ...shapeOf(problem, precision), done: whole() },
    init: async () => ({ ...firstState(problem, start, wide(problem, problem.input.nonZeroSamples, 0)), done }),
    async step(state) {
      const model = wide(problem, state.live, state.done / steps);
      const next = await likelihoodStep(problem, { ...state, ...model }, inArithmetic, spread);
      return { ...next, done: state.done + 1 };
    },
  };
}

/** Returns the distribution after a share of the schedule. */
function wide(problem: Problem, live: number, share: number): SpikeSlab {
  const v = meanSquare(problem, live);
  const spike = v * EXPLORED.from * (EXPLORED.to / EXPLORED.from) ** share;
  return { theta: 0.5, spike, slab: slabOf(v, 0.5, spike) };
}

/** Returns s² such that codes have the mean square v. */
const slabOf = (v: number, theta: number, spike: number): number => (v - (1 - theta) * spike) / theta;

/** Factor by which the spike narrows in a step. */
const NARROWING = 0.85;
/** Below this share of v, the spike narrows to the size of its codes with some room, by at most this factor. */
const NARROW = 0.05;
/** Factors between a spike and its codes. With few samples atoms converge at different speeds, and the spike must hold the zeros of all. */
const ROOM = { usual: 2, withFew: 8, few: 20 };
const MOST_NARROWING = 1 / 6;
/** Narrowest spike, relative to v: as small as squares of rounding errors. */
const NARROWEST = { f32: 1e-11, mixed: 1e-28, f64: 1e-28 };
/** Range of credible shares of non-zeros. */
const SHARES = [0.01, 0.99] as const;
/** Codes fill the spike if their level is at least this share of it. */
const FILLED = 0.95;
/** Exponent of t with which codes leave the spike: near 1, the spike cuts through a density without a mass at zero. */
const FADING = 0.9;
/** Float32 is enough while the spike is this wide, relative to v. */
const WIDE_FOR_FLOAT32 = 1e-5;

const believed = (theta: number): number => Math.min(Math.max(theta, SHARES[0]), SHARES[1]);

interface AnnealState extends LikelihoodState {
  /** t² of the last step. */
  readonly wide: number;
  /** Exponent with which codes leave the spike as it narrows. */
  readonly fading: number;
}

export function annealSolver(
  problem: Problem,
  {
    start,
    precision,
    spread,
    live = problem.input.nonZeroSamples,
  }: StageOptions & { readonly live?: number | undefined },
): AtomsSolver<AnnealState> {
  const room = problem.samples < ROOM.few * problem.size ? ROOM.withFew : ROOM.usual;
  const v = meanSquare(problem, live);
  const spike = EXPLORED.to * v;
  return {
    ...common(problem, 'anneal', precision),
    shape: { ...shapeOf(problem, precision), wide: number, fading: number },
    init: async () => {
      const model = { theta: 0.5, spike, slab: slabOf(v, 0.5, spike) };
      return { ...firstState(problem, start, model), live, wide: Number.NaN, fading: Number.NaN };
    },
    async step(state) {
      const next = await likelihoodStep(problem, state, precisionAt(precision, problem, state), spread);
      const v = meanSquare(problem, next.live);
      const theta = believed(1 - next.inSpike);
      const narrower = Math.max(narrowed(state.spike, next.level, v, room), NARROWEST[precision] * v);
      const fading = fadingOf(state, next.inSpike);
      return {
        ...next,
        fading,
        wide: state.spike,
        theta,
        spike: narrower,
        slab: Math.max(slabOf(v, theta, narrower), 2 * narrower),
      };
    },
  };
}

function narrowed(spike: number, level: number, v: number, room: number): number {
  const most = NARROWING * spike;
  return spike >= NARROW * v ? most : Math.min(Math.max(room * level, MOST_NARROWING * spike), most);
}

const precisionAt = (wanted: RefiningPrecision, problem: Problem, { spike, live }: LikelihoodState): Precision => {
  if (wanted !== 'mixed') return wanted;
  return spike > WIDE_FOR_FLOAT32 * meanSquare(problem, live) ? 'f32' : 'f64';
};

/** Returns α of inSpike ~ t^α between the last two steps; 0 if the spike is at its narrowest. */
const fadingOf = ({ inSpike, spike, wide }: AnnealState, now: number): number =>
  spike === wide ? 0 : Math.log(now / inSpike) / (0.5 * Math.log(spike / wide));

/** Stops when the codes fill a narrow spike and leave it as it narrows: there are no zeros. */
export const stopWithoutZeros =
  (problem: Problem): StopRule<AnnealState> =>
  (_, { wide, level, live, fading }) =>
    wide < NARROW * meanSquare(problem, live) && level > FILLED * wide && fading > FADING
      ? { status: 'exhausted', code: 'no zeros', reason: 'the codes have no exact zeros' }
      : undefined;

export function fitSolver(
  problem: Problem,
  { start, precision, model }: Omit<StageOptions, 'spread'> & { readonly model: SpikeSlab },
): AtomsSolver<LikelihoodState> {
  return {
    ...common(problem, 'fit', precision),
    init: async () => firstState(problem, start, model),
    async step(state) {
      const next = await likelihoodStep(problem, state, precisionAt(precision, problem, state));
      const { live, inSpike, level } = next;
      const v = meanSquare(problem, live);
      const spike = Math.max(level, NARROWEST[precision] * v);
      const theta = believed(1 - inSpike);
      return { ...next, theta, spike, slab: Math.max(slabOf(v, 1 - inSpike, level), 1.01 * spike) };
    },
  };
}

const shapeOf = (problem: Problem, precision: RefiningPrecision) =>
  likelihoodShape(orthogonal(problem.size, problem.size, problem.kernels, precision === 'f64' ? 'f64' : 'f32'));

const common = (problem: Problem, name: string, precision: RefiningPrecision) => ({
  name: `likelihood: ${name}`,
  shape: shapeOf(problem, precision),
  report: (state: LikelihoodState) => reportLikelihood(problem, state),
  atoms: (state: LikelihoodState) => problem.allAtoms(state.atoms),
});
