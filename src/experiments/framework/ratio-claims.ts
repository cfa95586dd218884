/** Kinds of claims about ratios of medians: between measures, and along a parameter. */
import { formatFigure } from '../charts/figures.ts';
import { curveCells, everywhere, NOT_MEASURED, pointWords } from './claims.ts';
import { type Claim, describePoint } from './experiment.ts';
import { type Cell, cellAt, cellsOf, curvesAlong } from './summary.ts';

const MIN = Number.MIN_VALUE;

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

/** On every curve along a parameter, the median at a value over that at the next larger value is in an open interval. */
export function stepsBetween(
  words: string,
  measure: string,
  along: string,
  [low, high]: readonly [low: number, high: number],
  where = everywhere,
): Claim {
  return {
    words,
    check(summary) {
      const steps = curvesAlong(summary, along).flatMap((curve) => {
        const cells = curveCells(summary, measure, along, curve, where);
        return cells.slice(1).map((next, k) => ({ cell: cells[k], next, ratio: cells[k].median / next.median }));
      });
      if (steps.length === 0) return NOT_MEASURED;
      steps.sort((a, b) => a.ratio - b.ratio);
      const say = ({ cell, next, ratio }: (typeof steps)[number]) =>
        `${formatFigure(ratio)} (${pointWords(summary, cell.point)} over ${describePoint(next.point, [along])})`;
      const holds = steps.every(({ ratio }) => ratio > low && ratio < high);
      return { holds, measured: `ratios from ${say(steps[0])} to ${say(steps.at(-1)!)}` };
    },
  };
}

/** On every curve along a parameter, the largest median is less than a factor above the smallest. */
export function flat(words: string, measure: string, along: string, factor: number, where = everywhere): Claim {
  return {
    words,
    check(summary) {
      const spans = curvesAlong(summary, along).flatMap((curve) => {
        const cells = curveCells(summary, measure, along, curve, where).sort((a, b) => a.median - b.median);
        return cells.length > 1 ? [{ least: cells[0], most: cells.at(-1)! }] : [];
      });
      if (spans.length === 0) return NOT_MEASURED;
      const ratio = ({ least, most }: { least: Cell; most: Cell }) => most.median / Math.max(least.median, MIN);
      const widest = spans.reduce((worst, span) => (ratio(span) > ratio(worst) ? span : worst));
      const [least, most] = [widest.least, widest.most].map(
        (cell) => `${formatFigure(cell.median)} at ${pointWords(summary, cell.point)}`,
      );
      return { holds: spans.every((span) => ratio(span) < factor), measured: `widest from ${least} to ${most}` };
    },
  };
}
