/**
 * Learns from samples that arrive bit by bit, in constant memory. The first samples are kept until there are enough to
 * learn from them together, with `learn`; those that follow are seen once and improve the dictionary
 * (dictionary-stream.ts).
 */
import { demand, inputError } from '../../core/errors.ts';
import { type Matrix, type Matrix64, rowRange, zeros } from '../../core/matrix.ts';
import { count, defineOptions, type OptionsOf } from '../../core/options.ts';
import { requireFiniteMatrix } from '../../core/require-matrix.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import { commonOptions } from '../common-options.ts';
import { learn } from '../learn.ts';
import { DictionaryStream, type KnownDictionary, streamPlace } from './dictionary-stream.ts';
import { blockRows, LEAST_SAMPLES, requireKnown } from './update-dictionary.ts';
import { type UpdateOptions, updateOptions } from './update-options.ts';

const { whiten, center, seed } = commonOptions.table;

const options = defineOptions({
  whiten,
  center,
  first: count({
    placeholder: 'P',
    help: 'samples to keep and learn from together at the beginning; default: 2 per squared feature, at least 4096, at most 16 million numbers',
  }),
  ...updateOptions.table,
  seed,
});

/** The options of `StreamLearner`. */
export type StreamLearnerOptions = OptionsOf<typeof options.table>;

/** Default number of the first samples. */
const FIRST = { samples: 4096, perSquare: 2, numbers: 1 << 24 };

/**
 * Learns from samples that arrive bit by bit, in constant memory. Until the first samples are complete, the result is
 * that of `learn` on them. After that every sample is seen once. Atoms keep their order and signs.
 *
 * @example
 * ```js
 * import { generate, recoveryError, StreamLearner } from 'orthodict';
 *
 * const { samples, atoms } = generate({ samples: 20000, features: 20, theta: 0.3, seed: 1 });
 * const learner = new StreamLearner({ seed: 1 });
 * for (let at = 0; at < 20000; at += 500) {
 *   await learner.partialFit({ rows: 500, cols: 20, data: samples.data.subarray(20 * at, 20 * (at + 500)) });
 * }
 * const { dictionary } = await learner.result();
 * console.log(learner.samples, recoveryError(dictionary.atoms, atoms)); // below 1e-12
 * ```
 */
export class StreamLearner {
  readonly #settings: ReturnType<typeof options.settle>;
  #stream: DictionaryStream | undefined;
  /** Samples that wait; memory for a whole block. */
  #waiting: Matrix64 = zeros(0, 0);
  #filled = 0;

  constructor(given: StreamLearnerOptions = {}) {
    this.#settings = options.settle('StreamLearner', given);
  }

  /** A learner that continues from what `learn` or another stream has found. */
  static async from(known: KnownDictionary, given: UpdateOptions = {}): Promise<StreamLearner> {
    const learner = new StreamLearner(updateOptions.settle('StreamLearner', given));
    const { kernels } = await Run.start('StreamLearner', {});
    requireKnown('StreamLearner', known, kernels);
    learner.#follow(known);
    return learner;
  }

  /** Samples seen so far, those of a dictionary that it continues from included. */
  get samples(): number {
    return (this.#stream?.samples ?? 0) + this.#filled;
  }

  /** Takes in samples, rows of a matrix, which is not kept. */
  async partialFit(samples: Matrix, runOptions: RunOptions = {}): Promise<void> {
    const { rows, cols } = requireFiniteMatrix('partialFit', 'samples', samples);
    if (this.#waiting.cols === 0) this.#waiting = zeros(this.#firstRows(cols), cols);
    const n = this.#waiting.cols;
    demand(cols === n, 'partialFit', 'samples', `at least one row of ${n} features`, `${rows}×${cols}`);
    for (let at = 0; at < rows; ) {
      const more = Math.min(rows - at, this.#waiting.rows - this.#filled);
      this.#waiting.data.set(rowRange(samples, at, at + more).data, this.#filled * n);
      this.#filled += more;
      at += more;
      if (this.#filled === this.#waiting.rows) await this.#learn(await Run.start('partialFit', runOptions));
    }
  }

  /** The dictionary of the samples seen, with what a stream needs to continue from it. */
  async result(runOptions: RunOptions = {}): Promise<KnownDictionary> {
    const run = await Run.start('StreamLearner', runOptions);
    if (!this.#stream) return this.#learnFirst(run);
    if (this.#filled >= (this.#stream.hasBegun ? 1 : LEAST_SAMPLES)) await this.#learn(run);
    return this.#stream.result(run.kernels);
  }

  #firstRows(features: number): number {
    const { samples, perSquare, numbers } = FIRST;
    const most = Math.ceil(numbers / features);
    return this.#settings.first ?? Math.max(features, Math.min(most, Math.max(samples, perSquare * features ** 2)));
  }

  #follow(known: KnownDictionary): void {
    const { features, components } = known.dictionary;
    this.#stream = new DictionaryStream('partialFit', known, this.#settings.window);
    this.#waiting = zeros(blockRows(features, components), features);
    this.#filled = 0;
  }

  /** Learns from the samples that wait. */
  async #learn(run: Run): Promise<void> {
    const block = rowRange(this.#waiting, 0, this.#filled);
    // the first samples tell where to begin, and count by their sums
    if (!this.#stream) this.#follow({ ...(await this.#learnFirst(run)), samples: 0 });
    await this.#stream!.absorb(block, streamPlace(run));
    this.#filled = 0;
  }

  async #learnFirst({ executor, signal }: Run): Promise<KnownDictionary> {
    if (this.#filled === 0) throw inputError('StreamLearner', 'the stream', 'of at least one sample', 'none');
    const { whiten, center, seed } = this.#settings;
    const first = rowRange(this.#waiting, 0, this.#filled);
    const { dictionary, samples, refined } = await learn(first, { whiten, center, seed }, { executor, signal });
    return { dictionary, samples, refined };
  }
}
