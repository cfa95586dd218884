/** Shared by the experiments on exact recovery. */
import { type Claim, describePoint } from '../framework/experiment.ts';
import { cellsOf, meanOf } from '../framework/summary.ts';

export const GROUP = 'recovery';

/** A dictionary with at most this error is exact but for rounding. */
export const RECOVERED = 1e-8;

/** What certificates are worth, for tables. */
export const CERTIFICATE_MEASURES = [
  { name: 'certified', label: 'atoms certified' },
  { name: 'wrong', label: 'certified, but further off than certified' },
  { name: 'stray', label: 'certified, but no true atom' },
] as const;

export const CERTIFICATE_CLAIMS = [
  noneIn('Every certified atom is a true atom: |cosine| above .99.', 'stray'),
  noneIn('Every certified atom is right: at most as far from a true atom as its certificate says.', 'wrong'),
];

/** No run has such atoms. */
function noneIn(words: string, measure: string): Claim {
  return {
    words,
    check(summary) {
      const total = (name: string) =>
        cellsOf(summary, name).reduce((sum, cell) => sum + meanOf(cell) * cell.values.length, 0);
      const cells = cellsOf(summary, measure);
      const runs = cells.reduce((sum, { values }) => sum + values.filter((count) => count > 0).length, 0);
      const places = cells
        .filter(({ values }) => values.at(-1)! > 0)
        .map(({ point }) => describePoint(point, summary.varying));
      const atoms = `${Math.round(total(measure))} of ${Math.round(total('certified'))} certified atoms are not`;
      return { holds: runs === 0, measured: runs === 0 ? atoms : `${atoms}, in ${runs} runs at ${places.join('; ')}` };
    },
  };
}
