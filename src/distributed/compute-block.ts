/** Computes one block of a pass from data that can be sent: the name of the pass, its parameters, and the location of the samples. */
import { InputError } from '../core/errors.ts';
import type { Matrix, Precision } from '../core/matrix.ts';
import type { Executor } from '../engine/executor.ts';
import type { AnyPass, Pass } from '../engine/pass.ts';
import { registeredPasses } from '../engine/pass.ts';
import { type Locator, type RowRange, rangesOf, type Source } from '../engine/source/source.ts';
import { type Block, chunksWithin } from '../engine/sum-tree.ts';
import { type ShardTarget, writeShard } from '../node/io/shards.ts';
import { fetchRows, openRemote } from './remote-sources.ts';

/** Results of a block: its sum; the contributions of its chunks; or these written to a file, by the machine that computes them. */
export const MODES = ['sum', 'map', 'write'] as const;

export interface BlockRequest {
  readonly pass: string;
  readonly mode: (typeof MODES)[number];
  readonly params: unknown;
  readonly source: RemoteSource;
  /** Destination, with mode `write`. */
  readonly target?: ShardTarget | undefined;
}

/** Samples as another machine opens them; `ranges`: start and end of every chunk, if they do not follow from the shape. */
export interface RemoteSource {
  readonly locator: Locator;
  readonly rows: number;
  readonly cols: number;
  readonly precision: Precision;
  readonly ranges?: readonly number[] | undefined;
}

/** Computes the block as its mode requires. */
export async function computeBlock(executor: Executor, request: BlockRequest, block: Block): Promise<unknown> {
  const { mode, params, target } = request;
  const pass = passOf(request.pass);
  const source = await sourceOf(request.source);
  try {
    const chunks = rangesOf(source, pass.effort);
    const { first, end } = chunksWithin(chunks, block);
    await fetchRows(source, chunks.slice(first, end));
    if (mode === 'sum') return await executor.sum(pass, params, source, undefined, block);
    if (mode === 'write') {
      if (!target) throw new InputError('cluster: a job is damaged (target).');
      return await writeShard({ executor, pass: pass as Pass<unknown, Matrix>, params, source, target }, block);
    }
    const values: unknown[] = [];
    for await (const value of executor.map(pass, params, source, undefined, block)) values.push(value);
    return values;
  } finally {
    await source.close?.();
  }
}

export function passOf(name: string): AnyPass {
  const pass = registeredPasses().find((each) => each.name === name);
  if (!pass) throw new InputError(`cluster: the pass "${name}" is not one of this package.`);
  return pass;
}

async function sourceOf(wanted: RemoteSource): Promise<Source> {
  const source = await openRemote(wanted.locator);
  const { rows, cols, precision } = source;
  if (rows !== wanted.rows || cols !== wanted.cols || precision !== wanted.precision) {
    await source.close?.();
    const found = `${rows}×${cols} ${precision}`;
    throw new InputError(`cluster: samples must be ${wanted.rows}×${wanted.cols} ${wanted.precision}; got ${found}.`);
  }
  if (!wanted.ranges) return source;
  const ranges = pairsOf(wanted.ranges);
  const isWhole = ranges.every(
    ({ start, end }, k) => start === (ranges[k - 1]?.end ?? 0) && start < end && end <= rows,
  );
  if (isWhole) return { ...source, ranges };
  await source.close?.();
  throw new InputError('cluster: the chunks of a source must follow one another within its rows.');
}

const pairsOf = (numbers: readonly number[]): RowRange[] =>
  Array.from({ length: numbers.length >> 1 }, (_, k) => ({ start: numbers[2 * k], end: numbers[2 * k + 1] }));
