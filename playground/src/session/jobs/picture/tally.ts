/**
 * Estimates the progress of denoising from its passes. Each of two stages of each plane learns (sums) and then shrinks codes
 * (a map); the run with the DCT alone only shrinks.
 */
import type { Executor } from 'orthodict';
import type { JobProgress } from '../../session.svelte.ts';

const STAGES = 2;
/** Number of parts of about the same length: learning, shrinking, and shrinking with the DCT alone. */
const PARTS = 3;
/** Usual number of sums that learning takes. */
const USUAL_SUMS = 60;

export class Tally {
  /** Number of finished parts, and share of the current one. */
  #done = 0;
  #share = 0;

  constructor(
    readonly planes: number,
    readonly tell: (progress: JobProgress) => void,
  ) {}

  /** Wraps an executor to count its passes. */
  watching(executor: Executor): Executor {
    return {
      ...executor,
      sum: (...pass) => {
        this.#advance(Math.min(0.95, this.#share + 1 / USUAL_SUMS), 'Learning atoms from the noisy picture');
        return executor.sum(...pass);
      },
      map: (pass, params, source, signal) =>
        this.#pieces(source.ranges?.length ?? 1, executor.map(pass, params, source, signal)),
    };
  }

  async *#pieces<C>(count: number, pieces: AsyncGenerator<C>): AsyncGenerator<C> {
    if (this.#share > 0) this.#done++; // learning has ended
    let number = 0;
    for await (const piece of pieces) {
      this.#advance(++number / count, 'Shrinking the codes of overlapping patches');
      yield piece;
    }
    this.#done++;
    this.#share = 0;
  }

  #advance(share: number, words: string): void {
    this.#share = share;
    this.tell({ words, fraction: (this.#done + share) / (PARTS * STAGES * this.planes) });
  }
}
