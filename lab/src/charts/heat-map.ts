/** A Vega-Lite chart of means over trials on a grid of two parameters, in one or more panels: red is 1, blue is 0. */
import type { ChartSpec } from 'orthodict/node';
import { formatValue } from '../experiments/framework/experiment.ts';
import { type Cell, meanOf } from '../experiments/framework/summary.ts';
import { framed, titleOf } from './look.ts';

export interface HeatPanel {
  readonly title: string;
  readonly cells: readonly Cell[];
}

/** A line over the map. */
export interface HeatCurve {
  /** The value on the y axis where it is, by that on the x axis. */
  up(across: number): number;
  readonly dashed: boolean;
}

export interface HeatMap {
  readonly title: string;
  readonly subtitle: string;
  /** Parameters and their axis titles. */
  readonly across: string;
  readonly x: string;
  readonly up: string;
  readonly y: string;
  readonly colour: string;
  /** Cells with a mean up to this get a dot. */
  readonly dotted: number;
  readonly panels: readonly HeatPanel[];
  readonly curves?: readonly HeatCurve[];
}

/** Largest size of a cell and largest width of a panel, in pixels. */
const CELL = 44;
const WIDTH = 290;

export function heatMap({
  title,
  subtitle,
  across,
  x,
  up,
  y,
  colour,
  dotted,
  panels,
  curves = [],
}: HeatMap): ChartSpec {
  const values = (parameter: string): number[] =>
    [...new Set(panels.flatMap(({ cells }) => cells.map(({ point }) => point[parameter])))].sort((a, b) => a - b);
  const columns = values(across);
  const rows = values(up);
  const step = Math.min(CELL, Math.floor(WIDTH / Math.max(columns.length, rows.length)));
  const axis = { labelAngle: 0, labelOverlap: true, ticks: false };
  const encoding = {
    x: { field: 'x', type: 'ordinal', title: x, sort: columns.map(formatValue), axis },
    y: { field: 'y', type: 'ordinal', title: y, sort: rows.map(formatValue).reverse(), axis },
  };
  const scale = { domain: [0, 1], scheme: 'redyellowblue', reverse: true };
  const layer = [
    {
      mark: { type: 'rect' },
      encoding: { color: { field: 'mean', type: 'quantitative', title: colour, scale } },
    },
    {
      transform: [{ filter: `datum.mean <= ${dotted}` }],
      mark: { type: 'circle', size: step * 1.2, color: 'white', opacity: 1 },
    },
  ];
  const lines = curves.map(({ up: height, dashed }) => ({
    data: { values: columns.map((value) => ({ x: formatValue(value), row: rowAt(rows, height(value)) })) },
    mark: { type: 'line', color: 'black', strokeWidth: 2, clip: true, ...(dashed && { strokeDash: [5, 3] }) },
    encoding: {
      y: { field: 'row', type: 'quantitative', axis: null, scale: { domain: [0, rows.length], nice: false } },
    },
  }));
  return framed({
    title: titleOf(title, subtitle),
    hconcat: panels.map(({ title: text, cells }) => ({
      title: { text, fontSize: 11, anchor: 'middle' },
      width: step * columns.length,
      height: step * rows.length,
      data: {
        values: cells.map((cell) => ({
          x: formatValue(cell.point[across]),
          y: formatValue(cell.point[up]),
          mean: meanOf(cell),
        })),
      },
      encoding,
      ...(lines.length === 0
        ? { layer }
        : { layer: [{ layer }, { layer: lines }], resolve: { scale: { y: 'independent' } } }),
    })),
    resolve: { scale: { color: 'shared' } },
    config: { aria: false, view: { stroke: null } }, // the caption describes it
  });
}

/** Where a value is among the ascending values of the rows, in rows from the bottom; linear between their centres. */
function rowAt(rows: readonly number[], value: number): number {
  const below = rows.filter((row) => row < value).length;
  const k = Math.min(Math.max(below, 1), rows.length - 1);
  return k - 0.5 + (value - rows[k - 1]) / (rows[k] - rows[k - 1]);
}
