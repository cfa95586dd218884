/** Compares clusters with known classes of the same samples; label values need not agree. */

import { inputError } from '../core/errors.ts';
import { row, transpose, zeros } from '../core/matrix.ts';
import { requireNumbers } from '../core/require-matrix.ts';
import { assign } from '../linalg/assignment.ts';

/** How well clusters agree with classes. */
export interface LabelComparison {
  /** Share of samples whose cluster matches their class, under the one-to-one matching that maximises this share. */
  readonly agreement: number;
  /** Share of samples that belong to the most frequent class of their cluster. */
  readonly purity: number;
}

/** Compares clusters with known classes of the same samples; label values need not agree. */
export function compareLabels(clusters: ArrayLike<number>, classes: ArrayLike<number>): LabelComparison {
  requireNumbers('compareLabels', 'clusters', clusters);
  requireNumbers('compareLabels', 'classes', classes);
  const samples = clusters.length;
  if (samples === 0) throw inputError('compareLabels', 'clusters', 'labels of at least one sample', 0);
  if (classes.length !== samples) {
    throw inputError('compareLabels', 'classes', `${samples} labels, one per sample`, classes.length);
  }
  const [left, right] = [numbered(clusters), numbered(classes)];
  const counts = zeros(left.count, right.count);
  for (let l = 0; l < samples; l++) counts.data[left.at[l] * right.count + right.at[l]]++;
  const wide = counts.rows <= counts.cols ? counts : transpose(counts);
  const matched = assign({ ...wide, data: wide.data.map((count) => -count) });
  const agreeing = matched.reduce((sum, j, i) => sum + wide.data[i * wide.cols + j], 0);
  let purest = 0;
  for (let i = 0; i < counts.rows; i++) purest += row(counts, i).reduce((most, count) => Math.max(most, count));
  return { agreement: agreeing / samples, purity: purest / samples };
}

/** Relabels with consecutive numbers from 0. */
function numbered(labels: ArrayLike<number>): { at: Int32Array; count: number } {
  const numbers = new Map<number, number>();
  const at = Int32Array.from(labels, (label) => {
    if (!numbers.has(label)) numbers.set(label, numbers.size);
    return numbers.get(label)!;
  });
  return { at, count: numbers.size };
}
