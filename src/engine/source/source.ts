/**
 * Where samples come from. A source knows its shape before it is read, hands out rows in any order and any number of
 * times, and says where chunks begin. Chunk boundaries depend only on the shape, never on threads or memory: they set
 * the order of summation, and so every bit of the result.
 */
import { inputError } from '../../core/errors.ts';
import type { Matrix, Precision } from '../../core/matrix.ts';

/** Where samples come from: p×n numbers that can be read by rows, any number of times. */
export interface Source {
  readonly rows: number;
  readonly cols: number;
  /** Precision of the stored numbers: float32 stays float32, everything else is read as float64. */
  readonly precision: Precision;
  /** Of the columns, if they have any. */
  readonly names?: readonly string[] | undefined;
  /** If they are patches of pictures. */
  readonly patch?: PatchShape | undefined;
  /** Rows [start, end) as a matrix the caller may read until its next await, but not write. */
  read(start: number, end: number): Promise<Matrix>;
  /** The number of a row in the data that the user gave, for messages; default: the same. */
  rowInFile?(row: number): number;
  close?(): Promise<void>;
  /** Where its chunks begin and end; default: the rule for samples. */
  readonly ranges?: readonly RowRange[];
  /**
   * Plain data from which other threads open the same source and read for themselves; absent: the caller reads for
   * them.
   */
  readonly locator?: Locator | undefined;
}

/** The shape of a sample that is a patch of a picture: row by row, the channels of a pixel side by side. */
export interface PatchShape {
  readonly width: number;
  readonly height: number;
  /** 1: grey, 3: red, green and blue. */
  readonly channels: 1 | 3;
}

/** Says where a source is: its kind, and what that kind needs to open it. */
export interface Locator {
  readonly kind: string;
  readonly [detail: string]: unknown;
}

/** Rows start … end − 1. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The smallest chunk: its numbers and the work of a product (rows · cols²) outweigh the fixed cost of a chunk, some ten
 * microseconds; its rows outweigh the cost of K×n sums, up to as much work as keeps threads busy anyway.
 */
const SMALLEST = { numbers: 1 << 15, work: 1 << 20, rows: 1280, enoughWork: 1 << 25, fewestRows: 256 };
/** A chunk of this size takes some ten milliseconds; costly samples are fewer. */
const LARGEST = { numbers: 1 << 18, rows: 2048 };
/** Chunks of medium-sized data: enough for many threads, few enough sums to add. */
const CHUNKS = 16;

/**
 * Sixteen chunks, unless they would be too small to be worth it or too large for a cache and for progress. Fewer than
 * sixteen are a power of two, so that they divide evenly among threads. `effort`: work per sample, relative to a
 * correlation.
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

/** `effort`: see {@link chunkRanges}. */
export function rangesOf({ rows, cols, ranges }: Source, effort?: number): readonly RowRange[] {
  return ranges ?? chunkRanges(rows, cols, effort);
}

export function requireSamples(who: string, { rows, cols }: Source): void {
  if (!(rows > 0 && cols > 0)) throw inputError(who, 'samples', 'at least one row and one column', `${rows}×${cols}`);
}
