/** How a block of samples moves the atoms of a stream. Nothing here changes: a block makes a new step and a new memory. */
import { addScaled, dot, type Matrix64, row, scaleRows } from '../../core/matrix.ts';
import { largestMagnitude } from '../../core/scale.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { polar } from '../../linalg/polar.ts';
import type { Problem } from '../problem.ts';
import { addSums, forget, type StreamSums, sumsOfEarlier } from './stream-sums.ts';

/** Fewer samples do not tell zeros from non-zeros, nor their level. */
export const LEAST_SAMPLES = 64;

/** Where a block has moved a stream. */
export interface BlockMove {
  /** K×K, codes x = B z. */
  readonly B: Matrix64;
  /** What is subtracted from the samples, if they are centred. */
  readonly mean: Float64Array | undefined;
  /** What takes the next block, and the sums that it adds to. */
  readonly step: BlockStep;
  readonly memory: StreamMemory;
}

export interface BlockStep {
  /** What a block is asked for: see dictionary-stream.ts. */
  readonly kind: 'zeros' | 'l4';
  /** Adds the sums of a block, centred at the present mean, to those before it. */
  take(block: Problem, B: Matrix64, memory: StreamMemory): Promise<BlockMove>;
}

/** The sums of a stream, and how many samples they may stand for. */
export class StreamMemory {
  readonly #window: number;
  readonly #earlier: number;
  readonly #sums: StreamSums | undefined;

  /** `earlier`: samples that the first dictionary was learned from, whose sums are not known. */
  constructor(window: number, earlier: number, sums?: StreamSums) {
    this.#window = window;
    this.#earlier = earlier;
    this.#sums = sums;
  }

  /** The share of a block of `samples` samples in all that the memory will stand for. */
  shareOf(samples: number): number {
    return samples / Math.min(this.#window + samples, (this.#sums?.samples ?? this.#earlier) + samples);
  }

  /** The same, counting for less. */
  faded(factor: number): StreamMemory {
    const sums = this.#sums && addSums(undefined, this.#sums, factor);
    return new StreamMemory(this.#window, factor * this.#earlier, sums);
  }

  /** What it holds and these sums together. */
  with(sums: StreamSums): StreamSums {
    const before = this.#sums ?? (this.#earlier > 0 ? sumsOfEarlier(this.#earlier, sums) : undefined);
    return addSums(before && forget(before, this.#window), sums);
  }

  /** These sums instead of what it holds. */
  holding(all: StreamSums): StreamMemory {
    return new StreamMemory(this.#window, 0, all);
  }
}

/** `from` moved by this share of the way to `to`. */
export const between = (from: Float64Array, to: Float64Array, share: number): Float64Array =>
  from.map((x, k) => x + share * (to[k] - x));

/** Keeps atoms where they are about which the sums tell nothing. */
const LEAST_PULL = 1e-12;

/** The orthogonal B nearest to H, with the signs of B before. */
export function polarNear(H: Matrix64, before: Matrix64, kernels: Kernels): Matrix64 {
  const pull = LEAST_PULL * largestMagnitude(H.data);
  return withSigns(polar(addScaled(H, pull, before), kernels), before);
}

/** Rows turned by 180° if they point away from those before. */
export function withSigns(B: Matrix64, before: Matrix64): Matrix64 {
  const signs = Array.from({ length: B.rows }, (_, i) => (dot(row(B, i), row(before, i)) < 0 ? -1 : 1));
  return scaleRows(B, signs);
}
