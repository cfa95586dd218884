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
 *   polar(M_t + k/(k+3)·(M_t − M_{t−1})), k the steps since the last restart. It may end at another local maximum.
 *
 * The objective, which comes with the next pass, safeguards both. A shifted step that lowered it is repeated with a
 * quarter of β, and finally with none. After a step with momentum that lowered it, the run restarts from M_t, which
 * cannot be lower.
 */
import { inputError } from '../../core/errors.ts';
import { addScaled, type Matrix64, type Precision, rootMeanSquareDifference } from '../../core/matrix.ts';
import { numberOrWord, onlyWith, toggle } from '../../core/options.ts';
import type { AtomsSolver, SolverState } from '../../engine/solver.ts';
import { matrix, number, orthogonal, type StateShape, whole } from '../../engine/state-shape.ts';
import { polar } from '../../linalg/polar.ts';
import { exploringPrecision } from '../common-options.ts';
import { isWhite } from '../coordinates.ts';
import type { Problem } from '../problem.ts';
import { gaussianShift } from './gaussian-shift.ts';
import { asSolver, defineMethod } from './method.ts';
import { norm } from './norm-option.ts';
import { scoutSolver, stopWhenScouted } from './scout.ts';

export const msp = defineMethod({
  name: 'msp',
  summary: 'matching, stretching and projection: the l_q norm of the codes, all atoms at once',
  space: 'orthogonal',
  options: {
    norm,
    shift: numberOrWord(['auto', 'none'], {
      placeholder: 'BETA',
      default: 'auto',
      help: 'auto: the natural shift on white data, which saves iterations, otherwise none; none; or the shift itself',
    }),
    momentum: onlyWith(
      { shift: ['auto', 'none', 0] },
      toggle({ help: 'use momentum if there is no shift: far fewer passes, perhaps another local maximum' }),
    ),
  },
  describe: (settings) => `msp, l${settings.norm} norm`,
  scouting: {
    // exploring is fast and reliable enough to stop early, or to use fewer samples, only with a shift
    wanted: (problem, { shift, start }) => shift === 'auto' && !start && isWhite(problem.input.coordinates),
    solver: (problem, rows, settings, start) =>
      asSolver(scoutSolver(problem, { ...settings, precision: exploringPrecision(settings), rows, start })),
    arrived: stopWhenScouted,
    norm: (settings) => settings.norm,
  },
  solver: (problem, settings, start) =>
    asSolver(mspSolver(problem, { ...settings, precision: exploringPrecision(settings), start })),
});

/** `auto`: the natural β if the data is white; a number: β itself, in the units of the samples. */
export type Shift = 'auto' | 'none' | number;

export interface MspOptions {
  readonly norm: number;
  readonly shift: Shift;
  /** Use momentum if there is no shift. */
  readonly momentum?: boolean;
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
  /** k: steps with momentum since the last restart; −1: no momentum. */
  readonly streak: number;
  readonly change: number;
}

const MOMENTUM_DELAY = 3;
const SHRINK = 0.25;
const SMALLEST_SHIFT = 1 / 64;
/** A smaller relative fall of the objective is rounding. */
const OBJECTIVE_ROUNDING = { f32: 1e-6, f64: 1e-13 } as const;

export function mspSolver(problem: Problem, options: MspOptions): AtomsSolver<MspState> {
  const { norm: q, start } = options;
  const precision = problem.powerPrecision(q, options.precision);
  const natural = gaussianShift(problem, q);
  const initialShift = chooseShift(problem, options.shift, natural, q);
  const slack = OBJECTIVE_ROUNDING[precision];
  // if directions differ much in energy, float32 would blur the weak ones
  const polarPrecision = isWhite(problem.input.coordinates) ? precision : 'f64';

  const follow = (A: Matrix64, G: Matrix64, shift: number) =>
    polar(addScaled(G, -shift, A), problem.kernels, polarPrecision);
  const withMomentum = (current: Matrix64, previous: Matrix64, streak: number) => {
    const weight = streak / (streak + MOMENTUM_DELAY);
    if (!(weight > 0)) return current;
    return polar(addScaled(current, weight, addScaled(current, -1, previous)), problem.kernels, precision);
  };

  return {
    name: 'msp',
    shape: shapeOf(problem, precision),
    init: async () => firstState(start, initialShift, options.momentum === true && initialShift === 0),
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
      return { ...state, candidate, accepted, correlation, objective, matched, streak, change };
    },
    report: ({ objective, change }) => ({ objective: problem.reported(objective, q), merit: objective, change }),
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
  };
}

const firstState = (start: Matrix64, shift: number, momentum: boolean): MspState => ({
  candidate: start,
  accepted: start,
  correlation: start,
  objective: Number.NEGATIVE_INFINITY,
  matched: start,
  shift,
  streak: momentum ? 0 : -1,
  change: Number.POSITIVE_INFINITY,
});

function chooseShift(problem: Problem, shift: Shift, natural: number, q: number): number {
  if (shift === 'none' || shift === 0) return 0;
  if (shift === 'auto') return isWhite(problem.input.coordinates) ? natural : 0;
  const scaled = shift * problem.input.unit ** q;
  if (Number.isFinite(scaled)) return scaled;
  const advice = `${shift}, whose effect on samples this small overflows; multiply the samples by a constant`;
  throw inputError('learn', 'shift, or -1/step,', 'small against the powers of the samples', advice);
}
