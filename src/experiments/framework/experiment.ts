/**
 * One table or figure of a paper: which trials it consists of, how they are drawn, what they must show.
 *
 * A trial is a grid point and a seed; it measures some numbers, all it depends on is in the point and the seed. Everything else
 * (running, resuming, summarising, pages) is the same for all experiments and knows none of them.
 */
import type { Picture } from '../../images/picture.ts';
import type { ChartSpec } from '../../node/files/chart.ts';
import type { DataPackage } from '../../node/files/data-package.ts';
import type { Summary } from './summary.ts';

/** Values of the parameters. */
export type Point = Readonly<Record<string, number>>;

/** Numbers by the name of the measure; undefined where a contender does not take part. */
export type Measured = Readonly<Record<string, number | undefined>>;

export interface Measure {
  readonly name: string;
  /** In tables and legends. */
  readonly label: string;
}

export interface Grid {
  readonly points: readonly Point[];
  readonly trials: number;
  /** How it differs from what the paper has. */
  readonly words: string;
}

export interface Reference {
  /** Parameters it does not name may have any value. */
  readonly point: Point;
  readonly measure: string;
  readonly value: number;
}

export interface Claim {
  readonly words: string;
  check(summary: Summary): Finding;
}

export interface Finding {
  /** Undefined where the grid lacks the points that would tell. */
  readonly holds: boolean | undefined;
  /** The figures on which this rests. */
  readonly measured: string;
}

export interface Chart {
  /** Added to the experiment's name where there are several. */
  readonly suffix?: string;
  /** What a reader sees who does not see the picture. */
  readonly caption: string;
  readonly spec: ChartSpec;
}

/** What trials have found, where it is something to look at. */
export interface Gallery {
  /** Added to the experiment's name. */
  readonly suffix: string;
  /** What a reader sees who does not see the picture. */
  readonly caption: string;
  draw(trials: readonly Trial[]): Promise<Picture>;
}

export interface Experiment {
  readonly name: string;
  /** Name of all experiments of the same paper. */
  readonly group: string;
  /** Further names that select it: of the figure it is a part of, or of another paper that shows the same. */
  readonly aliases?: readonly string[];
  /** One trial at a time: it uses all cores, or its runs serve several points. */
  readonly alone?: boolean;
  readonly title: string;
  /** Paper and figure. */
  readonly source: string;
  /** Data, contenders, what is measured: paragraphs of the page. */
  readonly setting: readonly string[];
  readonly parameters: readonly string[];
  readonly measures: readonly Measure[];
  readonly full: Grid;
  readonly quick: Grid;
  trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured>;
  charts(summary: Summary): readonly Chart[];
  readonly galleries?: readonly Gallery[];
  /** Without this it cannot be run. */
  readonly data?: DataPackage;
  readonly claims: readonly Claim[];
  /** The paper's numbers, or what else there is to compare with. */
  readonly references: readonly Reference[];
  /** Where the references come from. */
  readonly referenceWords: string;
  /** The measures of the paper's own method and of ours, lower is better: the page says how far apart they are. */
  readonly rivals?: {
    readonly paper: string;
    readonly ours: string;
    /** Who they are, if not "the paper's method" and "orthodict". */
    readonly who?: { readonly paper: string; readonly ours: string };
  };
  /** The same in words of its own, where the measures are not errors. */
  gain?(summary: Summary): string;
}

export interface Trial {
  readonly trial: number;
  readonly seed: number;
  readonly point: Point;
  readonly measured: Measured;
  readonly seconds: number;
}

/** All combinations, the last parameter fastest. */
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

/** Parameters as pages write them. */
const SYMBOLS: Readonly<Record<string, string>> = { theta: 'θ', alpha: 'α', snr: 'SNR', norm: '2k' };

export const symbolOf = (parameter: string): string => SYMBOLS[parameter] ?? parameter;

export const formatValue = (value: number): string => (value === Number.POSITIVE_INFINITY ? '∞' : String(value));

/** `m = 3, p = 20` */
export function describePoint(point: Point, names: readonly string[] = Object.keys(point)): string {
  return names.map((name) => `${symbolOf(name)} = ${formatValue(point[name])}`).join(', ');
}
