/** Kinds of claims about curves along a parameter. */
import { formatFigure } from '../../report/numbers.ts';
import { everywhere, MIN, NOT_MEASURED, pointWords, type Where } from './claims.ts';
import { type Claim, describePoint, type Point } from './experiment.ts';
import { type Cell, cellAt, cellsOf, curvesAlong, meanOf, type Summary } from './summary.ts';

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
        const cells = curveCells(summary, measure, along, curve, where).filter(({ median }) => median > 0);
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

/** On every curve along a parameter, the mean of the trials at `few` is at least a share of that at `many`. */
export function holdsUp(
  words: string,
  measure: string,
  { along, few, many }: { readonly along: string; readonly few: number; readonly many: number },
  share: number,
  where = everywhere,
): Claim {
  return {
    words,
    check(summary) {
      const pairs = curvesAlong(summary, along)
        .filter(where)
        .flatMap((curve) => {
          const [a, b] = [few, many].map((value) => cellAt(summary, measure, { ...curve, [along]: value }));
          return a && b ? [{ curve, a: meanOf(a), b: meanOf(b) }] : [];
        });
      if (pairs.length === 0) return NOT_MEASURED;
      const ratio = ({ a, b }: { a: number; b: number }) => a / b;
      const worst = pairs.reduce((least, pair) => (ratio(pair) < ratio(least) ? pair : least));
      const others = summary.varying.filter((name) => name !== along);
      const place = others.length > 0 ? ` (${describePoint(worst.curve, others)})` : '';
      const side = (value: number, mean: number) => `${formatFigure(mean)} at ${describePoint({ [along]: value })}`;
      return {
        holds: pairs.every((pair) => ratio(pair) >= share),
        measured: `means, least: ${side(few, worst.a)}, ${side(many, worst.b)}${place}`,
      };
    },
  };
}

/** A curve's cells along a parameter, ascending. */
function curveCells(summary: Summary, measure: string, along: string, curve: Point, where: Where): Cell[] {
  return cellsOf(summary, measure, curve)
    .filter(({ point }) => where(point))
    .sort((a, b) => a.point[along] - b.point[along]);
}
