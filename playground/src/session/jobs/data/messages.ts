/** The request, the events and the result of learning from a table. */
import type {
  Evaluation,
  IcaMethodOptions,
  LearnResult,
  Matrix,
  MspMethodOptions,
  metrics,
  StartReport,
} from 'orthodict/browser';
import type { JobProgress } from '../../session.svelte.ts';
import type { CodeHistogram } from './codes.ts';
import type { TableRequest } from './table.ts';

/** The methods that the page offers. */
export type LearnTableOptions = MspMethodOptions | IcaMethodOptions;

export interface LearnRequest extends TableRequest {
  /** Options of `learn`; `holdout` is left out if there are too few rows. */
  readonly options: LearnTableOptions;
}

/** A step of a start: its number, the objective (NaN while refining) and how far the atoms moved. */
export interface Step {
  readonly start: number;
  readonly step: number;
  readonly objective: number;
  readonly change: number;
}

export interface LearnEvent {
  readonly progress: JobProgress;
  /** Steps since the last event. */
  readonly steps?: readonly Step[];
  /** The present atoms, K×n, if there are few enough to draw. */
  readonly atoms?: { readonly rows: number; readonly cols: number; readonly data: Float32Array };
}

/** The result of a run. */
export interface Learned {
  /** Number of the result, for requests of rows and files. */
  readonly number: number;
  /** Number of rows of the table, and of held-out ones. */
  readonly rows: number;
  readonly heldOut: number;
  readonly features: readonly string[];
  /** Whether the features have names of their own. */
  readonly isNamed: boolean;
  /** Atoms, K×n. */
  readonly atoms: Matrix;
  readonly mean?: Float64Array | undefined;
  /** Share of the energy of every atom, if known. */
  readonly energies?: Float64Array | undefined;
  readonly agreement?: metrics.Agreement | undefined;
  readonly starts?: readonly StartReport[] | undefined;
  /** Evaluation on the held-out rows, or on all if there are none. */
  readonly evaluation: Evaluation;
  /** Codes of the first rows. */
  readonly codes: Matrix;
  readonly histogram: CodeHistogram;
  readonly remarks: readonly string[];
  readonly facts: Pick<LearnResult, 'status' | 'reason' | 'refined' | 'refinement' | 'iterations'> &
    Pick<LearnResult, 'description' | 'backend' | 'threads' | 'seconds' | 'passes' | 'certainty'>;
  /** Number of bytes per code. */
  readonly codeBytes: 4 | 8;
}
