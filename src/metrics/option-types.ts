/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */
import type { Matrix } from '../core/matrix.ts';
import type { Source } from '../engine/source/source.ts';

/** The options of `evaluate`. */
export interface EvaluateOptions {
  /** Numbers of codes kept, as in 1,2,5,10,20, which is the default. */
  readonly keep?: readonly number[] | undefined;
  /**
   * Samples are pictures of R rows and C columns, such as 8x8, or 8x8x3 for colour; default: the shape of the patches,
   * or else signals or square pictures, whichever misses less energy.
   */
  readonly dctShape?: string | undefined;
  /** Compare with PCA and the cosine transform. Default: `true`. */
  readonly compare?: boolean | undefined;
  /** Samples to fit PCA to; default: the evaluated ones. */
  readonly learned?: Matrix | Source | undefined;
}
