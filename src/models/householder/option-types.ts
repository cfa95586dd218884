/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */
import type { Matrix } from '../../core/matrix.ts';

/** The options of `learnHouseholder`. */
export interface HouseholderOptions {
  /** Number of reflectors M of the dictionary V = H_1 ... H_M. Default: `1`. */
  readonly reflectors?: number | undefined;
  /** Share of non-zero codes; needs mean; default: the product of theta and mean is estimated. */
  readonly theta?: number | undefined;
  /** Mean of the non-zero codes; needs theta. */
  readonly mean?: number | undefined;
  /**
   * auto: improve the moment estimate with the zeros of the codes, to the last digit if there is no noise; none: keep
   * it. Default: `'auto'`.
   */
  readonly refine?: 'auto' | 'none' | undefined;
  /**
   * Reflectors to start from: identity, random, or an M×n matrix (rows of any norm but zero; a file: .npy, .npz with
   * reflectors, f.npz:name). Default: `'identity'`.
   */
  readonly start?: Matrix | 'identity' | 'random' | undefined;
  /** Seed of the random start. Default: `0`. */
  readonly seed?: number | undefined;
}
