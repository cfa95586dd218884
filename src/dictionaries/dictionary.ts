/**
 * What a run leaves behind. A dictionary turns samples into codes and back; how it stores its atoms is its own affair: as a
 * matrix (dense.ts, overcomplete.ts), as reflectors (householder.ts) or as rotations (givens.ts).
 *
 *     codes = (y − mean) · encoderᵀ, or by a pursuit (overcomplete.ts),   y = codes · atoms + mean
 */
import type { Matrix, Matrix64 } from '../core/matrix.ts';
import type { Transform } from '../passes/encode.ts';
import type { Selection } from '../passes/select-codes.ts';

export interface Dictionary {
  /** Number of atoms K. */
  readonly components: number;
  /** Length of a sample, n. */
  readonly features: number;
  /** What the codes are computed with, and what a file stores: of kind dense, pursuit, reflectors or rotations. */
  readonly transform: Transform;
  /** K×n, atoms as rows, by descending energy of their part in the data. Formed when first asked for, if not stored. */
  readonly atoms: Matrix64;
  /** K×n; the atoms themselves where the dictionary is orthogonal, or codes are found by a pursuit. */
  readonly encoder: Matrix64;
  readonly mean?: Float64Array | undefined;
  /** p×K codes of p×n samples, in the samples' precision. */
  encode(samples: Matrix, selection?: Selection): Promise<Matrix>;
  /** p×n samples of p×K codes, in the codes' precision. */
  decode(codes: Matrix): Promise<Matrix>;
}
