/** Medians with their spread along a parameter, as a Vega-Lite chart of one or several panels. */
import type { ChartSpec } from '../node/chart.ts';
import type { Cell } from './summary.ts';

export interface Line {
  /** Colour: what is compared. */
  readonly colour: string;
  /** Stroke: by which method. Left out where the colour says everything. */
  readonly stroke?: string;
  readonly cells: readonly Cell[];
}

export interface LineChart {
  readonly title: string;
  readonly subtitle: string | readonly string[];
  /** The parameter along which the lines go, and its name on the axis. */
  readonly along: string;
  readonly x: string;
  readonly y: string;
  readonly panels: ReadonlyArray<{ readonly title?: string; readonly lines: readonly Line[] }>;
}

/** Nothing below is told apart on a logarithmic axis: rounding. */
const FLOOR = 1e-16;
/** Ratio of the largest to the smallest value from which the axis is logarithmic. */
const DECADES = 30;
const COLOURS = ['#4c78a8', '#f58518', '#54a24b', '#e45756', '#72b7b2'];
const DASHES = [
  [1, 0],
  [6, 4],
  [2, 3],
];
const WIDTH = 460;

export function lineChart({ title, subtitle, along, x, y, panels }: LineChart): ChartSpec {
  const lines = panels.flatMap((panel) => panel.lines);
  const values = lines.flatMap(({ cells }) => cells.flatMap(({ low, high }) => [low, high]));
  const [least, most] = [Math.max(Math.min(...values), FLOOR), Math.max(...values, FLOOR)];
  const logarithmic = most / least > DECADES;
  const scale = logarithmic
    ? { type: 'log', domain: [10 ** Math.floor(Math.log10(least)), 10 ** Math.ceil(Math.log10(most))], nice: false }
    : { zero: true };
  const axis = logarithmic ? { format: '.0e', tickCount: 8, gridOpacity: 0.5 } : { format: '~g', gridOpacity: 0.5 };
  const colours = [...new Set(lines.map(({ colour }) => colour))];
  const strokes = [...new Set(lines.flatMap(({ stroke }) => stroke ?? []))];
  const width = Math.round((WIDTH * (1 + 0.35 * (panels.length - 1))) / panels.length);
  const legend = {
    orient: panels.length > 1 ? 'bottom' : 'right',
    labelLimit: 0,
    titleLimit: 0,
    symbolStrokeWidth: 2.5,
  };
  const encoding = {
    x: { field: 'x', type: 'quantitative', title: x, scale: { zero: false }, axis: { tickMinStep: 1, grid: false } },
    color: { field: 'colour', type: 'nominal', sort: colours, title: null, legend, scale: { range: COLOURS } },
    ...(strokes.length > 0 && {
      strokeDash: { field: 'stroke', type: 'nominal', sort: strokes, title: null, legend, scale: { range: DASHES } },
    }),
  };
  const value = { type: 'quantitative', scale, axis, title: y };
  const drawn = panels.map((panel) => ({
    ...(panel.title && { title: { text: panel.title, fontSize: 11 } }),
    width,
    height: 260,
    data: { values: panel.lines.flatMap((line) => marksOf(line, along)) },
    encoding,
    layer: [
      { mark: { type: 'area', opacity: 0.15 }, encoding: { y: { ...value, field: 'low' }, y2: { field: 'high' } } },
      {
        mark: { type: 'line', point: { size: 28, strokeDash: [1, 0] }, clip: false },
        encoding: { y: { ...value, field: 'median' } },
      },
    ],
  }));
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: { text: title, subtitle, anchor: 'start', offset: 12, subtitleColor: '#555' },
    background: 'white',
    padding: 12,
    ...(drawn.length === 1
      ? drawn[0]
      : { hconcat: drawn, resolve: { scale: { color: 'shared', strokeDash: 'shared' } } }),
    config: { view: { stroke: '#ddd' }, font: 'DejaVu Sans, Helvetica, Arial, sans-serif' },
  };
}

function marksOf({ colour, stroke, cells }: Line, along: string) {
  const clip = (value: number) => Math.max(value, FLOOR);
  return cells.map(({ point, median, low, high }) => ({
    x: point[along],
    colour,
    ...(stroke && { stroke }),
    median: clip(median),
    low: clip(low),
    high: clip(high),
  }));
}
