/** A Vega-Lite chart of medians and their spread along a parameter, in one or more panels. */
import type { ChartSpec } from 'orthodict/node';
import { type LinePoint, pointLook, pointsOf, type Series } from './line-points.ts';
import { framed, titleOf } from './look.ts';

export interface Line extends Series {
  /** Stroke: which method. Omit it if the colour says everything. */
  readonly stroke?: string;
}

export interface Panel {
  readonly title?: string;
  readonly lines: readonly Line[];
  /** Axis title, if panels differ. */
  readonly y?: string;
  /** Default: logarithmic if the values differ by more than a factor of 30. */
  readonly logarithmic?: boolean;
}

export interface LineChart {
  readonly title: string;
  readonly subtitle: string;
  /** The parameter along the x axis, and its title. */
  readonly along: string;
  readonly x: string;
  readonly y: string;
  /** Whether the x axis is logarithmic. */
  readonly xLogarithmic?: boolean;
  readonly panels: readonly Panel[];
}

/** Lowest value on a logarithmic axis: anything below is rounding. */
const FLOOR = 1e-16;
/** Ratio of the largest to the smallest value above which the axis is logarithmic. */
const FACTOR = 30;
const MOST_TICKS = 9;
const COLOURS = ['#4c78a8', '#f58518', '#54a24b', '#e45756', '#72b7b2', '#999999', '#b279a2', '#9d755d'];
const DASHES = [
  [6, 3],
  [1, 0],
];
/** Panel widths: of a single panel, of two, of more. */
const WIDTHS = [600, 330, 270];

export function lineChart({ title, subtitle, along, x, y, xLogarithmic, panels }: LineChart): ChartSpec {
  const lines = panels.flatMap((panel) => panel.lines).filter(({ cells }) => cells.length > 0);
  const colours = [...new Set(lines.map(({ colour }) => colour))];
  const strokes = [...new Set(lines.flatMap(({ stroke }) => stroke ?? []))];
  const symbols = { symbolType: 'stroke', symbolOpacity: 1, symbolStrokeWidth: 2.5, symbolSize: 400 };
  const legend = { orient: 'bottom', direction: 'horizontal', columns: 5, labelLimit: 0, ...symbols };
  const points = panels.map((panel) => panel.lines.flatMap((line) => pointsOf(line, along, floorOf(panel))));
  const color = { field: 'colour', type: 'nominal', title: null, scale: { domain: colours, range: COLOURS } };
  const pointLegend = { ...legend, symbolType: undefined, symbolStrokeWidth: 1.5, symbolSize: 60 };
  const look = pointLook(points.flat(), color, pointLegend);
  const encoding = {
    x: { field: 'x', type: 'quantitative', title: x, ...alongAxis(xLogarithmic, points.flat()) },
    color: { ...color, legend },
    ...(strokes.length > 0 && {
      strokeDash: { field: 'stroke', type: 'nominal', legend: null, scale: { domain: strokes, range: DASHES } },
    }),
  };
  const drawn = panels.map((panel, k) => ({
    title: { text: panel.title ?? '', fontSize: 11, anchor: 'middle' },
    width: WIDTHS[Math.min(panels.length, WIDTHS.length) - 1],
    height: 260,
    data: { values: panel.lines.flatMap((line) => marksOf(line, along, floorOf(panel))) },
    encoding,
    layer: layersOf(panel, panel.y ?? y, points[k], look),
  }));
  return framed({
    title: titleOf(title, [subtitle, ...strokeWords(strokes)]),
    hconcat: drawn,
    resolve: { scale: { color: 'shared', strokeDash: 'shared', shape: 'shared' } },
    config: {
      aria: false, // the caption describes it
      legend: { layout: { bottom: { anchor: 'start', direction: 'vertical' } } },
    },
  });
}

/** A line of the subtitle, in place of a legend. */
function strokeWords(strokes: readonly string[]): string[] {
  return strokes.length > 0 ? [strokes.map((stroke, k) => `${['dashed', 'solid'][k]}: ${stroke}`).join(', ')] : [];
}

/** The spread, then the line of medians, then the points. */
function layersOf(panel: Panel, y: string, points: readonly LinePoint[], look: object) {
  const value = { type: 'quantitative', title: y, ...axisOf(panel) };
  return [
    {
      mark: { type: 'area', opacity: 0.15 },
      encoding: {
        y: { ...value, field: 'low' },
        y2: { field: 'high' },
        detail: { field: 'stroke' },
        strokeDash: { value: [1, 0] },
      },
    },
    {
      mark: { type: 'line' },
      encoding: { y: { ...value, field: 'median' } },
    },
    {
      data: { values: points },
      mark: { type: 'point', opacity: 1, strokeWidth: 1.5 },
      encoding: { y: { ...value, field: 'at' }, ...look },
    },
  ];
}

/** A logarithmic axis has ticks where there are points, if these are few. */
function alongAxis(logarithmic = false, points: readonly LinePoint[] = []) {
  if (!logarithmic) {
    const whole = points.every(({ x }) => Number.isInteger(x));
    return { scale: { zero: false }, axis: { ...(whole && { tickMinStep: 1 }), grid: false } };
  }
  const values = [...new Set(points.map(({ x }) => x))];
  const ticks = values.length <= MOST_TICKS ? { values } : {};
  const format = values.some((value) => value < 1) ? '~g' : '~s'; // no milli and micro
  return { scale: { type: 'log', nice: false }, axis: { format, grid: false, ...ticks } };
}

/** Smallest and largest value, clipped to what a logarithmic axis shows. */
function extent({ lines }: Panel): [least: number, most: number] {
  const values = lines.flatMap(({ cells, references = [] }) => [
    ...cells.flatMap(({ low, high }) => [low, high]),
    ...references.map(({ value }) => value),
  ]);
  return [Math.max(Math.min(...values), FLOOR), Math.max(...values, FLOOR)];
}

function isLogarithmic(panel: Panel): boolean {
  const [least, most] = extent(panel);
  return panel.logarithmic ?? most / least > FACTOR;
}

/** What a value is raised to, to be on the axis. */
const floorOf = (panel: Panel): number => (isLogarithmic(panel) ? FLOOR : Number.NEGATIVE_INFINITY);

/** Linear from zero, or logarithmic with ticks at powers of ten. */
function axisOf(panel: Panel) {
  if (!isLogarithmic(panel)) return { scale: { zero: true }, axis: { format: '~r', gridOpacity: 0.5 } };
  const [least, most] = extent(panel);
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const step = Math.ceil((to - from + 1) / MOST_TICKS);
  const ticks = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, k) => 10 ** (to - k * step));
  return {
    scale: { type: 'log', domain: [10 ** from, 10 ** to], nice: false },
    axis: { values: ticks, format: '.0e', gridOpacity: 0.5 },
  };
}

function marksOf({ colour, stroke, cells }: Line, along: string, floor: number) {
  const clip = (value: number) => Math.max(value, floor);
  return cells.map(({ point, median, low, high }) => ({
    x: point[along],
    colour,
    ...(stroke && { stroke }),
    median: clip(median),
    low: clip(low),
    high: clip(high),
  }));
}
