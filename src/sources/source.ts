/**
 * Where samples come from. A source knows its shape before it is read, hands out chunks of rows in any order and any number
 * of times, and says where chunks begin: the rule depends on the shape alone, never on threads or on memory, because the
 * order of summation, and with it every bit of the result, hangs on it.
 */
import type { Matrix, Precision } from '../matrix.ts';

export interface Source {
  readonly rows: number;
  readonly cols: number;
  /** Of the stored numbers: float32 stays float32, everything else is read as float64. */
  readonly precision: Precision;
  /** Rows [start, end) as a matrix the caller may read until its next await, but not write. */
  read(start: number, end: number): Promise<Matrix>;
  close?(): Promise<void>;
}

export interface RowRange {
  readonly start: number;
  readonly end: number;
}

const CHUNK_ELEMENTS = 1 << 17;
const SMALLEST_CHUNK = 1024;

/** About 2^17 numbers a chunk, but never so few rows that adding up K×n sums costs more than computing them. */
export function chunkRanges(rows: number, cols: number): RowRange[] {
  const size = Math.max(SMALLEST_CHUNK, Math.ceil(CHUNK_ELEMENTS / cols / 8) * 8);
  const count = Math.max(1, Math.ceil(rows / size));
  const even = Math.ceil(rows / count / 8) * 8;
  const ranges: RowRange[] = [];
  for (let start = 0; start < rows; start += even) ranges.push({ start, end: Math.min(rows, start + even) });
  return ranges;
}
