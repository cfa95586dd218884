/**
 * Two sources of one: most samples to learn from, and some to hold out. The samples held out are short runs of
 * neighbours, spread evenly over the whole; which ones depends on the two numbers of samples alone. Neighbours are often
 * alike: of samples picked one by one, each would have its twins among those learned from.
 *
 *     run b of c begins at row ⌊(b + 1/2) P/c − l/2⌋, l = rows of a run, P = rows of the whole
 */
import { type Matrix, rowRange } from '../../core/matrix.ts';
import type { RowRange, Source } from './source.ts';

/** Which rows of the whole: those held out, or the others. */
export interface Side {
  /** How many rows are held out, at most half. */
  readonly held: number;
  readonly side: 'learned' | 'held';
}

/** Longest run, and fewest runs (fewer only if there are fewer rows). */
const RUN = { longest: 256, fewest: 32 };

/** Rows [start, end) of one side, as ranges of the whole, in order. */
export function rangesInWhole(start: number, end: number, all: number, { held, side }: Side): RowRange[] {
  const length = Math.min(RUN.longest, Math.max(1, Math.floor(held / RUN.fewest)));
  const runs = Math.ceil(held / length);
  const runStart = (b: number) => (b < runs ? Math.floor(((b + 0.5) * all) / runs - length / 2) : all);
  const heldBefore = (b: number) => Math.min(held, b * length);
  const runEnd = (b: number) => runStart(b) + heldBefore(b + 1) - heldBefore(b);
  // piece b of the learned side lies before run b, and after it the last piece
  const pieceStart = (b: number) => (b === 0 ? 0 : runEnd(b - 1));
  const [firstOf, lastOf, before] =
    side === 'held'
      ? [runStart, runEnd, heldBefore]
      : [pieceStart, runStart, (b: number) => pieceStart(b) - heldBefore(b)];
  const ranges: RowRange[] = [];
  for (let b = pieceWith(start, runs, before), at = start; at < end; b++) {
    const from = firstOf(b) + at - before(b);
    const to = Math.min(lastOf(b), from + end - at);
    if (to > from) ranges.push({ start: from, end: to });
    at += to - from;
  }
  return ranges;
}

/** The last of the pieces 0 … last that begins at or before this row; `before`: rows before a piece. */
function pieceWith(row: number, last: number, before: (piece: number) => number): number {
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (before(middle) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** One side of a source; nothing is copied but rows that are read from both ends of a run. */
export function sideOf(source: Source, { held, side }: Side): Source {
  const rows = side === 'held' ? held : source.rows - held;
  const rangesOf = (start: number, end: number) => rangesInWhole(start, end, source.rows, { held, side });
  return {
    rows,
    cols: source.cols,
    precision: source.precision,
    ...(source.names && { names: source.names }),
    ...(source.patch && { patch: source.patch }),
    rowInFile: (row) => fileRow(source, rangesOf(row, row + 1)[0].start),
    async read(start, end) {
      const ranges = rangesOf(start, end);
      if (ranges.length === 1) return source.read(ranges[0].start, ranges[0].end);
      const join = joiner(end - start);
      for (const range of ranges) join.add(await source.read(range.start, range.end));
      return join.matrix();
    },
    ...(source.locator && { locator: { kind: 'split', of: source.locator, held, side } }),
  };
}

/** The same where reading needs no waiting. */
export function readSide(
  read: (start: number, end: number) => Matrix,
  all: number,
  side: Side,
): (start: number, end: number) => Matrix {
  return (start, end) => {
    const ranges = rangesInWhole(start, end, all, side);
    if (ranges.length === 1) return read(ranges[0].start, ranges[0].end);
    const join = joiner(end - start);
    for (const range of ranges) join.add(read(range.start, range.end));
    return join.matrix();
  };
}

/** The number of a row in the file, for messages. */
export const fileRow = ({ rowInFile }: Source, row: number): number => rowInFile?.(row) ?? row;

/** Copies pieces one after the other: a piece may be overwritten by the next read. */
function joiner(rows: number) {
  let whole: Matrix | undefined;
  let done = 0;
  return {
    add(piece: Matrix) {
      const { cols, data } = piece;
      whole ??= {
        rows,
        cols,
        data: data instanceof Float32Array ? new Float32Array(rows * cols) : new Float64Array(rows * cols),
      };
      rowRange(whole, done, done + piece.rows).data.set(data);
      done += piece.rows;
    },
    matrix: () => whole ?? { rows: 0, cols: 0, data: new Float64Array(0) },
  };
}
