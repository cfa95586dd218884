/** How a block of samples moves the atoms of a stream. */
import type { Matrix64 } from '../../core/matrix.ts';
import type { Problem } from '../problem.ts';
import { addSums, forget, type StreamSums, sumsOfEarlier } from './stream-sums.ts';

/** Where a block has moved a stream. */
export interface BlockMove {
  /** K×K, codes x = B z. */
  readonly B: Matrix64;
  /** What is subtracted from the samples, if they are centred. */
  readonly mean: Float64Array | undefined;
}

export interface BlockStep {
  /** What a block is asked for: see dictionary-stream.ts. */
  readonly kind: 'zeros' | 'l4';
  /** Adds the sums of a block, centred at the present mean, to those before it. */
  take(block: Problem, B: Matrix64): Promise<BlockMove>;
}

/** The sums of a stream, and how many samples they may stand for. */
export class StreamMemory {
  readonly #window: number;
  #earlier: number;
  #sums: StreamSums | undefined;

  /** `earlier`: samples that the first dictionary was learned from, whose sums are not known. */
  constructor(window: number, earlier: number) {
    this.#window = window;
    this.#earlier = earlier;
  }

  /** The share of a block of so many samples in all that the memory will stand for. */
  shareOf(samples: number): number {
    return samples / Math.min(this.#window + samples, (this.#sums?.samples ?? this.#earlier) + samples);
  }

  /** Lets what it holds count for less. */
  fade(factor: number): void {
    this.#earlier *= factor;
    this.#sums &&= addSums(undefined, this.#sums, factor);
  }

  /** What it holds and these sums together. */
  with(sums: StreamSums): StreamSums {
    const before = this.#sums ?? (this.#earlier > 0 ? sumsOfEarlier(this.#earlier, sums) : undefined);
    return addSums(before && forget(before, this.#window), sums);
  }

  /** Replaces what it holds. */
  keep(all: StreamSums): void {
    this.#earlier = 0;
    this.#sums = all;
  }
}

/** `from` moved by this share of the way to `to`. */
export const between = (from: Float64Array, to: Float64Array, share: number): Float64Array =>
  from.map((x, k) => x + share * (to[k] - x));
