/** Results in words. */
import type { Evaluation } from 'orthodict/browser';
import { counted, percent } from '../../parts/numbers.ts';
import type { Learned } from '../../session/jobs/data/messages.ts';

/** The share of the energy that the sentence is about. */
const MOST = 0.9;

/** The fewest codes that leave at most this share of the energy missing; undefined if not even all of them do. */
function codesFor(missing: readonly number[], keep: readonly number[], most: number): number | undefined {
  const place = missing.findIndex((share) => share <= most);
  return place < 0 ? undefined : keep[place];
}

/** `2 numbers per row keep 88 % of the energy; PCA needs 7 for as much, the cosine transform 6.` */
export function energySentence({ keep, model, pca, dct }: Evaluation): string {
  const place = Math.max(
    0,
    model.missing.findIndex((share) => share <= 1 - MOST),
  );
  const share = model.missing[place];
  const kept = `${counted(keep[place], 'number')} per row ${keep[place] === 1 ? 'keeps' : 'keep'} ${percent(1 - share)} of the energy`;
  if (!pca || !dct) return `${kept}.`;
  const [ofPca, ofDct] = [pca, dct].map(({ missing }) => codesFor(missing, keep, share));
  return `${kept}; PCA needs ${ofPca ?? 'more'} for as much, the cosine transform ${ofDct ?? 'more'}.`;
}

/** What the comparison with principal components means. */
export function meaningSentence({ keep, model, pca }: Evaluation): string {
  if (!pca) return '';
  const place = keep.findIndex((k, at) => k > 0 && model.missing[at] <= 1 - MOST);
  const gain = place < 0 ? 0 : pca.missing[place] - model.missing[place];
  if (gain > 0.02) return 'Different rows use different few atoms: the table has structure that PCA cannot use.';
  if (gain > -0.02) return 'That is about as good as PCA: the table shows little structure beyond its covariance.';
  return 'PCA describes this table better: its rows all use the same directions.';
}

/** What several starts show about the atoms. */
export function agreementSentence({
  agreement,
  starts,
  atoms,
}: Pick<Learned, 'agreement' | 'starts' | 'atoms'>): string {
  if (!agreement || !starts) {
    return 'One start was run. Run several to see which atoms do not depend on chance.';
  }
  const { byAll } = agreement;
  const compared = `${counted(agreement.atoms, 'atom')}${agreement.atoms < atoms.rows ? ' with energy' : ''}`;
  if (byAll === agreement.atoms) {
    const same = byAll === 1 ? 'same atom: it is' : `same ${compared}: they are`;
    return `All ${starts.length} starts find the ${same} a property of your table.`;
  }
  return byAll === 0
    ? `No atom is found by all ${starts.length} starts: they depend on chance, and mean little one by one.`
    : `All ${starts.length} starts agree on ${byAll} of ${compared}: ${byAll === 1 ? 'that one is' : 'those are'} a property of your table, the others depend on the start.`;
}

/** How sparse the codes are. */
export function sparsitySentence({ histogram }: Pick<Learned, 'histogram'>): string {
  const { nearZero } = histogram;
  const words =
    nearZero > 0.4
      ? 'The codes are sparse'
      : nearZero > 0.26
        ? 'The codes are somewhat sparse'
        : 'The codes are hardly sparse';
  return `${words}: ${percent(nearZero)} are near zero. For numbers without structure it would be 20 %.`;
}
