/** `learn` for Node: a file or an array, on all cores. */
import type { Matrix } from '../core/matrix.ts';
import { shareMatrix } from '../core/share.ts';
import type { Executor } from '../engine/executor.ts';
import { memorySource } from '../engine/memory.ts';
import type { Source } from '../engine/source.ts';
import { type LearnResult, learn as learnAnywhere, type RunOptions } from '../learn/learn.ts';
import type { LearnOptions } from '../learn/options.ts';
import { openSource } from './formats/file-source.ts';
import { createNodeExecutor, type NodeExecutorOptions } from './threads/threads.ts';

export type NodeRunOptions = RunOptions & NodeExecutorOptions;

/** `samples`: a matrix, a source, or the name of a file. */
export async function learn(
  samples: Matrix | Source | string,
  options: LearnOptions = {},
  { threads, backend, ...run }: NodeRunOptions = {},
): Promise<LearnResult> {
  const source = typeof samples === 'string' ? await openSource(samples) : asSource(samples);
  let executor: Executor | undefined;
  try {
    executor = run.executor ?? (await createNodeExecutor({ threads, backend }));
    return await learnAnywhere(source, options, { ...run, executor });
  } finally {
    if (!run.executor) await executor?.close();
    if (typeof samples === 'string') await source.close?.();
  }
}

function asSource(samples: Matrix | Source): Source {
  if (!('data' in samples)) return samples;
  const { data } = samples;
  return memorySource(data instanceof Float32Array || data instanceof Float64Array ? shareMatrix(samples) : samples);
}
