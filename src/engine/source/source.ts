/**
 * Where samples come from. A source knows its shape before it is read, hands out rows in any order and any number of
 * times, and says where chunks begin. Chunk boundaries depend only on the shape, never on threads or memory: they set
 * the order of summation, and so every bit of the result.
 */
import { inputError } from '../../core/errors.ts';
import type { FloatArray, Matrix, Precision } from '../../core/matrix.ts';

/** Where samples come from: p×n numbers that can be read by rows, any number of times. */
export interface Source {
  readonly rows: number;
  readonly cols: number;
  /** Precision of the stored numbers: float32 stays float32, everything else is read as float64. */
  readonly precision: Precision;
  /** Names of the columns, if they have any. */
  readonly names?: readonly string[] | undefined;
  /** Shape of a sample, if samples are patches of pictures. */
  readonly patch?: PatchShape | undefined;
  /** Rows [start, end) as a matrix the caller may read until its next await, but not write. */
  read(start: number, end: number): Promise<Matrix>;
  /** Number of a row in the data that the user gave, for messages; default: the row itself. */
  rowInFile?(row: number): number;
  close?(): Promise<void>;
  /** Where its chunks begin and end; default: the rule for samples. */
  readonly ranges?: readonly RowRange[];
  /** From which other threads open the same source and read for themselves; without one the caller reads for them. */
  readonly locator?: Locator | undefined;
}

/** The shape of a sample that is a patch of a picture: row by row, the channels of a pixel side by side. */
export interface PatchShape {
  readonly width: number;
  readonly height: number;
  /** 1: grey, 3: red, green and blue. */
  readonly channels: 1 | 3;
}

/** Says where a source is. It is plain data: another thread or machine opens the same source from it (locator.ts). */
export type Locator = MemoryLocator | ViewLocator | PlatformLocator;

/** Samples in shared memory. */
export interface MemoryLocator {
  readonly kind: 'memory';
  readonly rows: number;
  readonly cols: number;
  readonly data: FloatArray;
}

/** Some rows of another source (views.ts). */
export type ViewLocator = SliceLocator | SubsampleLocator | SplitLocator;

/** Successive rows of another source. */
export interface SliceLocator extends RowRange {
  readonly kind: 'slice';
  readonly of: Locator;
}

/** Rows drawn evenly from another source. */
export interface SubsampleLocator {
  readonly kind: 'subsample';
  readonly of: Locator;
  /** Number of rows. */
  readonly rows: number;
  /** Number of the draw, from 0: each one takes other rows. */
  readonly turn: number;
}

/** One side of a source that is split into rows to learn from and rows held out. */
export interface SplitLocator {
  readonly kind: 'split';
  readonly of: Locator;
  /** Number of rows held out, at most half. */
  readonly held: number;
  readonly side: 'learned' | 'held';
}

/** Data that only some platforms can open: files in Node and on a cluster, Blobs and addresses in a page. */
export type PlatformLocator = FileLocator | FilesLocator | BlobLocator | AddressLocator;

/** Limits on what is believed of the sizes that a file declares: see io/bytes/budget.ts. */
type Limits = Readonly<Record<string, number | undefined>>;

/** A file or an address that Node opens by its name; size and stamp show whether it has changed since. */
export interface FileLocator {
  readonly kind: 'file';
  readonly spec: string;
  readonly size: number;
  readonly stamp: string;
  readonly limits?: Limits | undefined;
  /** How to read it, where its name does not say. */
  readonly format?: string | undefined;
}

/** Several files as one source. */
export interface FilesLocator {
  readonly kind: 'files';
  readonly of: readonly FileLocator[];
}

interface PageDataLocator {
  readonly extension: string;
  readonly array?: string | undefined;
  readonly limits?: Limits | undefined;
}

/** A Blob in a page. Every worker gets a copy of the object, so `id` says which ones are the same. */
export interface BlobLocator extends PageDataLocator {
  readonly kind: 'blob';
  readonly id: string;
  readonly name: string;
  readonly blob: Blob;
}

/** An address that a page reads in place; size and stamp show whether the data has changed since. */
export interface AddressLocator extends PageDataLocator {
  readonly kind: 'address';
  readonly address: string;
  readonly size: number;
  readonly stamp: string;
}

/** Rows start … end − 1. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The smallest chunk: its numbers and the work of a product (rows · cols²) outweigh the fixed cost of a chunk, about ten
 * microseconds; its rows outweigh the cost of adding K×n sums, unless there is enough work anyway.
 */
const SMALLEST = { numbers: 1 << 15, work: 1 << 20, rows: 1280, enoughWork: 1 << 25, fewestRows: 256 };
/** The largest chunk takes about ten milliseconds; chunks of costly samples are smaller. */
const LARGEST = { numbers: 1 << 18, rows: 2048 };
/** Number of chunks of medium-sized data: enough for many threads, few enough sums to add. */
const CHUNKS = 16;

/**
 * Cuts rows into sixteen chunks, unless these would be too small to be worth it, or too large for a cache and for progress.
 * Fewer than sixteen are a power of two, so that they divide evenly among threads. `effort`: work per sample, relative to
 * a correlation.
 */
export function chunkRanges(rows: number, cols: number, effort = 1): RowRange[] {
  const { numbers, work, enoughWork, fewestRows } = SMALLEST;
  const worth = Math.max(numbers / cols, work / cols ** 2, Math.min(SMALLEST.rows, enoughWork / cols ** 2));
  const least = Math.max(fewestRows, worth / effort);
  const most = Math.max(fewestRows, Math.max(LARGEST.rows, LARGEST.numbers / cols) / Math.max(1, effort));
  const size = Math.min(Math.max(rows / CHUNKS, least), most);
  const count = rows / size < CHUNKS ? 2 ** Math.floor(Math.log2(Math.max(1, rows / size))) : Math.round(rows / size);
  const even = Math.ceil(rows / count / 8) * 8;
  const ranges: RowRange[] = [];
  for (let start = 0; start < rows; start += even) ranges.push({ start, end: Math.min(rows, start + even) });
  return ranges;
}

/** The chunks of a source. `effort`: see {@link chunkRanges}. */
export function rangesOf({ rows, cols, ranges }: Source, effort?: number): readonly RowRange[] {
  return ranges ?? chunkRanges(rows, cols, effort);
}

export function requireSamples(who: string, { rows, cols }: Source): void {
  if (!(rows > 0 && cols > 0)) throw inputError(who, 'samples', 'at least one row and one column', `${rows}×${cols}`);
}
