/** What the page asks for when it learns from a table, what it hears meanwhile, and what it gets. */
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
  /** As for `learn`; `holdout` is left out where there are too few rows for it. */
  readonly options: LearnTableOptions;
}

/** A step of a start: its place in the start, the objective (NaN while refining) and how far the atoms moved. */
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
  /** The atoms now, K×n, if there are few enough to draw. */
  readonly atoms?: { readonly rows: number; readonly cols: number; readonly data: Float32Array };
}

/** What a run has found. */
export interface Learned {
  /** To ask for rows and files of it. */
  readonly number: number;
  /** Rows of the table, and how many of them were held out. */
  readonly rows: number;
  readonly heldOut: number;
  readonly features: readonly string[];
  /** Whether the features have names of their own. */
  readonly isNamed: boolean;
  /** K×n. */
  readonly atoms: Matrix;
  readonly mean?: Float64Array | undefined;
  /** Share of the energy of every atom, if known. */
  readonly energies?: Float64Array | undefined;
  readonly agreement?: metrics.Agreement | undefined;
  readonly starts?: readonly StartReport[] | undefined;
  /** Of the rows held out, or else of all. */
  readonly evaluation: Evaluation;
  /** Codes of the first rows. */
  readonly codes: Matrix;
  readonly histogram: CodeHistogram;
  readonly remarks: readonly string[];
  readonly facts: Pick<LearnResult, 'status' | 'reason' | 'refined' | 'refinement' | 'iterations'> &
    Pick<LearnResult, 'description' | 'backend' | 'threads' | 'seconds' | 'passes' | 'certainty'>;
  /** Bytes of a code. */
  readonly codeBytes: 4 | 8;
}
