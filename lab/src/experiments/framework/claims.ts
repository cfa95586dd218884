/** Kinds of claims about a summary. Each can fail and reports the figures behind its verdict. */
import { formatFigure } from '../../report/numbers.ts';
import { type Claim, describePoint, type Finding, type Point, type Reference } from './experiment.ts';
import { type Cell, cellAt, cellsOf, type Summary } from './summary.ts';

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

export const MIN = Number.MIN_VALUE;

/** The median of a measure over that of another is inside an open interval at every point. */
export function ratioBetween(
  words: string,
  measure: string,
  other: string,
  [low, high]: readonly [low: number, high: number],
  where = everywhere,
): Claim {
  return {
    words,
    check(summary) {
      const ratios = cellsOf(summary, measure)
        .filter(({ point }) => where(point))
        .flatMap(({ point, median }) => {
          const divisor = cellAt(summary, other, point);
          return divisor ? [{ point, ratio: median / Math.max(divisor.median, MIN) }] : [];
        })
        .sort((a, b) => a.ratio - b.ratio);
      if (ratios.length === 0) return NOT_MEASURED;
      const say = ({ point, ratio }: (typeof ratios)[number]) =>
        `${formatFigure(ratio)} at ${pointWords(summary, point)}`;
      const ends = ratios.length > 1 ? `from ${say(ratios[0])} to ${say(ratios.at(-1)!)}` : say(ratios[0]);
      return { holds: ratios.every(({ ratio }) => ratio > low && ratio < high), measured: `ratio ${ends}` };
    },
  };
}

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

export function pointWords({ varying, points }: Summary, point: Point): string {
  return describePoint(point, varying.length > 0 ? varying : Object.keys(points[0]));
}

function labelOf({ measures }: Summary, { measure }: Cell): string {
  return measures.find(({ name }) => name === measure)!.label;
}
