/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */

/** The options of `learnMixture`. */
export interface MixtureOptions {
  /** Number of clusters; if several are given (2,3,5 or 1-8), the one with the smallest BIC is kept. */
  readonly clusters: number | readonly number[];
  /**
   * common: one variance for all clusters; spherical: one per cluster; diagonal: one per cluster and feature; tied:
   * one matrix for all clusters; full: one matrix per cluster. Default: `'common'`.
   */
  readonly covariance?: 'common' | 'spherical' | 'diagonal' | 'tied' | 'full' | undefined;
  /** auto: expectation maximisation from the likeliest start; none: keep the moment estimate. Default: `'auto'`. */
  readonly refine?: 'auto' | 'none' | undefined;
  /** Largest number of steps of expectation maximisation. Only with `refine` `'auto'`. Default: `1000`. */
  readonly maxIterations?: number | undefined;
  /**
   * Stop when a step moves the clusters by no more than this, in standard deviations. Only with `refine` `'auto'`.
   * Default: `0.0001`.
   */
  readonly tolerance?: number | undefined;
  /** Largest number of starts; the likeliest is kept; stops early once a second one reaches it. Default: `10`. */
  readonly starts?: number | undefined;
  /** Seed of the random starts. Default: `0`. */
  readonly seed?: number | undefined;
}
