/**
 * MSP that only looks for the basin of a solution, on white data with many samples: every step uses other samples.
 *
 *     A ← polar(G_t − βA),   G_t = φ(X)ᵀ Z over part t
 *
 * A fixed part is fitted with its noise, which holds the run back; the noise of other samples averages out. So parts can be
 * smaller, and the steps never get short. An atom has settled when it no longer turns far and is no mixture of two: the value of
 * a mixture, Σ|x|^q, exceeds that of Gaussian codes by half as much as the others' does. Late steps move only atoms W for which
 * that is not clear, within their span:
 *
 *     W ← polar((G_W − βW) Wᵀ) W
 */
import { addScaled, copy, type Matrix64, type Precision, range, row, selectRows } from '../../core/matrix.ts';
import type { AtomsSolver, SolverState } from '../../engine/solver.ts';
import { number, orthogonal, vector, whole } from '../../engine/state-shape.ts';
import type { StopRule } from '../../engine/stop.ts';
import { polar, roughPolar } from '../../linalg/polar.ts';
import type { Problem } from '../problem.ts';
import { gaussianShift } from './gaussian-shift.ts';
import { partMixtures } from './part-mixtures.ts';

export interface ScoutState extends SolverState {
  readonly atoms: Matrix64;
  /** Number of parts visited. */
  readonly turn: number;
  /** Excess of the value of each atom, before it was last moved, over that of Gaussian codes. */
  readonly excess: Float64Array;
  /** Distance that each atom was last moved. */
  readonly moved: Float64Array;
  /** Root mean square movement of the atoms in the last step. */
  readonly change: number;
}

export interface ScoutOptions {
  readonly norm: number;
  readonly precision: Precision;
  /** Number of samples of a part. */
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
  const polarOf = (G: Matrix64) => (precision === 'f32' ? roughPolar(G, kernels) : polar(G, kernels));
  const stepWithin = (G: Matrix64, W: Matrix64) =>
    W.rows === K ? polarOf(G) : kernels.multiply(polarOf(kernels.multiply(G, W, 'nt')), W);

  return {
    name: 'scout',
    shape: {
      atoms: orthogonal(K, K, kernels, precision),
      turn: whole(),
      excess: vector(K),
      moved: vector(K, { least: 0 }),
      change: number,
    },
    init: async () => firstState(start),
    async step(state) {
      const chosen = toMove(state);
      const W = chosen.length === K ? state.atoms : selectRows(state.atoms, chosen);
      const response = { kind: 'power', norm: q } as const;
      const { correlation, values } = await problem.turn(rows, state.turn).correlate(W, response, precision);
      const excess = replaced(
        state.excess,
        chosen,
        values.map((value) => value - shift),
      );
      const next = stepWithin(addScaled(correlation, -shift, W), W);
      const own = { atoms: W, correlation, excess: Float64Array.from(chosen, (i) => excess[i]) };
      return moveTo(state, chosen, partMixtures(next, { ...own, usual: median(excess) }), excess);
    },
    report({ excess, change }) {
      const objective = excess.reduce((sum, value) => sum + value + shift, 0) / share;
      return { objective: problem.reported(objective, q), merit: objective, change };
    },
    objectiveUnit: problem.objectiveUnit(q),
    atoms: ({ atoms }) => atoms,
  };
}

/** Largest distance of two unit vectors. */
const FARTHEST = 2;

const firstState = (atoms: Matrix64): ScoutState => ({
  atoms,
  turn: 0,
  excess: new Float64Array(atoms.rows),
  moved: new Float64Array(atoms.rows).fill(FARTHEST),
  change: Number.POSITIVE_INFINITY,
});

/**
 * An atom that turns by less than `moved` has settled if its excess is above this share of the usual one. Mixtures of two have
 * half of it; the noise of a part moves it by a tenth or so.
 */
const SETTLED = { moved: 0.5, excess: 0.65 };
const CLEARLY_SETTLED = { moved: 0.3, excess: 0.8 };
/** Unsettled atoms are moved alone if they are few, after a short step, among many, and not in every step. */
const ALONE = { share: 0.5, change: 0.45, among: 64, every: 3 };

/** Returns the atoms that have not settled. */
function unsettled({ excess, moved }: ScoutState, settled = SETTLED): number[] {
  const least = settled.excess * Math.max(median(excess), 0);
  return range(moved.length).filter((i) => moved[i] > settled.moved || !(excess[i] > least));
}

function toMove(state: ScoutState): number[] {
  const K = state.moved.length;
  const late = K >= ALONE.among && state.change <= ALONE.change && state.turn % ALONE.every > 0;
  const some = late ? unsettled(state, CLEARLY_SETTLED) : [];
  return some.length > 0 && some.length <= ALONE.share * K ? some : range(K);
}

export const stopWhenScouted: StopRule<ScoutState> = (_, state) =>
  unsettled(state).length === 0
    ? { status: 'converged', code: 'settled', reason: `every atom turned by at most ${SETTLED.moved}` }
    : undefined;

/** Returns the state with new atoms in the chosen rows. */
function moveTo(state: ScoutState, chosen: readonly number[], next: Matrix64, excess: Float64Array): ScoutState {
  const atoms = copy(state.atoms);
  const moved = state.moved.slice();
  let total = 0;
  for (let k = 0; k < chosen.length; k++) {
    const i = chosen[k];
    const to = row(next, k);
    const square = squaredDistance(row(state.atoms, i), to);
    moved[i] = Math.sqrt(square);
    total += square;
    atoms.data.set(to, i * atoms.cols);
  }
  return { atoms, turn: state.turn + 1, excess, moved, change: Math.sqrt(total / atoms.rows) };
}

function squaredDistance(from: Float64Array, to: Float64Array): number {
  let square = 0;
  for (let j = 0; j < to.length; j++) square += (to[j] - from[j]) ** 2;
  return square;
}

function replaced(numbers: Float64Array, places: readonly number[], by: Float64Array): Float64Array {
  const out = numbers.slice();
  for (let k = 0; k < places.length; k++) out[places[k]] = by[k];
  return out;
}

const median = (numbers: Float64Array): number => numbers.slice().sort()[numbers.length >> 1];
