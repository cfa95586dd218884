/**
 * One table or figure of a paper: its trials, its charts, and its claims.
 *
 * A trial is a grid point and a seed; it measures some numbers and depends on nothing else. Running, resuming,
 * summarising and writing pages is the same code for all experiments.
 */
import type { Picture } from 'orthodict';
import type { ChartSpec } from 'orthodict/node';
import type { DataPackage } from '../../data-package.ts';
import type { Summary } from './summary.ts';
import type { Measure, Measured, Point, Trial } from './trial.ts';

export type { Measure, Measured, Point, Trial };

export interface Grid {
  readonly points: readonly Point[];
  readonly trials: number;
  /** How it differs from the paper. */
  readonly words: string;
}

export interface Reference {
  /** Omitted parameters match any value. */
  readonly point: Point;
  readonly measure: string;
  readonly value: number;
}

export interface Claim {
  readonly words: string;
  check(summary: Summary): Finding;
}

export interface Finding {
  /** Undefined if the grid lacks the points needed. */
  readonly holds: boolean | undefined;
  /** The figures behind the verdict. */
  readonly measured: string;
}

export interface Chart {
  /** Appended to the experiment's name if there are several. */
  readonly suffix?: string;
  /** Text for readers who cannot see the picture. */
  readonly caption: string;
  readonly spec: ChartSpec;
}

/** A picture of what the trials found. */
export interface Gallery {
  /** Appended to the experiment's name. */
  readonly suffix: string;
  /** Text for readers who cannot see the picture. */
  readonly caption: string;
  draw(trials: readonly Trial[]): Promise<Picture>;
}

export interface Experiment {
  readonly name: string;
  /** Shared by all experiments of a paper. */
  readonly group: string;
  /** Further names that select it: the figure it is part of, or another paper that shows the same. */
  readonly aliases?: readonly string[];
  /** Run one trial at a time: a trial uses all cores, or its runs serve several points. */
  readonly alone?: boolean;
  readonly title: string;
  /** Paper and figure. */
  readonly source: string;
  /** Data, methods and measures: paragraphs of the page. */
  readonly setting: readonly string[];
  readonly parameters: readonly string[];
  readonly measures: readonly Measure[];
  readonly full: Grid;
  readonly quick: Grid;
  trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured>;
  charts(summary: Summary): readonly Chart[];
  readonly galleries?: readonly Gallery[];
  /** Required data, if any. */
  readonly data?: DataPackage;
  readonly claims: readonly Claim[];
  /** A table that sums up the numbers. */
  overview?(summary: Summary): string;
  /** The paper's numbers, or others to compare with. */
  readonly references: readonly Reference[];
  /** Where the references come from. */
  readonly referenceWords: string;
  /** Measures of the paper's own method and of ours, lower is better: the page reports the ratio. */
  readonly compared?: {
    readonly paper: string;
    readonly ours: string;
    /** Their names, if not "the paper's method" and "orthodict". */
    readonly who?: { readonly paper: string; readonly ours: string };
  };
  /** Replaces that report if the measures are not errors. */
  gain?(summary: Summary): string;
  /** What a reader should know of how the trials went. */
  remark?(summary: Summary): string;
}

/** All combinations; the last parameter varies fastest. */
export function pointsOf(values: Readonly<Record<string, readonly number[]>>): Point[] {
  return Object.entries(values).reduce<Point[]>(
    (points, [name, choices]) => points.flatMap((point) => choices.map((value) => ({ ...point, [name]: value }))),
    [{}],
  );
}

/** from, from + step, … to. */
export function range(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, k) => from + k * step);
}

/** Parameter symbols on pages. */
const SYMBOLS: Readonly<Record<string, string>> = {
  theta: 'θ',
  alpha: 'α',
  epsilon: 'ε',
  sigma: 'σ',
  snr: 'SNR',
  norm: '2k',
};

export const symbolOf = (parameter: string): string => SYMBOLS[parameter] ?? parameter;

export const formatValue = (value: number): string => (value === Number.POSITIVE_INFINITY ? '∞' : String(value));

/** `m = 3, p = 20` */
export function describePoint(point: Point, names: readonly string[] = Object.keys(point)): string {
  return names.map((name) => `${symbolOf(name)} = ${formatValue(point[name])}`).join(', ');
}
