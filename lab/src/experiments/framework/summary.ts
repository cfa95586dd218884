/** Summarises trials as medians with spread: one cell per grid point and measure. */
import type { Measure, Point, Trial } from './trial.ts';

export interface Cell {
  readonly point: Point;
  readonly measure: string;
  /** Ascending. */
  readonly values: Float64Array;
  readonly median: number;
  /** The middle 80 % of the trials. */
  readonly low: number;
  readonly high: number;
}

export interface Summary {
  readonly points: readonly Point[];
  readonly measures: readonly Measure[];
  readonly cells: readonly Cell[];
  /** Parameters that differ between points, in the experiment's order. */
  readonly varying: readonly string[];
}

const SPREAD = [0.1, 0.9] as const;

interface Design {
  readonly parameters: readonly string[];
  readonly measures: readonly Measure[];
}

export function summarise({ parameters, measures }: Design, trials: readonly Trial[]): Summary {
  const points = new Map<string, { point: Point; trials: Trial[] }>();
  for (const trial of trials) {
    const key = parameters.map((name) => trial.point[name]).join();
    const group = points.get(key) ?? { point: trial.point, trials: [] };
    group.trials.push(trial);
    points.set(key, group);
  }
  const groups = [...points.values()].sort((a, b) => comparePoints(a.point, b.point, parameters));
  const cells = groups.flatMap(({ point, trials: own }) =>
    measures.flatMap(({ name }) =>
      cellOf(
        point,
        name,
        own.map(({ measured }) => measured[name]),
      ),
    ),
  );
  const varying = parameters.filter((name) => new Set(groups.map(({ point }) => point[name])).size > 1);
  return { points: groups.map(({ point }) => point), measures, cells, varying };
}

function comparePoints(a: Point, b: Point, parameters: readonly string[]): number {
  const name = parameters.find((parameter) => a[parameter] !== b[parameter]);
  return name === undefined ? 0 : a[name] - b[name];
}

function cellOf(point: Point, measure: string, measured: readonly (number | undefined)[]): Cell[] {
  const values = Float64Array.from(measured.filter((value) => value !== undefined)).sort();
  if (values.length === 0) return [];
  const [low, median, high] = [SPREAD[0], 0.5, SPREAD[1]].map((share) => quantile(values, share));
  return [{ point, measure, values, median, low, high }];
}

/** Quantile of ascending values, interpolated linearly. */
export function quantile(values: Float64Array, share: number): number {
  const at = share * (values.length - 1);
  const below = Math.floor(at);
  const weight = at - below;
  return weight === 0 ? values[below] : values[below] * (1 - weight) + values[below + 1] * weight;
}

export const meanOf = ({ values }: Cell): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A cell's trials as separate cells, ascending along a parameter `rank`. */
export function rankedCells({ point, measure, values }: Cell): Cell[] {
  return Array.from(values, (value, k) => ({
    point: { ...point, rank: k + 1 },
    measure,
    values: Float64Array.of(value),
    median: value,
    low: value,
    high: value,
  }));
}

/** The cells of a measure at points with these values. */
export function cellsOf({ cells }: Summary, measure: string, where: Point = {}): Cell[] {
  const wanted = Object.entries(where);
  return cells.filter(
    (cell) => cell.measure === measure && wanted.every(([name, value]) => cell.point[name] === value),
  );
}

export function cellAt(summary: Summary, measure: string, point: Point): Cell | undefined {
  return cellsOf(summary, measure, point)[0];
}

/** The distinct points without one parameter: the curves along it. */
export function curvesAlong({ points }: Summary, along: string): Point[] {
  const curves = points.map((point) => Object.fromEntries(Object.entries(point).filter(([name]) => name !== along)));
  return [...new Map(curves.map((curve) => [JSON.stringify(curve), curve])).values()];
}
