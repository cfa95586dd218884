/** Kinds of claims about a summary. Each can fail and reports the figures behind its verdict. */
import { formatFigure } from '../charts/figures.ts';
import { type Claim, describePoint, type Finding, type Point, type Reference } from './experiment.ts';
import { type Cell, cellAt, cellsOf, curvesAlong, type Summary } from './summary.ts';

/** The points a claim is about; all by default. */
export type Where = (point: Point) => boolean;

export const everywhere: Where = () => true;
export const NOT_MEASURED: Finding = { holds: undefined, measured: 'no such point in this grid' };

/** The median of a measure is below those of the others, optionally by a factor. */
export function below(
  words: string,
  measure: string,
  others: readonly string[],
  where = everywhere,
  factor = 1,
): Claim {
  return {
    words,
    check(summary) {
      const pairs = cellsOf(summary, measure)
        .filter(({ point }) => where(point))
        .flatMap((cell) => others.map((other) => ({ cell, other: cellAt(summary, other, cell.point) })))
        .filter((pair): pair is { cell: Cell; other: Cell } => pair.other !== undefined);
      if (pairs.length === 0) return NOT_MEASURED;
      const ratio = ({ cell, other }: { cell: Cell; other: Cell }) => cell.median / Math.max(other.median, MIN);
      const closest = pairs.reduce((worst, pair) => (ratio(pair) > ratio(worst) ? pair : worst));
      const labels = [closest.cell, closest.other].map(
        (cell) => `${labelOf(summary, cell)} ${formatFigure(cell.median)}`,
      );
      return {
        holds: pairs.every((pair) => ratio(pair) < factor),
        measured: `closest at ${pointWords(summary, closest.cell.point)}: ${labels.join(', ')}`,
      };
    },
  };
}

const MIN = Number.MIN_VALUE;

/** Medians are within a relative share of the references, or within `slack` if that is larger. */
export function near(words: string, references: readonly Reference[], share: number, slack = 0): Claim {
  return {
    words,
    check(summary) {
      const pairs = references.flatMap(({ point, measure, value }) => {
        const cell = cellAt(summary, measure, point);
        if (!cell) return [];
        const excess = Math.abs(cell.median - value) / Math.max(share * value, slack);
        return [{ cell, deviation: cell.median / value - 1, excess }];
      });
      if (pairs.length === 0) return NOT_MEASURED;
      const worst = pairs.reduce((most, pair) => (pair.excess > most.excess ? pair : most));
      const percent = `${worst.deviation > 0 ? '+' : '−'}${Math.abs(100 * worst.deviation).toFixed(0)} %`;
      return {
        holds: worst.excess <= 1,
        measured: `${pairs.length} values, farthest ${percent} at ${pointWords(summary, worst.cell.point)}`,
      };
    },
  };
}

/** At every point, at least this share of the trials is at or below a limit. */
export function mostly(words: string, measure: string, limit: number, share: number, where = everywhere): Claim {
  const largest = (cells: readonly Cell[]) => `largest of all ${formatFigure(worstOf(cells, -1))}`;
  return inShare(words, measure, (value) => value <= limit, largest, share, where);
}

/** At every point, at least this share of the trials is at or above a limit. */
export function atLeast(words: string, measure: string, limit: number, share: number, where = everywhere): Claim {
  const smallest = (cells: readonly Cell[]) => `smallest of all ${formatFigure(worstOf(cells, 0))}`;
  return inShare(words, measure, (value) => value >= limit, smallest, share, where);
}

/** The smallest or largest value over all cells; each cell's values are ascending. */
function worstOf(cells: readonly Cell[], at: 0 | -1): number {
  const ends = cells.map(({ values }) => values.at(at)!);
  return at === 0 ? Math.min(...ends) : Math.max(...ends);
}

function inShare(
  words: string,
  measure: string,
  isGood: (value: number) => boolean,
  extreme: (cells: readonly Cell[]) => string,
  share: number,
  where: Where,
): Claim {
  return {
    words,
    check(summary) {
      const cells = cellsOf(summary, measure).filter(({ point }) => where(point));
      if (cells.length === 0) return NOT_MEASURED;
      const good = ({ values }: Cell) => values.filter(isGood).length;
      const worst = cells.reduce((least, cell) => (shareOf(cell, good) < shareOf(least, good) ? cell : least));
      return {
        holds: cells.every((cell) => shareOf(cell, good) >= share),
        measured: `${good(worst)} of ${worst.values.length} at ${pointWords(summary, worst.point)}; ${extreme(cells)}`,
      };
    },
  };
}

const shareOf = (cell: Cell, good: (cell: Cell) => number) => good(cell) / cell.values.length;

/** On every curve along a parameter, the median falls or rises from the first value to the last. */
export function trend(
  words: string,
  measure: string,
  along: string,
  direction: 'falls' | 'rises',
  where = everywhere,
): Claim {
  return {
    words,
    check(summary) {
      const ends = curvesAlong(summary, along).flatMap((curve) => {
        const cells = curveCells(summary, measure, along, curve, where);
        return cells.length > 1 ? [{ curve, first: cells[0].median, last: cells.at(-1)!.median }] : [];
      });
      if (ends.length === 0) return NOT_MEASURED;
      const ratio = ({ first, last }: { first: number; last: number }) =>
        direction === 'falls' ? last / first : first / last;
      const least = ends.reduce((worst, end) => (ratio(end) > ratio(worst) ? end : worst));
      const at = summary.varying.filter((name) => name !== along);
      const place = at.length > 0 ? `least at ${describePoint(least.curve, at)}: ` : '';
      return {
        holds: ends.every((end) => ratio(end) < 1),
        measured: `${place}${formatFigure(least.first)} → ${formatFigure(least.last)}`,
      };
    },
  };
}

/** On every curve along a parameter, the median goes as its power: the slope of log-log least squares is in the range. */
export function powerLaw(
  words: string,
  measure: string,
  along: string,
  [least, most]: readonly [least: number, most: number],
  where = everywhere,
): Claim {
  return {
    words,
    check(summary) {
      const slopes = curvesAlong(summary, along).flatMap((curve) => {
        const cells = cellsOf(summary, measure, curve).filter(({ point, median }) => where(point) && median > 0);
        return cells.length > 1 ? [{ curve, slope: logSlope(cells, along) }] : [];
      });
      if (slopes.length === 0) return NOT_MEASURED;
      const ascending = slopes.map(({ slope }) => slope).sort((a, b) => a - b);
      const [low, high] = [ascending[0], ascending.at(-1)!].map((slope) => slope.toFixed(2).replace('-', '−'));
      const words = low === high ? `exponent ${low}` : `exponents from ${low} to ${high} on ${slopes.length} curves`;
      return { holds: slopes.every(({ slope }) => slope >= least && slope <= most), measured: words };
    },
  };
}

function logSlope(cells: readonly Cell[], along: string): number {
  const x = cells.map(({ point }) => Math.log(point[along]));
  const y = cells.map(({ median }) => Math.log(median));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [centreX, centreY] = [mean(x), mean(y)];
  const dx = x.map((value) => value - centreX);
  return dx.reduce((sum, d, k) => sum + d * (y[k] - centreY), 0) / dx.reduce((sum, d) => sum + d * d, 0);
}

/** A curve's cells along a parameter, ascending. */
export function curveCells(summary: Summary, measure: string, along: string, curve: Point, where: Where): Cell[] {
  return cellsOf(summary, measure, curve)
    .filter(({ point }) => where(point))
    .sort((a, b) => a.point[along] - b.point[along]);
}

export function pointWords({ varying, points }: Summary, point: Point): string {
  return describePoint(point, varying.length > 0 ? varying : Object.keys(points[0]));
}

function labelOf({ measures }: Summary, { measure }: Cell): string {
  return measures.find(({ name }) => name === measure)!.label;
}
