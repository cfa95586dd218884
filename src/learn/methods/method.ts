/**
 * Interface of a learning method: its name, its options and its solver. `learn`, the command line, the help texts,
 * docs/cli.md and the contract tests are all derived from it. Methods of this package have a line in index.ts; a custom
 * method is passed to `learn` as an object.
 */
import type { Matrix64 } from '../../core/matrix.ts';
import type { OptionTable, SettingsOf } from '../../core/options.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import type { Run } from '../../engine/run.ts';
import type { AtomsSolver, SolverState } from '../../engine/solver.ts';
import type { Source } from '../../engine/source/source.ts';
import type { Progress, Status, Verdict } from '../../engine/stop.ts';
import type { CommonName, CommonSettings } from '../common-options.ts';
import type { PathStep } from '../pipeline.ts';
import type { Problem } from '../problem.ts';
import type { Remark } from '../remarks.ts';

/** A method of `learn`: its options, its solver and its passes. See docs/add-a-solver.md. */
export interface Method<
  N extends string = string,
  T extends OptionTable = OptionTable,
  C extends CommonName = CommonName,
  S = SettingsOfMethod<T>,
> {
  readonly name: N;
  /** One line, for --help and the documentation. */
  readonly summary: string;
  /** A method for comparison: listed last. */
  readonly forComparison?: boolean;
  /** Options of this method alone. */
  readonly options: T;
  /** Defaults of the common options that differ. */
  readonly defaults?: Partial<CommonSettings>;
  /** Common options that can only have this value, with the reason. */
  readonly fixed?: Partial<Record<CommonName, readonly [value: unknown, reason: string]>>;
  /** Common options that the method accepts; default: all. */
  readonly takes?: readonly C[];
  /**
   * `orthogonal`: K×K atoms, orthogonal in working coordinates; the start is such a matrix.
   * `free`: any number of K×n atoms in the samples' own coordinates; the start has unit rows.
   * `fixed`: atoms that do not depend on a start.
   */
  readonly space: 'orthogonal' | 'free' | 'fixed';
  /**
   * Codes are independent but need not be sparse: dense codes cause no remark, and a refinement is kept only if the
   * zeros collapse.
   */
  readonly independent?: boolean;
  /** Rejects invalid combinations of options. */
  check?(settings: S): void;
  /** Rejects options that do not fit the shape of the data, before it is read. */
  fit?(shape: Shape, settings: S): void;
  /** Describes the method in a few words, for the summary of a run; default: its name. */
  describe?(settings: S): string;
  /** How to stop early because the refinement takes over, if the method can (see pipeline.ts). */
  readonly scouting?: Scouting<S>;
  /**
   * Returns the limits of the maximum-likelihood search that follows uncertified atoms; undefined: no search. A method without a
   * solver consists of this search.
   */
  search?(problem: Problem, settings: S): SearchLimits | undefined;
  /** Finds the atoms step by step. */
  solver?(problem: Problem, settings: S, start: Matrix64): AtomsSolver;
  /** Makes the dictionary at the end of a run; default: depends on `space` and whitening (see finish.ts). */
  finish?(problem: Problem, end: Ended, settings: S): Dictionary;
  /** Replaces the solver: does the whole job itself, where a `Problem` does not fit. */
  learn?(source: Source, settings: S, run: Run): Promise<Learned>;
}

/** Options in force by name, including those of the method. */
export type LearnSettings = CommonSettings & { readonly method: string } & Readonly<Record<string, unknown>>;
/** Settings passed to the hooks of a method with this option table. */
export type SettingsOfMethod<T extends OptionTable> = CommonSettings & { readonly method: string } & SettingsOf<T>;

/** Size of the samples. */
export interface Shape {
  /** Samples. */
  readonly rows: number;
  /** Features. */
  readonly cols: number;
}

/**
 * `basin`: explore a part of the samples until the basin of a solution is reached, where a refinement can take over.
 * `coresets`: explore coresets until converged to within their sampling error; then all samples.
 */
export type Scout = 'nothing' | 'basin' | 'coresets';

/** Describes how a method explores a part of the samples first. */
export interface Scouting<S> {
  wanted(problem: Problem, settings: S): Scout;
  /** Makes a solver that looks for the basin of a solution, on parts of this many samples. */
  solver(problem: Problem, rows: number, settings: S, start: Matrix64): AtomsSolver;
  /** Returns a verdict once its state has reached the basin. */
  arrived(progress: Progress, state: SolverState): Verdict | undefined;
  /** q of its objective Σ|x|^q. */
  norm(settings: S): number;
}

/** Limits of a search. */
export interface SearchLimits {
  /** Largest cost of the search, as a multiple of the run's cost so far. */
  readonly times: number;
  readonly attempts: number;
}

/** Atoms at the end of exploring and refining. */
export interface Ended {
  readonly atoms: Matrix64;
  /** Set if the atoms are a product of rotations. */
  readonly rotations?: Matrix64 | undefined;
}

/** Result of a method that does the whole job itself. */
export interface Learned {
  readonly dictionary: Dictionary;
  /** The share of the samples' energy in the codes of every atom, if known. */
  readonly energies?: Float64Array | undefined;
  readonly status: Status;
  readonly reason: string;
  readonly iterations: number;
  readonly objective: number;
  /** Divisor of the samples for which the objective is reported; default: 1. */
  readonly objectiveUnit?: number;
  readonly refined: boolean;
  readonly refinement: string;
  /** The phases that the run took; default: none. */
  readonly path?: readonly PathStep[];
  /** Remarks for the user; default: none. */
  readonly remarks?: readonly Remark[];
  /** Numbers that only this method reports. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A method of any type: its hooks get the settings that its own options have produced. */
export type AnyMethod<N extends string = string> = Method<N, OptionTable, CommonName, LearnSettings>;

/** Checks the types of a method. Everything else is checked when it is used. */
export const defineMethod = <const N extends string, T extends OptionTable, C extends CommonName = CommonName>(
  method: Method<N, T, C>,
): Method<N, T, C> => method;

/** Checks the types of a solver: its hooks take the state that it declares; loops treat the state as opaque. */
export const asSolver = <S extends SolverState>(solver: AtomsSolver<S>): AtomsSolver => solver;
