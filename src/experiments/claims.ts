/** Kinds of claims about a summary. Each can fail, and says on which figures it rests. */
import { type Claim, describePoint, type Finding, type Point, type Reference } from './experiment.ts';
import { formatFigure } from './figures.ts';
import { type Cell, cellAt, cellsOf, curvesAlong, type Summary } from './summary.ts';

/** Which points a claim is about; all unless said. */
export type Where = (point: Point) => boolean;

const everywhere: Where = () => true;
const NOT_MEASURED: Finding = { holds: undefined, measured: 'no such point in this grid' };

/** The median of a measure lies below those of the others, by a factor if given. */
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

/** Medians within a share of the references. */
export function near(words: string, references: readonly Reference[], share: number): Claim {
  return {
    words,
    check(summary) {
      const pairs = references.flatMap(({ point, measure, value }) => {
        const cell = cellAt(summary, measure, point);
        return cell ? [{ cell, deviation: cell.median / value - 1 }] : [];
      });
      if (pairs.length === 0) return NOT_MEASURED;
      const worst = pairs.reduce((most, pair) => (Math.abs(pair.deviation) > Math.abs(most.deviation) ? pair : most));
      const percent = `${worst.deviation > 0 ? '+' : '−'}${Math.abs(100 * worst.deviation).toFixed(0)} %`;
      return {
        holds: pairs.every(({ deviation }) => Math.abs(deviation) <= share),
        measured: `${pairs.length} values, farthest ${percent} at ${pointWords(summary, worst.cell.point)}`,
      };
    },
  };
}

/** At every point at least this share of the trials is at or below a limit. */
export function mostly(words: string, measure: string, limit: number, share: number, where = everywhere): Claim {
  return {
    words,
    check(summary) {
      const cells = cellsOf(summary, measure).filter(({ point }) => where(point));
      if (cells.length === 0) return NOT_MEASURED;
      const good = ({ values }: Cell) => values.filter((value) => value <= limit).length;
      const worst = cells.reduce((least, cell) => (shareOf(cell, good) < shareOf(least, good) ? cell : least));
      const largest = Math.max(...cells.map(({ values }) => values.at(-1)!));
      return {
        holds: cells.every((cell) => shareOf(cell, good) >= share),
        measured: `${good(worst)} of ${worst.values.length} at ${pointWords(summary, worst.point)}; largest of all ${formatFigure(largest)}`,
      };
    },
  };
}

const shareOf = (cell: Cell, good: (cell: Cell) => number) => good(cell) / cell.values.length;

/** Along a parameter the median goes down, or up, from the first value to the last, on every curve. */
export function trend(words: string, measure: string, along: string, direction: 'falls' | 'rises'): Claim {
  return {
    words,
    check(summary) {
      const ends = curvesAlong(summary, along).flatMap((curve) => {
        const cells = cellsOf(summary, measure, curve).sort((a, b) => a.point[along] - b.point[along]);
        return cells.length > 1 ? [{ curve, first: cells[0].median, last: cells.at(-1)!.median }] : [];
      });
      if (ends.length === 0) return NOT_MEASURED;
      const ratio = ({ first, last }: { first: number; last: number }) =>
        direction === 'falls' ? last / first : first / last;
      const least = ends.reduce((worst, end) => (ratio(end) > ratio(worst) ? end : worst));
      const at = summary.varying.filter((name) => name !== along);
      const where = at.length > 0 ? `least at ${describePoint(least.curve, at)}: ` : '';
      return {
        holds: ends.every((end) => ratio(end) < 1),
        measured: `${where}${formatFigure(least.first)} → ${formatFigure(least.last)}`,
      };
    },
  };
}

function pointWords({ varying, points }: Summary, point: Point): string {
  return describePoint(point, varying.length > 0 ? varying : Object.keys(points[0]));
}

function labelOf({ measures }: Summary, { measure }: Cell): string {
  return measures.find(({ name }) => name === measure)!.label;
}
