/** Steps by which a block of samples moves the atoms of a stream. Everything is immutable: a block makes a new step and a new memory. */
import { addScaled, dot, type Matrix64, row, scaleRows } from '../../core/matrix.ts';
import { largestMagnitude } from '../../core/scale.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { polar } from '../../linalg/polar.ts';
import type { Problem } from '../problem.ts';
import { addSums, forget, type StreamSums, sumsOfEarlier } from './stream-sums.ts';

/** Least samples that distinguish zeros from non-zeros and show their level. */
export const LEAST_SAMPLES = 64;

/** State of a stream after a block. */
export interface BlockMove {
  /** K×K, codes x = B z. */
  readonly B: Matrix64;
  /** Offset subtracted from the samples, if they are centred. */
  readonly mean: Float64Array | undefined;
  /** Step for the next block; next: the sums that it adds to. */
  readonly step: BlockStep;
  readonly memory: StreamMemory;
}

export interface BlockStep {
  /** Statistics computed of a block: see dictionary-stream.ts. */
  readonly kind: 'zeros' | 'l4';
  /** Adds the sums of a block, centred at the present mean, to those before it. */
  take(block: Problem, B: Matrix64, memory: StreamMemory): Promise<BlockMove>;
}

/** Sums of a stream, and a limit of the samples that they may stand for. */
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

  /** Returns the share of a block of `samples` samples in all that the memory will stand for. */
  shareOf(samples: number): number {
    return samples / Math.min(this.#window + samples, (this.#sums?.samples ?? this.#earlier) + samples);
  }

  /** Returns the memory with a smaller weight. */
  faded(factor: number): StreamMemory {
    const sums = this.#sums && addSums(undefined, this.#sums, factor);
    return new StreamMemory(this.#window, factor * this.#earlier, sums);
  }

  /** Returns its sums plus these. */
  with(sums: StreamSums): StreamSums {
    const before = this.#sums ?? (this.#earlier > 0 ? sumsOfEarlier(this.#earlier, sums) : undefined);
    return addSums(before && forget(before, this.#window), sums);
  }

  /** Returns a memory with these sums instead of its own. */
  holding(all: StreamSums): StreamMemory {
    return new StreamMemory(this.#window, 0, all);
  }
}

/** Returns `from` moved by this share of the way to `to`. */
export const between = (from: Float64Array, to: Float64Array, share: number): Float64Array =>
  from.map((x, k) => x + share * (to[k] - x));

/** Weight, relative to the sums, that keeps atoms in place which the sums do not determine. */
const LEAST_PULL = 1e-12;

/** Returns the orthogonal B nearest to H, with the signs of B before. */
export function polarNear(H: Matrix64, before: Matrix64, kernels: Kernels): Matrix64 {
  const pull = LEAST_PULL * largestMagnitude(H.data);
  return withSigns(polar(addScaled(H, pull, before), kernels), before);
}

/** Negates rows that point away from those before. */
export function withSigns(B: Matrix64, before: Matrix64): Matrix64 {
  const signs = Array.from({ length: B.rows }, (_, i) => (dot(row(B, i), row(before, i)) < 0 ? -1 : 1));
  return scaleRows(B, signs);
}
