/**
 * Part of a source: as many rows as asked for, in runs spread evenly over the whole; nothing is copied. Row r of the
 * part is near row r·P/p of the whole, and the rows of one read are neighbours there: reading from the part is one read
 * of the whole.
 */
import type { Source } from './source.ts';

/** Where a run that begins with row `row` of a part of `rows` rows begins in a whole of `all`. */
export const firstRowOf = (row: number, all: number, rows: number): number => Math.floor(row * (all / rows));

export function partOf(source: Source, rows: number): Source {
  return {
    rows,
    cols: source.cols,
    precision: source.precision,
    read(start, end) {
      const first = firstRowOf(start, source.rows, rows);
      return source.read(first, first + end - start);
    },
    ...(source.locator && { locator: { kind: 'part', of: source.locator, rows } }),
  };
}
