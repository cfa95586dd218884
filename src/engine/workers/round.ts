/** A pass on a board: what its workers are told, and how a block of it is computed, by any of the threads. */
import type { Matrix } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { Chunk, Pass } from '../pass.ts';
import { memoryReader } from '../source/locator.ts';
import type { Locator } from '../source/source.ts';
import { type Block, sumTree } from '../sum-tree.ts';

/** What a worker is told. */
export interface RoundHead {
  readonly run: number;
  /** Its name. */
  readonly pass: string;
  readonly params: unknown;
  /** Start and end of every chunk. */
  readonly ranges: Float64Array;
  /** First chunk and number of chunks of every block. */
  readonly blocks: Float64Array;
  readonly samples: RoundSamples;
  /** Where the first slot begins, and the bytes of each. */
  readonly slots: { readonly at: number; readonly bytes: number };
}

/** Where the samples are in shared memory, or the samples of every chunk from number `first` on. */
export type RoundSamples =
  | { readonly locator: Locator }
  | { readonly first: number; readonly carried: readonly Matrix[] };

/** Reads the chunks of a round, at once. */
export function chunkReader(ranges: Float64Array, samples: RoundSamples): (index: number) => Chunk {
  if ('carried' in samples) {
    return (index) => ({ samples: samples.carried[index - samples.first], start: ranges[2 * index], index });
  }
  const read = memoryReader(samples.locator)!.read;
  return (index) => {
    const [start, end] = [ranges[2 * index], ranges[2 * index + 1]];
    return { samples: read(start, end), start, index };
  };
}

/** Adds up a block, chunk by chunk; yields the milliseconds of each chunk. */
export function* sumBlock<P, C>(
  pass: Pass<P, C>,
  params: P,
  chunkOf: (index: number) => Chunk,
  { first, count }: Pick<Block, 'first' | 'count'>,
  kernels: Kernels,
): Generator<number, C> {
  const tree = sumTree(pass.add);
  for (let index = first; index < first + count; index++) {
    const started = performance.now();
    tree.push(pass.contribute(chunkOf(index), params, kernels));
    yield performance.now() - started;
  }
  return tree.total()!;
}
