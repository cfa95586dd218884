/**
 * MSP that only looks for the basin of a solution, on white data with many samples: every step takes other samples.
 *
 *     A ← polar(G_t − βA),   G_t = φ(X)ᵀ Z over part t
 *
 * A fixed part is fitted with its noise, which holds the run back; the noise of other samples averages out. So parts can be
 * smaller, and the steps never get short. The run has arrived when no atom turns far any more and none is a mixture of two:
 * the value of a mixture, Σ|x|^q, exceeds that of Gaussian codes by half as much as the others' does.
 */
import { addScaled, type Matrix64, type Precision } from '../../core/matrix.ts';
import type { AtomsSolver, SolverState } from '../../engine/solver.ts';
import { number, orthogonal, whole } from '../../engine/state-shape.ts';
import type { StopRule } from '../../engine/stop.ts';
import { polar, roughPolar } from '../../linalg/polar.ts';
import type { Problem } from '../problem.ts';
import { gaussianShift } from './gaussian-shift.ts';
import { partMixtures } from './part-mixtures.ts';

export interface ScoutState extends SolverState {
  readonly atoms: Matrix64;
  /** Parts seen. */
  readonly turn: number;
  readonly objective: number;
  /** Root mean square movement of the atoms in the last step. */
  readonly change: number;
  /** The largest movement of an atom. */
  readonly furthest: number;
  /** The least excess of an atom's value over that of Gaussian codes, relative to the median atom's. */
  readonly weakest: number;
}

export interface ScoutOptions {
  readonly norm: number;
  readonly precision: Precision;
  /** Samples of a part. */
  readonly rows: number;
  /** K×K, orthogonal. */
  readonly start: Matrix64;
}

export function scoutSolver(problem: Problem, options: ScoutOptions): AtomsSolver<ScoutState> {
  const { norm: q, rows, start } = options;
  const { kernels, size: K } = problem;
  const precision = problem.powerPrecision(q, options.precision);
  const share = rows / problem.samples;
  const shift = share * gaussianShift(problem, q);
  return {
    name: 'scout',
    shape: {
      atoms: orthogonal(K, K, kernels, precision),
      turn: whole(),
      objective: number,
      change: number,
      furthest: number,
      weakest: number,
    },
    init: async () => firstState(start),
    async step({ atoms: A, turn }) {
      const response = { kind: 'power', norm: q } as const;
      const { correlation, values } = await problem.turn(rows, turn).correlate(A, response, precision);
      const excess = values.map((value) => value - shift);
      const [least, usual] = leastAndMedian(excess);
      const shifted = addScaled(correlation, -shift, A);
      const next = precision === 'f32' ? roughPolar(shifted, kernels) : polar(shifted, kernels);
      const atoms = usual > 0 ? partMixtures(next, { atoms: A, correlation, excess, usual }) : next;
      const objective = values.reduce((sum, value) => sum + value, 0) / share;
      return { atoms, turn: turn + 1, objective, ...movement(A, atoms), weakest: usual > 0 ? least / usual : 0 };
    },
    report: ({ objective, change }) => ({ objective: problem.reported(objective, q), merit: objective, change }),
    objectiveUnit: problem.objectiveUnit(q),
    atoms: ({ atoms }) => atoms,
  };
}

const firstState = (atoms: Matrix64): ScoutState => ({
  atoms,
  turn: 0,
  objective: Number.NEGATIVE_INFINITY,
  change: Number.POSITIVE_INFINITY,
  furthest: Number.POSITIVE_INFINITY,
  weakest: 0,
});

/** An atom that turns by less may be refined; exploring further parts would leave it as noisy as it is. */
const FURTHEST = 0.5;
/** Mixtures of two have 0.5, the noise of a part leaves the others above this. */
const WEAKEST = 0.65;

export const stopWhenScouted: StopRule<ScoutState> = (_, { furthest, weakest }) =>
  furthest <= FURTHEST && weakest >= WEAKEST
    ? { status: 'converged', reason: `no atom turned by more than ${FURTHEST}` }
    : undefined;

function movement(from: Matrix64, to: Matrix64): { change: number; furthest: number } {
  const { rows, cols } = from;
  let total = 0;
  let most = 0;
  for (let i = 0; i < rows; i++) {
    let square = 0;
    for (let at = i * cols; at < (i + 1) * cols; at++) square += (to.data[at] - from.data[at]) ** 2;
    total += square;
    if (square > most) most = square;
  }
  return { change: Math.sqrt(total / rows), furthest: Math.sqrt(most) };
}

function leastAndMedian(numbers: Float64Array): [least: number, median: number] {
  const sorted = numbers.slice().sort();
  return [sorted[0], sorted[sorted.length >> 1]];
}
