/** Computes every chunk in the calling thread, with pauses for aborts and progress. */
import { breather } from '../core/breathe.ts';
import { canShare } from '../core/shared-memory.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Executor } from './executor.ts';
import { introduce } from './registry.ts';
import { rangesOf, requireSamples } from './source/source.ts';
import { chunksWithin, sumTree } from './sum-tree.ts';

/** An executor that computes every chunk in the calling thread, with pauses for aborts and progress. */
export function inlineExecutor(kernels: Kernels): Executor {
  const breathe = breather();
  const map: Executor['map'] = async function* (pass, params, source, signal, within) {
    introduce(pass);
    const ranges = rangesOf(source, pass.effort);
    const { first, end: last } = chunksWithin(ranges, within);
    for (let index = first; index < last; index++) {
      const { start, end } = ranges[index];
      await breathe();
      signal?.throwIfAborted();
      const samples = await source.read(start, end);
      yield pass.contribute({ samples, start, index }, params, kernels);
    }
  };
  return {
    kernels,
    threads: 1,
    map,
    async sum(pass, params, source, signal, within) {
      requireSamples(pass.name, source);
      const tree = sumTree(pass.add);
      for await (const contribution of map(pass, params, source, signal, within)) tree.push(contribution);
      return tree.total()!;
    },
    async close() {},
  };
}

/** The executor, or the calling thread where threads cannot share memory: for passes that work on shared memory. */
export const sharingExecutor = (executor: Executor): Executor =>
  canShare ? executor : inlineExecutor(executor.kernels);
