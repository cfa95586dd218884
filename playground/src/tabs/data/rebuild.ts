/** Rebuilds a row from its largest codes: y ≈ Σ x_i d_i + m, over the k largest |x_i|, as `encode --keep k` chooses them. */

import type { Learned } from '../../session/jobs/data/messages.ts';
import type { CodedRow } from '../../session/jobs/data.ts';

export interface Rebuilt {
  readonly sample: Float64Array;
  /** The codes used, the largest first. */
  readonly terms: readonly { readonly atom: number; readonly code: number }[];
  /** ‖y − ŷ‖² / ‖y − m‖² */
  readonly missing: number;
}

export function rebuilt(
  { atoms, mean }: Pick<Learned, 'atoms' | 'mean'>,
  { sample, codes }: Pick<CodedRow, 'sample' | 'codes'>,
  keep: number,
): Rebuilt {
  const terms = Array.from(codes, (code, atom) => ({ atom, code }))
    .sort((a, b) => Math.abs(b.code) - Math.abs(a.code))
    .slice(0, keep);
  const again = mean ? mean.slice() : new Float64Array(atoms.cols);
  for (const { atom, code } of terms) {
    for (let j = 0; j < atoms.cols; j++) again[j] += code * atoms.data[atom * atoms.cols + j];
  }
  let [lost, whole] = [0, 0];
  for (let j = 0; j < atoms.cols; j++) {
    lost += (sample[j] - again[j]) ** 2;
    whole += (sample[j] - (mean?.[j] ?? 0)) ** 2;
  }
  return { sample: again, terms, missing: whole > 0 ? lost / whole : 0 };
}
