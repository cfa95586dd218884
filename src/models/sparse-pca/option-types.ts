/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */

/** The options of `learnSparsePca`. */
export interface SparsePcaOptions {
  /** Number of components, at most the number of features. */
  readonly components: number;
  /** Threshold, in the units of the features: larger is sparser; give gamma, nonzeros or totalNonzeros. */
  readonly gamma?: number | undefined;
  /** Number of non-zeros in every component. */
  readonly nonzeros?: number | undefined;
  /**
   * Number of non-zeros in all components together, each where it explains most; only with method variance. Only with
   * `method` `'variance'`.
   */
  readonly totalNonzeros?: number | undefined;
  /**
   * What to maximise, and how. variance: the adjusted variance, replacing one component at a time; givens: F, by
   * rotations with the best angle; gpower: F, by the power method on all components at once; gpower-deflation: F, one
   * component at a time. Default: `'variance'`.
   */
  readonly method?: 'variance' | 'givens' | 'gpower' | 'gpower-deflation' | undefined;
  /** Subtract the mean sample. Default: `true`. */
  readonly center?: boolean | undefined;
  /** Seed of the random choices. Default: `0`. */
  readonly seed?: number | undefined;
  /** Order of the planes, with method givens. Only with `method` `'givens'`. Default: `'cyclic'`. */
  readonly pairs?: 'random' | 'until-improvement' | 'cyclic' | 'tournament' | undefined;
  /** Largest number of sweeps or steps per threshold. Default: `1000`. */
  readonly maxIterations?: number | undefined;
  /** Stop when three iterations together raise the objective by no more than this fraction. Default: `1e-10`. */
  readonly tolerance?: number | undefined;
}

/** The options of `SparsePcaStream`. */
export interface SparsePcaStreamOptions {
  /** Number of components, at most the number of features. */
  readonly components: number;
  /** Threshold, in the units of the features: larger is sparser; give gamma, nonzeros or totalNonzeros. */
  readonly gamma?: number | undefined;
  /** Number of non-zeros in every component. */
  readonly nonzeros?: number | undefined;
  /**
   * Number of non-zeros in all components together, each where it explains most; only with method variance. Only with
   * `method` `'variance'`.
   */
  readonly totalNonzeros?: number | undefined;
  /**
   * What to maximise, and how. variance: the adjusted variance, replacing one component at a time; givens: F, by
   * rotations with the best angle; gpower: F, by the power method on all components at once; gpower-deflation: F, one
   * component at a time. Default: `'variance'`.
   */
  readonly method?: 'variance' | 'givens' | 'gpower' | 'gpower-deflation' | undefined;
  /** Subtract the mean sample. Default: `true`. */
  readonly center?: boolean | undefined;
  /** Seed of the random choices. Default: `0`. */
  readonly seed?: number | undefined;
  /** Rows that the sketch keeps in addition to the components; default: 2 M, at least 16. */
  readonly reserve?: number | undefined;
  /** Rotations after every sample, each component with the new sample, further ones random; default: M. */
  readonly rotations?: number | undefined;
}
