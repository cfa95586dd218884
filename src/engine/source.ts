/**
 * Where samples come from. A source knows its shape before it is read, hands out chunks of rows in any order and any number
 * of times, and says where chunks begin: the rule depends on the shape alone, never on threads or on memory, because the
 * order of summation, and with it every bit of the result, hangs on it.
 */
import type { Matrix, Precision } from '../core/matrix.ts';

export interface Source {
  readonly rows: number;
  readonly cols: number;
  /** Of the stored numbers: float32 stays float32, everything else is read as float64. */
  readonly precision: Precision;
  /** Rows [start, end) as a matrix the caller may read until its next await, but not write. */
  read(start: number, end: number): Promise<Matrix>;
  close?(): Promise<void>;
  /** Where its chunks begin and end, if not where the rule for samples has it. */
  readonly ranges?: readonly RowRange[];
}

export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** The smallest chunk worth a message, by its numbers, by its rows (which make up for K×n sums), and by the work of a product. */
const SMALLEST = { numbers: 1 << 16, rows: 256, work: 1 << 24 };
const LARGEST = { numbers: 1 << 18, rows: 2048 };
/** Chunks of data of middling size: enough for many threads, few enough messages. */
const CHUNKS = 16;

/**
 * Sixteen chunks, unless they would get too small to be worth a message or too large for a cache and for progress. Fewer are a
 * power of two, so that they divide evenly among threads. `effort`: the work on a sample, in units of that of a correlation.
 */
export function chunkRanges(rows: number, cols: number, effort = 1): RowRange[] {
  const least = Math.max(SMALLEST.rows, SMALLEST.numbers / cols / effort, SMALLEST.work / cols ** 2 / effort);
  const most = Math.max(LARGEST.rows, LARGEST.numbers / cols);
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
