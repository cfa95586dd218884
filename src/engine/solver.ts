/**
 * The contract of a solver: `init` and `step` on plain state. A solver knows nothing of loops, stopping, progress,
 * files or threads: it asks its problem for sums, and `iterate` drives it.
 */
import type { Matrix64 } from '../core/matrix.ts';
import { type Field, number, type SolverState, type StateShape } from './state-shape.ts';

export type { SolverState };

/** How a step went. */
export interface StepReport {
  /** What the solver maximises, or whatever shows its progress best. */
  readonly objective: number;
  /** The objective in units that neither overflow nor underflow, to detect a stall; default: the objective. */
  readonly merit?: number;
  /** How far the last step moved the atoms. */
  readonly change: number;
  /** The gain that is left, in units of the squared standard error of the samples, for solvers that know it. */
  readonly left?: number | undefined;
}

/** A method as the loop sees it: a first state, and a step from one state to the next. */
export interface Solver<S extends SolverState> {
  readonly name: string;
  /** The fields of every state that `init` and `step` return. */
  readonly shape: StateShape<S>;
  init(): Promise<S>;
  step(state: S): Promise<S>;
  report(state: S): StepReport;
  /** The atoms to keep if the run ends here; `converged`: whether it ended by convergence. */
  atoms?(state: S, converged: boolean): Matrix64;
}

/** The state of many solvers: the atoms, and how the last step went. */
export interface AtomsState extends SolverState {
  readonly atoms: Matrix64;
  readonly objective: number;
  readonly change: number;
}

/** The state before the first step. */
export const initialState = (atoms: Matrix64): AtomsState => ({
  atoms,
  objective: Number.NEGATIVE_INFINITY,
  change: Number.POSITIVE_INFINITY,
});

/** The shape of an {@link AtomsState}; `atoms`: the field for the atoms. */
export const atomsShape = (atoms: Field): StateShape<AtomsState> => ({ atoms, objective: number, change: number });

/** A solver that learns a dictionary. */
export interface AtomsSolver<S extends SolverState = SolverState> extends Solver<S> {
  atoms(state: S, converged: boolean): Matrix64;
  /** The objective is reported for the samples divided by this number; default: 1. */
  readonly objectiveUnit?: number | undefined;
  /** The rotations, G×4, if the atoms are a product of them (up to order and signs). */
  rotations?(state: S): Matrix64;
}
