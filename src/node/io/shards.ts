/**
 * Writes a matrix too large for one file as files of successive rows in a folder: codes-00000.npy, codes-00001.npy, … Which rows a file
 * holds follows from the shape alone. So machines can write their files themselves, each at once and completely; a folder is
 * read like one file (`openSource`).
 *
 * A mark, a hidden file that the run has put there, identifies the folder of the run: another machine must have access to the
 * same file system, and writes nowhere else.
 */
import { randomUUID } from 'node:crypto';
import { access, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { bytesPerNumber, type FloatArray, type Matrix, type Precision, precisionOf } from '../../core/matrix.ts';
import { isMatrix } from '../../core/require-matrix.ts';
import type { Executor } from '../../engine/executor.ts';
import type { Pass } from '../../engine/pass.ts';
import { rangesOf, type Source } from '../../engine/source/source.ts';
import { type Block, chunksWithin, equalBlocks } from '../../engine/sum-tree.ts';
import { writeArray } from './arrays.ts';
import { writeFailure } from './file-errors.ts';
import { makeFolder } from './make-folder.ts';
import { isMark } from './many-files.ts';

/** Approximate bytes of a file: half to all of it. */
const SHARD_BYTES = 1 << 27;

export interface ShardTarget {
  readonly folder: string;
  /** Name of the hidden file. */
  readonly mark: string;
  /** Prefix of the names of files. */
  readonly name: string;
}

/** A pass whose contributions are rows of a matrix, and their destination. */
export interface ShardWork<P = unknown> {
  readonly executor: Executor;
  readonly pass: Pass<P, Matrix>;
  readonly params: P;
  readonly source: Source;
  readonly target: ShardTarget;
  readonly signal?: AbortSignal | undefined;
}

/** An executor whose machines write files themselves. */
export interface ShardWriter extends Executor {
  write<P>(work: Omit<ShardWork<P>, 'executor'>, blocks: readonly Block[]): AsyncGenerator<Shard, void>;
}

/** Report on a file that was written. */
export interface Shard {
  readonly rows: number;
  /** Number of values other than zero. */
  readonly kept: number;
}

/**
 * Makes the folder ready: files of the same name from an earlier run are removed, anything else is refused. `inputs`: files that
 * must not be among them.
 */
export async function openShards(folder: string, name: string, inputs: readonly string[] = []): Promise<ShardTarget> {
  const mark = `run-${randomUUID()}`;
  const path = resolve(folder);
  try {
    await makeFolder(path);
    const real = await realpath(path);
    for (const input of inputs) {
      if (dirname(await realpath(input).catch(() => input)) !== real) continue;
      throw new InputError(`${folder}: must be another folder than that of the data; got ${input} in it.`);
    }
    const old = await readdir(path);
    const file = `${name}-\\d+\\.npy`;
    const unfinished = new RegExp(`^\\.${file}\\.[-\\w]+\\.tmp$`);
    const isOurs = (each: string) => isMark(each) || new RegExp(`^${file}$`).test(each) || unfinished.test(each);
    const foreign = old.find((each) => !isOurs(each));
    if (foreign !== undefined) {
      throw new InputError(`${folder}: must be a new or empty folder, or one of ${name}; got one with ${foreign}.`);
    }
    for (const each of old) await rm(join(path, each), { force: true });
    await writeFile(join(path, `.${mark}`), '');
  } catch (error) {
    throw writeFailure(folder, error);
  }
  return { folder: path, mark, name };
}

/** Removes the mark when all files are there. Until then the folder cannot be read as one. */
export const finishShards = ({ folder, mark }: ShardTarget): Promise<void> =>
  rm(join(folder, `.${mark}`), { force: true });

/** Returns the chunks of every file, for rows of `cols` numbers in this precision. */
export function shardBlocks(
  source: Source,
  effort: number | undefined,
  { cols, precision, bytes = SHARD_BYTES }: { cols: number; precision: Precision; bytes?: number },
): Block[] {
  const chunks = rangesOf(source, effort);
  const { start, end } = chunks[0];
  const perChunk = (end - start) * cols * bytesPerNumber(precision);
  const level = Math.max(0, Math.floor(Math.log2(bytes / perChunk)));
  return equalBlocks(chunks.length, level);
}

/** Computes and writes all files, one a block. */
export async function* writeShards<P>(work: ShardWork<P>, blocks: readonly Block[]): AsyncGenerator<Shard, void> {
  const { executor } = work;
  if ('write' in executor) yield* (executor as ShardWriter).write(work, blocks);
  else for (const block of blocks) yield await writeShard(work, block);
}

/** Computes and writes one file. */
export async function writeShard<P>(work: ShardWork<P>, block: Block): Promise<Shard> {
  const { executor, pass, params, source, target, signal } = work;
  const { folder, mark, name } = target;
  const requireMark = () =>
    access(join(folder, `.${mark}`)).catch(() => {
      throw new InputError(`${folder}: is not the folder of this run: all machines must see it under the same path.`);
    });
  await requireMark();
  const chunks = rangesOf(source, pass.effort);
  const { first, end } = chunksWithin(chunks, block);
  const rows = chunks[end - 1].end - chunks[first].start;
  const contributions = executor.map(pass, params, source, signal, block);
  const { value: head } = await contributions.next();
  if (!isMatrix(head)) throw new InputError(`${folder}: the contributions of ${pass.name} must be rows of a matrix.`);
  let kept = 0;
  async function* pieces(): AsyncGenerator<FloatArray> {
    yield counted(head as Matrix);
    for await (const matrix of contributions) yield counted(matrix);
    await requireMark(); // the file is not renamed if another run has taken over the folder
  }
  const counted = ({ data }: Matrix): FloatArray => {
    for (const number of data) if (number !== 0) kept++;
    return data;
  };
  const number = String(block.first / 2 ** block.level).padStart(5, '0');
  const shape = [rows, head.cols];
  await writeArray(join(folder, `${name}-${number}.npy`), { shape, precision: precisionOf(head), pieces: pieces() });
  return { rows, kept };
}
