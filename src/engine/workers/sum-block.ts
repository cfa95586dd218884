/** The loop over the chunks of a block, for jobs in shared memory: on the calling thread and on workers alike. */
import type { Kernels } from '../../kernels/kernels.ts';
import type { Chunk, Pass } from '../pass.ts';
import { type Block, sumTree } from '../sum-tree.ts';

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
