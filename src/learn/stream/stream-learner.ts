/**
 * Learns from samples that arrive bit by bit, in constant memory. The first samples are kept until there are enough to
 * learn from them together, with `learn`; those that follow are read once and improve the dictionary
 * (dictionary-stream.ts).
 */
import { demand, inputError } from '../../core/errors.ts';
import { copy, type Matrix, type Matrix64, rowRange, zeros } from '../../core/matrix.ts';
import { count, defineOptions } from '../../core/options.ts';
import { requireFiniteMatrix } from '../../core/require-matrix.ts';
import { largestMagnitude, requireScale } from '../../core/scale.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import { commonOptions } from '../common-options.ts';
import { learn } from '../learn.ts';
import type { StreamLearnerOptions, UpdateOptions } from '../option-types.ts';
import { LEAST_SAMPLES } from './block-step.ts';
import { DictionaryStream, type FollowedDictionary, type KnownDictionary } from './dictionary-stream.ts';
import { streamPlace } from './stream-frame.ts';
import { blockRows, requireKnownDictionary } from './update-dictionary.ts';
import { updateOptions } from './update-options.ts';

const { whiten, center, seed } = commonOptions.table;

/** The options of `StreamLearner`. */
export const streamLearnerOptions = defineOptions({
  whiten,
  center,
  first: count({
    placeholder: 'P',
    help: 'samples to keep and learn from together at the beginning; default: 2 per squared feature, at least 4096, at most 16 million numbers',
  }),
  ...updateOptions.table,
  seed,
});

/** Default number of first samples. */
const FIRST = { samples: 4096, perSquare: 2, numbers: 1 << 24 };

/**
 * Learns from samples that arrive bit by bit, in constant memory. Until the first samples are complete, the result is
 * that of `learn` on them. After that every sample is read once. Atoms keep their order and signs.
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
  readonly #settings: ReturnType<typeof streamLearnerOptions.settle>;
  #stream: DictionaryStream | undefined;
  /** Samples not yet learned from; memory for a whole block. */
  #waiting: Matrix64 = zeros(0, 0);
  #filled = 0;
  /** Settles when the calls before have ended. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(given: StreamLearnerOptions = {}) {
    this.#settings = streamLearnerOptions.settle('StreamLearner', given);
  }

  /** Makes a learner that continues from the result of `learn` or of another stream. */
  static async from(known: KnownDictionary, given: UpdateOptions = {}): Promise<StreamLearner> {
    const learner = new StreamLearner(updateOptions.settle('StreamLearner', given));
    const { kernels } = await Run.start('StreamLearner', {});
    requireKnownDictionary('StreamLearner', known, kernels);
    learner.#follow(known);
    return learner;
  }

  /** Number of samples so far, including those of a dictionary that it continues from. */
  get samples(): number {
    return (this.#stream?.samples ?? 0) + this.#filled;
  }

  /**
   * Learns from samples, rows of a matrix, which is not kept. Calls take effect in the order they are made, also if they
   * are not awaited. One that fails has no effect.
   */
  async partialFit(samples: Matrix, runOptions: RunOptions = {}): Promise<void> {
    const own = copy(requireFiniteMatrix('partialFit', 'samples', samples));
    await this.#inTurn(Run.start('partialFit', runOptions), async (run) => {
      const before = { stream: this.#stream, waiting: this.#waiting, filled: this.#filled };
      try {
        await this.#take(own, run);
      } catch (error) {
        this.#stream = before.stream;
        this.#waiting = before.waiting;
        this.#filled = before.filled;
        throw error;
      }
    });
  }

  /** Returns the dictionary of the samples so far, with what a stream needs to continue from it. The stream does not change. */
  async result(runOptions: RunOptions = {}): Promise<FollowedDictionary> {
    return this.#inTurn(Run.start('StreamLearner', runOptions), async (run) => {
      const stream = this.#stream;
      if (!stream) return this.#learnFirst(run);
      const enough = this.#filled >= (stream.hasBegun ? 1 : LEAST_SAMPLES);
      const now = enough ? await stream.after(this.#block(), streamPlace(run)) : stream;
      return now.result(run.kernels);
    });
  }

  /** Runs the task when the calls before have ended, however they ended. */
  #inTurn<T>(started: Promise<Run>, task: (run: Run) => Promise<T>): Promise<T> {
    const turn = Promise.all([started, this.#turn]).then(([run]) => task(run));
    this.#turn = Promise.allSettled([this.#turn, turn]);
    return turn;
  }

  async #take(samples: Matrix, run: Run): Promise<void> {
    const { rows, cols } = samples;
    if (this.#waiting.cols === 0) this.#waiting = zeros(this.#firstRows(cols), cols);
    const n = this.#waiting.cols;
    demand(cols === n, 'partialFit', 'samples', `at least one row of ${n} features`, `${rows}×${cols}`);
    const largest = largestMagnitude(samples.data);
    if (this.#stream) this.#stream.requireScale(largest);
    else requireScale('partialFit', 'samples', largest);
    for (let at = 0; at < rows; ) {
      const more = Math.min(rows - at, this.#waiting.rows - this.#filled);
      this.#waiting.data.set(rowRange(samples, at, at + more).data, this.#filled * n);
      this.#filled += more;
      at += more;
      if (this.#filled === this.#waiting.rows) await this.#learn(run);
    }
  }

  #firstRows(features: number): number {
    const { samples, perSquare, numbers } = FIRST;
    const most = Math.ceil(numbers / features);
    const { first = Math.max(features, Math.min(most, Math.max(samples, perSquare * features ** 2))) } = this.#settings;
    demand(first >= features, 'partialFit', 'first', `at least ${features}, the number of features`, first);
    return first;
  }

  #follow(known: KnownDictionary): void {
    const { features, components } = known.dictionary;
    this.#stream = new DictionaryStream('partialFit', known, this.#settings.window);
    this.#wait(blockRows(features, components), features);
  }

  /** Allocates new memory, so that earlier samples can be returned to. */
  #wait(rows: number, features: number): void {
    this.#waiting = zeros(rows, features);
    this.#filled = 0;
  }

  #block(): Matrix64 {
    return rowRange(this.#waiting, 0, this.#filled);
  }

  /** Learns from the waiting samples. */
  async #learn(run: Run): Promise<void> {
    const block = this.#block();
    // the first samples set the start, and count by their sums
    if (!this.#stream) this.#follow({ ...(await this.#learnFirst(run)), samples: 0 });
    this.#stream = await this.#stream!.after(block, streamPlace(run));
    this.#wait(this.#waiting.rows, block.cols);
  }

  async #learnFirst({ executor, signal }: Run): Promise<FollowedDictionary> {
    if (this.#filled === 0) throw inputError('StreamLearner', 'the stream', 'of at least one sample', 'none');
    const { whiten, center, seed } = this.#settings;
    const { dictionary, samples, refined, energies } = await learn(
      this.#block(),
      { whiten, center, seed },
      { executor, signal },
    );
    return { dictionary, samples, refined, energies };
  }
}
