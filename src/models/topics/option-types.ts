/** Written by scripts/option-types.mjs from the option tables: change those and run `npm run docs:options`. */

/** The options of `countWords`. */
export interface CountWordsOptions {
  /** Words to leave out; default: common English words. */
  readonly stopWords?: Iterable<string> | undefined;
  /** Leave out words found in fewer documents. Default: `2`. */
  readonly minDocuments?: number | undefined;
  /** Leave out words found in more than this share of the documents. Default: `1`. */
  readonly maxShare?: number | undefined;
  /** Leave out shorter words. Default: `3`. */
  readonly minLength?: number | undefined;
}

/** The options of `learnTopics`. */
export interface TopicsOptions {
  /** Number of topics. */
  readonly topics: number;
  /** How many topics a document mixes; near 0: one per document. Default: `1`. */
  readonly alpha0?: number | undefined;
  /**
   * auto: variational steps from the moment estimate, if they predict better; none: keep the moment estimate. Default:
   * `'auto'`.
   */
  readonly refine?: 'auto' | 'none' | undefined;
  /** Largest number of variational steps. Only with `refine` `'auto'`. Default: `20`. */
  readonly maxIterations?: number | undefined;
  /** Share of the documents held out to test the topics on. Default: `0.1`. */
  readonly heldOut?: number | undefined;
  /** Number of random starts of the decomposition; the best is kept. Default: `10`. */
  readonly starts?: number | undefined;
  /** Seed of the random starts and of the choice of held-out documents. Default: `0`. */
  readonly seed?: number | undefined;
}
