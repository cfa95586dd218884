/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */

/** The options of `generate`. */
export interface GenerateOptions {
  /** Number of samples. */
  readonly samples: number;
  /** Number of features. */
  readonly features: number;
  /** Probability that a code is non-zero. */
  readonly theta: number;
  /** Standard deviation of the normal noise on every number. Default: `0`. */
  readonly noise?: number | undefined;
  /** Share of the samples replaced by dense normal ones of the same expected energy. Default: `0`. */
  readonly outliers?: number | undefined;
  /** Probability that +1 or -1 is added to a number. Default: `0`. */
  readonly corruption?: number | undefined;
  /**
   * Condition number of the dictionary (its singular values are in geometric progression); 1: orthogonal. Default:
   * `1`.
   */
  readonly condition?: number | undefined;
  /** Precision of the samples. Default: `'f64'`. */
  readonly precision?: 'f32' | 'f64' | undefined;
  /** Determines every random number. Default: `0`. */
  readonly seed?: number | undefined;
}

/** The options of `generateHouseholder`. */
export interface GenerateHouseholderOptions {
  /** Number of samples. */
  readonly samples: number;
  /** Number of features. */
  readonly features: number;
  /** Probability that a code is non-zero. */
  readonly theta: number;
  /** Number of reflectors, at most the number of features. Default: `1`. */
  readonly reflectors?: number | undefined;
  /** Distribution of the entries of the reflectors' vectors, before normalisation. Default: `'uniform'`. */
  readonly entries?: 'uniform' | 'normal' | undefined;
  /** Standard deviation of the normal noise on every number. Default: `0`. */
  readonly noise?: number | undefined;
  /** Precision of the samples. Default: `'f64'`. */
  readonly precision?: 'f32' | 'f64' | undefined;
  /** Determines every random number. Default: `0`. */
  readonly seed?: number | undefined;
}

/** The options of `generateMixture`. */
export interface GenerateMixtureOptions {
  /** Number of samples. */
  readonly samples: number;
  /** Number of features. */
  readonly features: number;
  /** Number of clusters. */
  readonly clusters: number;
  /** Standard deviation of the means' entries. Default: `2`. */
  readonly spread?: number | undefined;
  /** Standard deviation of the samples around their mean. Default: `1`. */
  readonly deviation?: number | undefined;
  /** Determines every random number. Default: `0`. */
  readonly seed?: number | undefined;
}

/** The options of `generateSparseComponents`. */
export interface GenerateSparseComponentsOptions {
  /** Number of samples. */
  readonly samples: number;
  /** Number of features. */
  readonly features: number;
  /** Number of components. */
  readonly components: number;
  /** Non-zeros of every component; components × nonzeros is at most features. */
  readonly nonzeros: number;
  /** Standard deviation of the normal noise on every number. Default: `1`. */
  readonly noise?: number | undefined;
  /** Standard deviations of the first and the last component. Default: `10,6`. */
  readonly deviations?: readonly [first: number, last: number] | undefined;
  /** Determines every random number. Default: `0`. */
  readonly seed?: number | undefined;
}

/** The options of `generateTopics`. */
export interface GenerateTopicsOptions {
  /** Number of documents. */
  readonly documents: number;
  /** Size of the vocabulary. */
  readonly words: number;
  /** Number of topics. */
  readonly topics: number;
  /** Words per document. */
  readonly length: number;
  /** How many topics a document mixes; near 0: one each. Default: `1`. */
  readonly alpha0?: number | undefined;
  /** Near 0: topics of few words each. Default: `0.1`. */
  readonly concentration?: number | undefined;
  /** Determines every random number. Default: `0`. */
  readonly seed?: number | undefined;
}
