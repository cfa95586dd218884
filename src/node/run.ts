/** Runs every model in Node: data by file name, and all cores. */
import { demand } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import { isMatrix, requireObject } from '../core/require-matrix.ts';
import { shareMatrix } from '../core/shared-memory.ts';
import type { Executor } from '../engine/executor.ts';
import type { RunOptions } from '../engine/run.ts';
import type { Source } from '../engine/source/source.ts';
import type { PatchReading } from '../io/codecs/picture/reading.ts';
import type { TableOptions } from '../io/tables/options.ts';
import { type FileSourceOptions, fileSource, openTable } from './io/file-source.ts';
import type { NodeExecutorOptions } from './threads/executor-options.ts';

/** Run options of the library, with threads and backend as an alternative to an executor. */
export type NodeRunOptions = RunOptions & NodeExecutorOptions & NodePlace;

/** Options for the location of data, and for the executor. */
export interface NodePlace {
  /** Makes the executor, if none is given; the run closes it. Default: `createNodeExecutor`. */
  readonly createExecutor?: ((options: NodeExecutorOptions) => Promise<Executor>) | undefined;
  /** Most bytes of a file to keep in memory; default: half of what is available. With 0 the file is read in place. */
  readonly memoryLimit?: number | undefined;
  /** Options for reading a table. */
  readonly table?: TableOptions | undefined;
  /** Options for reading pictures. */
  readonly pictures?: PatchReading | undefined;
}

/** Opened data, and a function to close it. */
export interface Opened<D> {
  readonly data: D;
  readonly close?: (() => Promise<void>) | undefined;
}

/** Called with the shape of the data as soon as it is known, before the data is read. */
export type OnShape = (shape: { readonly rows: number; readonly cols: number }) => void;

/** Opens the data of a run. */
export type OpenData<D> = (onShape: OnShape, options: FileSourceOptions) => Promise<Opened<D>>;

/**
 * Least work of a pass that is worth threads, in multiply-adds, rows × cols²: they are busy for longer than it takes to start them, about a
 * third of a second for fifteen passes. Below that, the executor starts them if the work turns out to be long.
 */
const WORTH_THREADS = 1 << 26;

/**
 * Opens the data, runs `learn` on all cores unless an executor is given, and closes what it opened. Kernels are selected
 * while the data is opened, and threads start while it is read, if `open` reports a shape that is worth them.
 */
export async function runOnNode<D, R>(
  open: OpenData<D>,
  options: NodeRunOptions,
  learn: (data: D, run: RunOptions) => Promise<R>,
  who = 'run',
): Promise<R> {
  requireObject(who, 'run', options, 'an object');
  for (const [name, given] of Object.entries({ open, learn }))
    demand(typeof given === 'function', who, name, 'a function', given);
  const onCores = async (given: NodeExecutorOptions) =>
    (await import('./threads/threads.ts')).nodeExecutorFor(who, given);
  const { createExecutor = onCores } = options;
  const { threads, backend, createExecutor: _, memoryLimit, table, pictures, ...run } = options;
  const own = run.executor ? undefined : createExecutor({ threads, backend });
  const nothing = () => {};
  own?.catch(nothing); // a failure to open is reported first
  const onShape: OnShape = ({ rows, cols }) => {
    if (rows * cols ** 2 > WORTH_THREADS) own?.then((executor) => executor.warm?.()).catch(nothing);
  };
  let opened: Opened<D> | undefined;
  try {
    opened = await open(onShape, { memoryLimit, table, pictures, signal: run.signal });
    return await learn(opened.data, { ...run, executor: run.executor ?? (await own!) });
  } finally {
    await own?.then((executor) => executor.close(), nothing);
    await opened?.close?.();
  }
}

/** Opens samples given by file name; puts a matrix into memory that all threads share. */
export async function openSamples(
  samples: Matrix | Source | string,
  onShape?: OnShape,
  options: FileSourceOptions = {},
): Promise<Opened<Matrix | Source>> {
  if (typeof samples === 'string') {
    const table = await openTable(samples, options);
    onShape?.(table);
    const source = await fileSource(table, options);
    return { data: source, close: source.close && (() => source.close!()) };
  }
  if (!isMatrix(samples)) return { data: samples };
  onShape?.(samples);
  return { data: shareMatrix(samples) };
}
