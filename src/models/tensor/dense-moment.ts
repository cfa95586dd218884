/**
 * Forms a tensor that is a sum over samples, for few components:
 *
 *     T = Σ_terms Σ_l w_l sym(x_l ⊗ x_l ⊗ y_l),     y = x if not given: plain third moments
 *
 * Other symmetric moments are such sums too: 24 sym(x ⊗ y ⊗ z) is the sum of the cubes of x+y+z, x−y−z, y−x−z, z−x−y.
 */
import type { Matrix64 } from '../../core/matrix.ts';
import type { SymmetricTensor } from './symmetric-tensor.ts';

/** A sum over samples: Σ_l w_l sym(x_l ⊗ x_l ⊗ y_l), with y = x if it is not given. */
export interface MomentTerm {
  /** The samples, component-major, d×p: a row holds one component of all samples. */
  readonly x: Matrix64;
  readonly y?: Matrix64 | undefined;
  /** A weight per sample, or one for all; default: 1. */
  readonly weight?: number | Float64Array | undefined;
}

/** The tensor Σ w sym(x ⊗ x ⊗ y), written out. */
export function denseMoment(terms: readonly MomentTerm[]): SymmetricTensor {
  const d = terms[0].x.rows;
  const data = new Float64Array(d ** 3);
  for (const term of terms) addLower(term, data, d);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      for (let k = 0; k <= j; k++) {
        const value = data[(i * d + j) * d + k];
        for (const [a, b, c] of [
          [i, k, j],
          [j, i, k],
          [j, k, i],
          [k, i, j],
          [k, j, i],
        ])
          data[(a * d + b) * d + c] = value;
      }
    }
  }
  return { size: d, data };
}

/** Adds the entries with i ≥ j ≥ k. */
function addLower({ x, y = x, weight = 1 }: MomentTerm, data: Float64Array, d: number): void {
  const p = x.cols;
  const a = new Float64Array(d);
  const b = new Float64Array(d);
  for (let l = 0; l < p; l++) {
    const w = (typeof weight === 'number' ? weight : weight[l]) / 3;
    if (w === 0) continue;
    for (let i = 0; i < d; i++) {
      a[i] = x.data[i * p + l];
      b[i] = y.data[i * p + l];
    }
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        const both = w * a[i] * a[j];
        const one = w * (a[i] * b[j] + b[i] * a[j]);
        for (let k = 0, at = (i * d + j) * d; k <= j; k++) data[at++] += both * b[k] + one * a[k];
      }
    }
  }
}
