/**
 * Coordinate ascent on the orthogonal group (Shalit & Chechik 2014): one plane rotation at a time, each by the exact
 * best angle.
 *
 *     maximise f(A) over A Aᵀ = I:     φ = argmax f(R(i, j, φ) A),   A ← R(i, j, φ) A
 *     R: row_i, row_j ← c row_i + s row_j, c row_j − s row_i         c = cos φ, s = sin φ
 *
 * The objective knows f: the best angle in a plane and how to rotate its own state (codes, a rotated tensor). The engine
 * knows the order of the planes, when to end, and what to keep. f never falls, since φ = 0 is among the angles.
 * Rotations stay in one component of the group (det A = ±1). An objective that differs for a row and its negative also
 * returns the gain of flipping a row's sign, which leads to the other component.
 *
 * Every sweep first makes A orthogonal again if rounding has made it drift, and recomputes the objective's state from
 * A. So errors do not add up over sweeps, and a run resumed from a checkpoint does the same arithmetic as one that was
 * never stopped.
 */
import { breather } from '../core/breathe.ts';
import { copy, type Matrix64, rootMeanSquareDifference } from '../core/matrix.ts';
import type { AtomsSolver, SolverState } from '../engine/solver.ts';
import { number, orthogonal, type StateShape, whole } from '../engine/state-shape.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { rotateRows } from '../kernels/planes.ts';
import { referenceKernels } from '../kernels/reference.ts';
import { determinantSign } from '../linalg/lu.ts';
import { orthogonalityError, polar } from '../linalg/polar.ts';
import { type Group, type Pair, type PairRule, sweepOf, tournamentRounds } from './pairs.ts';
import { isTaken, type PlaneRotation, type Planes, rotatePlane } from './plane-rotation.ts';

/** A function f of an orthogonal matrix that can find its best angle in every plane. */
export interface RotationObjective extends Planes {
  /** Number of rows of A. */
  readonly size: number;
  /**
   * Recomputes its state from A. Called before every sweep; `change` is how far the last one moved the rows of A (root
   * mean square), if there was one.
   */
  restore(A: Matrix64, change?: number): void | Promise<void>;
  /** The value of f at the present state. */
  value(): number;
  /**
   * Rotates groups of planes without common rows at once, if that is possible: `best` and `rotate` for every plane, in
   * order within a group, skipping angles up to `leastAngle`. Returns the rotations in the order of the planes.
   */
  readonly rotateGroups?:
    | ((groups: readonly Group[], leastAngle: number) => Promise<readonly PlaneRotation[]>)
    | undefined;
  /** Set if f is not even in every row. */
  readonly signs?: {
    /** The gain of f if row i is negated. */
    gain(i: number): number;
    flip(i: number): void;
  };
}

/** Options of the ascent: the start, the order of the planes, and details. */
export interface GivensOptions {
  /** Orthogonal matrix to start from, d×d. */
  readonly start: Matrix64;
  /** Order of the planes. */
  readonly pairs?: PairRule | undefined;
  /** Seed of the order of the planes. */
  readonly seed?: number | undefined;
  /** Rotations by smaller angles are skipped. */
  readonly leastAngle?: number | undefined;
  /** Kernels to use; default: the readable reference. */
  readonly kernels?: Kernels | undefined;
  /** Signal that ends a sweep early. */
  readonly signal?: AbortSignal | undefined;
  /** Name of the solver in its progress. */
  readonly name?: string | undefined;
}

export const givensDefaults = Object.freeze({
  pairs: 'tournament',
  seed: 0,
  leastAngle: 1e-15,
} as const satisfies Partial<GivensOptions>);

/** The state of an ascent after a sweep. */
export interface GivensState extends SolverState {
  readonly atoms: Matrix64;
  readonly objective: number;
  /** Sum of the gains of the last sweep. */
  readonly gain: number;
  /** Norm of the gradient ‖∇f‖_F; each entry is from the visit to its plane in the last sweep. */
  readonly gradient: number;
  /** Rotations and flipped signs of the last sweep, and of all sweeps. */
  readonly moves: number;
  readonly allMoves: number;
  readonly sweeps: number;
  /** det A: 1 or −1. */
  readonly determinant: number;
  /** How far the last sweep moved the rows of A (root mean square). */
  readonly change: number;
}

/** A is made orthogonal again when ‖A Aᵀ − I‖ reaches this. */
const DRIFT = 1e-13;

/** Coordinate ascent as a solver: a step is a sweep. */
export function givensSolver(objective: RotationObjective, options: GivensOptions): AtomsSolver<GivensState> {
  const { start, signal, name = 'givens', kernels = referenceKernels } = options;
  const { pairs = givensDefaults.pairs, seed = givensDefaults.seed, leastAngle = givensDefaults.leastAngle } = options;
  const breathe = breather(signal);
  let rounds: readonly Group[][] | undefined; // made once
  const rotateRounds = async (sweep: Sweep, rotateGroups: NonNullable<RotationObjective['rotateGroups']>) => {
    rounds ??= tournamentRounds(objective.size);
    for (const groups of rounds) {
      const rotations = await rotateGroups(groups, leastAngle);
      for (const [k, pair] of groups.flat().entries()) sweep.follow(pair, rotations[k]);
      signal?.throwIfAborted();
    }
  };
  const rotatePlanes = async (sweep: Sweep, number: number) => {
    const order = sweepOf(pairs, objective.size, seed, number);
    for (let next = order.next(); !next.done; ) {
      const moved = sweep.follow(next.value, rotatePlane(objective, next.value, leastAngle));
      const pause = breathe();
      if (pause) await pause;
      next = order.next(moved);
    }
  };

  return {
    name,
    shape: shapeOf(start, kernels),
    async init() {
      await objective.restore(start);
      return firstState(start, objective.value());
    },
    async step(state) {
      const drifted = orthogonalityError(state.atoms, kernels) > DRIFT;
      const sweep = new Sweep(drifted ? polar(state.atoms, kernels) : copy(state.atoms), leastAngle);
      await objective.restore(sweep.A, state.change);
      if (objective.signs) sweep.flipSigns(objective.signs);
      if (pairs === 'tournament' && objective.rotateGroups) await rotateRounds(sweep, objective.rotateGroups);
      else await rotatePlanes(sweep, state.sweeps);
      return nextState(state, sweep, objective.value());
    },
    report: ({ objective: value, change }) => ({ objective: value, change }),
    atoms: ({ atoms }) => atoms,
  };
}

/** One sweep: its changes of A, and its gain. */
class Sweep {
  gain = 0;
  moves = 0;
  /** Σ (df/dφ)² over both entries of every plane. */
  squares = 0;
  /** det A after the sweep over det A before. */
  determinant = 1;

  constructor(
    readonly A: Matrix64,
    readonly leastAngle: number,
  ) {}

  /** Negates every row whose negation raises f. */
  flipSigns({ gain, flip }: NonNullable<RotationObjective['signs']>): void {
    const { rows, cols, data } = this.A;
    for (let i = 0; i < rows; i++) {
      const more = gain(i);
      if (!(more > 0)) continue;
      flip(i);
      for (let k = i * cols; k < (i + 1) * cols; k++) data[k] = -data[k];
      this.determinant = -this.determinant;
      this.gain += more;
      this.moves++;
    }
  }

  /** Rotates A in the same way as the rows of the objective; false if the angle was too small. */
  follow([i, j]: Pair, rotation: PlaneRotation): boolean {
    this.squares += 2 * rotation.slope ** 2;
    if (!isTaken(rotation, this.leastAngle)) return false;
    rotateRows(this.A, i, j, Math.cos(rotation.angle), Math.sin(rotation.angle));
    this.gain += rotation.gain;
    this.moves++;
    return true;
  }
}

const shapeOf = ({ rows, cols }: Matrix64, kernels: Kernels): StateShape<GivensState> => ({
  atoms: orthogonal(rows, cols, kernels),
  objective: number,
  gain: number,
  gradient: number,
  moves: whole(),
  allMoves: whole(),
  sweeps: whole(),
  determinant: whole(-1, 1),
  change: number,
});

const firstState = (start: Matrix64, objective: number): GivensState => ({
  atoms: start,
  objective,
  gain: Number.POSITIVE_INFINITY,
  gradient: Number.POSITIVE_INFINITY,
  moves: 0,
  allMoves: 0,
  sweeps: 0,
  determinant: determinantSign(start),
  change: Number.POSITIVE_INFINITY,
});

const nextState = (before: GivensState, sweep: Sweep, objective: number): GivensState => ({
  atoms: sweep.A,
  objective,
  gain: sweep.gain,
  gradient: Math.sqrt(sweep.squares),
  moves: sweep.moves,
  allMoves: before.allMoves + sweep.moves,
  sweeps: before.sweeps + 1,
  determinant: before.determinant * sweep.determinant,
  change: rootMeanSquareDifference(sweep.A, before.atoms),
});
