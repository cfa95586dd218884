/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */
import type { Matrix } from '../core/matrix.ts';
import type { Source } from '../engine/source/source.ts';

/** The options of `evaluate`. */
export interface EvaluateOptions {
  /** Numbers of codes kept, as in 1,2,5,10,20, which is the default. */
  readonly keep?: readonly number[] | undefined;
  /**
   * Samples are pictures of R rows and C columns, as in 8x8, or 8x8x3 in colour; default: the shape of patches; else
   * signals or square pictures, whichever misses less.
   */
  readonly dctShape?: string | undefined;
  /** Compare with principal components and the cosine transform. Default: `true`. */
  readonly compare?: boolean | undefined;
  /** Samples to fit principal components to; default: those that are evaluated. */
  readonly learned?: Matrix | Source | undefined;
}
