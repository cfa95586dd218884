/** Claims that compare one measure at two values of a parameter. */
import { formatFigure } from '../charts/figures.ts';
import { NOT_MEASURED, type Where } from './claims.ts';
import { type Claim, describePoint } from './experiment.ts';
import { cellAt, curvesAlong, meanOf } from './summary.ts';

/** On every curve along a parameter, the mean of the trials at `few` is at least a share of that at `many`. */
export function holdsUp(
  words: string,
  measure: string,
  { along, few, many }: { readonly along: string; readonly few: number; readonly many: number },
  share: number,
  where: Where = () => true,
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
