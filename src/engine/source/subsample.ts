/**
 * Part of a source: as many rows as asked for, in runs spread evenly over the whole; nothing is copied. Row r of the
 * part is near row r·P/p of the whole, and the rows of one read are neighbours there: reading from the part is one read
 * of the whole. Other turns take other rows: a run moves within its share of the whole, by steps that leave no gap for
 * long and do not repeat.
 */
import type { Source } from './source.ts';

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** Which part of a whole of `all` rows: how many, and which turn. */
export interface Part {
  readonly rows: number;
  readonly turn: number;
}

/** Where rows [start, end) of a part begin in the whole. */
export function firstRowOf(start: number, end: number, all: number, { rows, turn }: Part): number {
  const stretch = all / rows;
  const delay = ((turn * GOLDEN_RATIO) % 1) * (stretch - 1);
  return Math.floor(start * stretch + delay * (end - start));
}

/** `turn` 0, 1, 2 …: which part of this size. */
export function partOf(source: Source, rows: number, turn = 0): Source {
  return {
    rows,
    cols: source.cols,
    precision: source.precision,
    read(start, end) {
      const first = firstRowOf(start, end, source.rows, { rows, turn });
      return source.read(first, first + end - start);
    },
    ...(source.locator && { locator: { kind: 'part', of: source.locator, rows, turn } }),
  };
}
