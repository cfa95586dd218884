/** Peak signal-to-noise ratio: 10 log₁₀(peak² / mean (x − y)²). */

import { inputError } from '../core/errors.ts';
import { requireNumbers } from '../core/require-matrix.ts';

/** Peak signal-to-noise ratio in decibels; Infinity for equal images. `peak` is the largest possible pixel value. */
export function psnr(reference: ArrayLike<number>, estimate: ArrayLike<number>, peak = 255): number {
  requireNumbers('psnr', 'reference', reference);
  requireNumbers('psnr', 'estimate', estimate);
  if (reference.length === 0) throw inputError('psnr', 'reference', 'an image with pixels', 'none');
  if (reference.length !== estimate.length) {
    throw inputError('psnr', 'estimate', `${reference.length} values, as in reference`, `${estimate.length}`);
  }
  if (!(peak > 0)) throw inputError('psnr', 'peak', 'positive', peak);
  let sum = 0;
  for (let i = 0; i < reference.length; i++) sum += (reference[i] - estimate[i]) ** 2;
  return 10 * Math.log10((peak * peak * reference.length) / sum);
}
