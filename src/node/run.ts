/** What Node adds to every model, in one place: data by file name, and all cores. */
import type { Matrix } from '../core/matrix.ts';
import { isMatrix } from '../core/require-matrix.ts';
import { shareMatrix } from '../core/share.ts';
import type { RunOptions } from '../engine/run.ts';
import type { Source } from '../engine/source.ts';
import { openSource } from './formats/file-source.ts';
import { createNodeExecutor, type NodeExecutorOptions } from './threads/threads.ts';

/** The library's run options, and threads and backend as an alternative to an executor. */
export type NodeRunOptions = RunOptions & NodeExecutorOptions;

/** Opened data, and how to close it. */
export interface Opened<D> {
  readonly data: D;
  readonly close?: (() => Promise<void>) | undefined;
}

/** Opens the data, runs `learn` on all cores unless an executor is given, and closes what it opened. */
export async function runOnNode<D, R>(
  open: () => Promise<Opened<D>>,
  { threads, backend, ...run }: NodeRunOptions,
  learn: (data: D, run: RunOptions) => Promise<R>,
): Promise<R> {
  const opened = await open();
  try {
    const executor = run.executor ?? (await createNodeExecutor({ threads, backend }));
    try {
      return await learn(opened.data, { ...run, executor });
    } finally {
      if (!run.executor) await executor.close();
    }
  } finally {
    await opened.close?.();
  }
}

/** Opens samples given by file name; puts a matrix into memory that all threads share. */
export async function openSamples(samples: Matrix | Source | string): Promise<Opened<Matrix | Source>> {
  if (typeof samples !== 'string') return { data: isMatrix(samples) ? shareMatrix(samples) : samples };
  const source = await openSource(samples);
  return { data: source, close: source.close && (() => source.close!()) };
}
