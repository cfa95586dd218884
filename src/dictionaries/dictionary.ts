/**
 * A dictionary, the result of a run, converts samples to codes and back. It stores its atoms as a matrix (dense.ts,
 * overcomplete.ts), as reflectors (householder.ts) or as rotations (givens.ts).
 *
 *     codes = (y − mean) · encoderᵀ, or by a pursuit (overcomplete.ts),   y = codes · atoms + mean
 */
import type { Matrix, Matrix64 } from '../core/matrix.ts';
import type { Transform } from '../passes/encode.ts';
import type { Selection } from '../passes/select-codes.ts';

/**
 * A learned transform: `encode` converts samples to codes, `decode` converts codes to samples.
 *
 * @example
 * ```js
 * import { generate, learn } from 'orthodict';
 *
 * const { samples } = generate({ samples: 4000, features: 20, theta: 0.3, seed: 1 });
 * const { dictionary } = await learn(samples);
 * const codes = await dictionary.encode(samples, { keep: 8 }); // the 8 largest of every sample
 * const { rows, cols } = await dictionary.decode(codes);
 * console.log(rows, cols); // 4000 20
 * ```
 */
export interface Dictionary {
  /** Number of atoms K. */
  readonly components: number;
  /** Length of a sample, n. */
  readonly features: number;
  /** Representation that computes the codes and that a file stores: dense, pursuit, reflectors or rotations. */
  readonly transform: Transform;
  /** K×n, atoms as rows, by descending energy in the data. Computed on first use if not stored. */
  readonly atoms: Matrix64;
  /** K×n; equal to the atoms if the dictionary is orthogonal or a pursuit finds the codes. */
  readonly encoder: Matrix64;
  readonly mean?: Float64Array | undefined;
  /** Returns p×K codes of p×n samples, in the samples' precision. */
  encode(samples: Matrix, selection?: Selection): Promise<Matrix>;
  /** Returns p×n samples from p×K codes, in the codes' precision. */
  decode(codes: Matrix): Promise<Matrix>;
}
