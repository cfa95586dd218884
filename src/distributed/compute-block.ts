/** One block of a pass, computed from what can travel: the name of the pass, its parameters, and where the samples are. */
import { InputError } from '../core/errors.ts';
import type { Precision } from '../core/matrix.ts';
import type { Executor } from '../engine/executor.ts';
import type { AnyPass } from '../engine/pass.ts';
import { registeredPasses } from '../engine/registry.ts';
import { type Locator, type RowRange, rangesOf, type Source } from '../engine/source.ts';
import { type Block, chunksWithin } from '../engine/sum-tree.ts';
import { fetchRows, openRemote } from './remote-sources.ts';

export interface BlockRequest {
  readonly pass: string;
  readonly mode: 'sum' | 'map';
  readonly params: unknown;
  readonly source: RemoteSource;
}

/** Samples as another machine opens them; `ranges`: start and end of every chunk, where they do not follow from the shape. */
export interface RemoteSource {
  readonly locator: Locator;
  readonly rows: number;
  readonly cols: number;
  readonly precision: Precision;
  readonly ranges?: readonly number[] | undefined;
}

/** The sum of the block, or the contributions of its chunks. */
export async function computeBlock(executor: Executor, request: BlockRequest, block: Block): Promise<unknown> {
  const pass = passOf(request.pass);
  const source = await sourceOf(request.source);
  try {
    const chunks = rangesOf(source, pass.effort);
    const { first, end } = chunksWithin(chunks, block);
    await fetchRows(source, chunks.slice(first, end));
    if (request.mode === 'sum') return await executor.sum(pass, request.params, source, undefined, block);
    const values: unknown[] = [];
    for await (const value of executor.map(pass, request.params, source, undefined, block)) values.push(value);
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
  return wanted.ranges ? { ...source, ranges: pairsOf(wanted.ranges) } : source;
}

const pairsOf = (numbers: readonly number[]): RowRange[] =>
  Array.from({ length: numbers.length >> 1 }, (_, k) => ({ start: numbers[2 * k], end: numbers[2 * k + 1] }));
