/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */

/** The options of `learnSparsePca`. */
export interface SparsePcaOptions {
  /** Number of components, at most the number of features. */
  readonly components: number;
  /** Threshold, in the units of the features: larger is sparser; give this, nonzeros or totalNonzeros. */
  readonly gamma?: number | undefined;
  /** K non-zeros in every component. */
  readonly nonzeros?: number | undefined;
  /**
   * N non-zeros in all components together, each where it explains most; with method variance. Only with `method`
   * `'variance'`.
   */
  readonly totalNonzeros?: number | undefined;
  /**
   * What is maximised, and how: variance: the adjusted variance, by replacing one component at a time; givens: F, by
   * rotations with the best angle; gpower: F, by the power method for all components at once; gpower-deflation: F of
   * one component at a time. Default: `'variance'`.
   */
  readonly method?: 'variance' | 'givens' | 'gpower' | 'gpower-deflation' | undefined;
  /** Subtract the mean sample. Default: `true`. */
  readonly center?: boolean | undefined;
  /** Seed of random choices. Default: `0`. */
  readonly seed?: number | undefined;
  /** Order of the planes, with method givens. Only with `method` `'givens'`. Default: `'cyclic'`. */
  readonly pairs?: 'random' | 'until-improvement' | 'cyclic' | 'tournament' | undefined;
  /** Largest number of sweeps or steps for one threshold. Default: `1000`. */
  readonly maxIterations?: number | undefined;
  /** Stop when three iterations together raise the objective by no more, relatively. Default: `1e-10`. */
  readonly tolerance?: number | undefined;
}

/** The options of `SparsePcaStream`. */
export interface SparsePcaStreamOptions {
  /** Number of components, at most the number of features. */
  readonly components: number;
  /** Threshold, in the units of the features: larger is sparser; give this, nonzeros or totalNonzeros. */
  readonly gamma?: number | undefined;
  /** K non-zeros in every component. Only with `algorithm` `'sketch'`. */
  readonly nonzeros?: number | undefined;
  /**
   * N non-zeros in all components together, each where it explains most; with method variance. Only with `algorithm`
   * `'sketch'` and with `method` `'variance'`.
   */
  readonly totalNonzeros?: number | undefined;
  /**
   * What is maximised, and how: variance: the adjusted variance, by replacing one component at a time; givens: F, by
   * rotations with the best angle; gpower: F, by the power method for all components at once; gpower-deflation: F of
   * one component at a time. Only with `algorithm` `'sketch'`. Default: `'variance'`.
   */
  readonly method?: 'variance' | 'givens' | 'gpower' | 'gpower-deflation' | undefined;
  /** Subtract the mean sample. Default: `true`. */
  readonly center?: boolean | undefined;
  /** Seed of random choices. Default: `0`. */
  readonly seed?: number | undefined;
  /**
   * Of a stream: sketch: ours, with a reserve, thresholds that grow with the samples and a fit at the end; published:
   * Algorithm 5 of Shalit & Chechik to the letter, where gamma stays as given while the rows it applies to grow, and
   * the mean is left in unless center is asked for. Default: `'sketch'`.
   */
  readonly algorithm?: 'sketch' | 'published' | undefined;
  /** Rows that the sketch keeps besides the components; default: 2 M, at least 16. Only with `algorithm` `'sketch'`. */
  readonly reserve?: number | undefined;
  /**
   * Rotations after every sample; default: M; sketch: of each component with the new sample, more are random;
   * published: of random pairs of components.
   */
  readonly rotations?: number | undefined;
}
