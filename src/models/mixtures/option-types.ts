/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */

/** The options of `learnMixture`. */
export interface MixtureOptions {
  /** Number of clusters; of several, 2,3,5 or 1-8, the one of the smallest BIC is kept. */
  readonly clusters: number | readonly number[];
  /**
   * common: one variance for all; spherical: one for each cluster; diagonal: one for each cluster and feature; tied:
   * one matrix for all; full: one for each cluster. Default: `'common'`.
   */
  readonly covariance?: 'common' | 'spherical' | 'diagonal' | 'tied' | 'full' | undefined;
  /** auto: expectation maximisation from the likeliest start; none: the estimate by moments. Default: `'auto'`. */
  readonly refine?: 'auto' | 'none' | undefined;
  /** Largest number of steps of expectation maximisation. Only with `refine` `'auto'`. Default: `1000`. */
  readonly maxIterations?: number | undefined;
  /**
   * It has converged if a step moves the clusters by no more than this, in deviations. Only with `refine` `'auto'`.
   * Default: `0.0001`.
   */
  readonly tolerance?: number | undefined;
  /** Most starts; the likeliest is kept, and fewer are made where a second one comes as far. Default: `10`. */
  readonly starts?: number | undefined;
  /** Seed of the random starts. Default: `0`. */
  readonly seed?: number | undefined;
}
