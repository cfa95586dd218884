/** Views: sources that are some rows of another source. Reading a view reads the other source; little or nothing is copied. */
import { type Matrix, newNumbers, precisionOf, rowRange } from '../../core/matrix.ts';
import type { RowRange, Source, SplitLocator, SubsampleLocator, ViewLocator } from './source.ts';

type WithoutSource<L> = L extends unknown ? Omit<L, 'of'> : never;

/** Which rows of its source a view has. */
export type View = WithoutSource<ViewLocator>;

/** A view of a source. */
export function viewOf(source: Source, view: View): Source {
  const { rows: all, cols, precision, names, patch, locator } = source;
  return {
    rows: rowsOfView(all, view),
    cols,
    precision,
    ...(view.kind === 'split' && {
      ...(names && { names }),
      ...(patch && { patch }),
      rowInFile: (row: number) => fileRow(source, rangesInWhole(row, row + 1, all, view)[0].start),
    }),
    async read(start, end) {
      const ranges = rangesOfView(start, end, all, view);
      if (ranges.length === 1) return source.read(ranges[0].start, ranges[0].end);
      const join = joiner(end - start);
      for (const range of ranges) join.add(await source.read(range.start, range.end));
      return join.matrix();
    },
    ...(locator && { locator: { ...view, of: locator } as ViewLocator }),
  };
}

/** Reads a view of rows that are in memory, without waiting; copies rows only where a read crosses the end of a run. */
export const viewReader =
  (read: (start: number, end: number) => Matrix, all: number, view: View) =>
  (start: number, end: number): Matrix => {
    const ranges = rangesOfView(start, end, all, view);
    if (ranges.length === 1) return read(ranges[0].start, ranges[0].end);
    const join = joiner(end - start);
    for (const range of ranges) join.add(read(range.start, range.end));
    return join.matrix();
  };

/** Number of rows of a view of a source of `all` rows. */
export function rowsOfView(all: number, view: View): number {
  if (view.kind === 'slice') return view.end - view.start;
  if (view.kind === 'subsample') return view.rows;
  return view.side === 'held' ? view.held : all - view.held;
}

/** How many rows of its source a view needs at least. */
export function rowsNeeded(view: View): number {
  if (view.kind === 'slice') return view.end;
  return view.kind === 'subsample' ? view.rows : 2 * view.held;
}

/** Rows [start, end) of a view as ranges of its source of `all` rows, in order. */
function rangesOfView(start: number, end: number, all: number, view: View): RowRange[] {
  if (view.kind === 'split') return rangesInWhole(start, end, all, view);
  const first = view.kind === 'slice' ? view.start + start : firstRowOf(start, end, all, view);
  return [{ start: first, end: first + end - start }];
}

/** Rows [start, end) of a source. */
export const sliceOf = (source: Source, start: number, end: number): Source =>
  viewOf(source, { kind: 'slice', start, end });

/**
 * A number of rows spread evenly over a source: each read takes one run of neighbours, so row r of p is near row r·P/p of P.
 * `turn` 0, 1, 2 … takes other rows each time: a run moves within its share of the source, in steps that leave no gap for
 * long and do not repeat.
 */
export const subsampleOf = (source: Source, rows: number, turn = 0): Source =>
  viewOf(source, { kind: 'subsample', rows, turn });

/** One side of a split. Only reads that cross the end of a run copy rows. */
export const splitSide = (source: Source, { held, side }: SplitSide): Source =>
  viewOf(source, { kind: 'split', held, side });

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** Where rows [start, end) of a subsample begin in its source of `all` rows. */
function firstRowOf(start: number, end: number, all: number, { rows, turn }: Omit<SubsampleLocator, 'of'>): number {
  const stretch = all / rows;
  const delay = ((turn * GOLDEN_RATIO) % 1) * (stretch - 1);
  return Math.floor(start * stretch + delay * (end - start));
}

/** One side of a split into samples to learn from and samples to hold out. */
export type SplitSide = Pick<SplitLocator, 'held' | 'side'>;

/** Longest run of rows held out, and fewest runs (fewer only if there are fewer rows). */
const RUN = { longest: 256, fewest: 32 };

/**
 * Rows [start, end) of one side of a split, as ranges of the source, in order.
 *
 * The samples held out are short runs of neighbours, spread evenly over the source. Single samples would not do:
 * neighbours are often alike, so each one held out would have its twins among those learned from. The rows depend only on
 * the numbers of samples:
 *
 *     run b of c begins at row ⌊(b + 1/2) P/c − l/2⌋, l = rows of a run, P = rows of the source
 */
export function rangesInWhole(start: number, end: number, all: number, { held, side }: SplitSide): RowRange[] {
  const length = Math.min(RUN.longest, Math.max(1, Math.floor(held / RUN.fewest)));
  const runs = Math.ceil(held / length);
  const runStart = (b: number) => (b < runs ? Math.floor(((b + 0.5) * all) / runs - length / 2) : all);
  const heldBefore = (b: number) => Math.min(held, b * length);
  const runEnd = (b: number) => runStart(b) + heldBefore(b + 1) - heldBefore(b);
  // the learned side lies between the runs: piece b before run b, the last piece after the last run
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

/** The last of the pieces 0 … last that begins at or before this row; `before`: number of rows before a piece. */
function pieceWith(row: number, last: number, before: (piece: number) => number): number {
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (before(middle) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Number of a row in the file that the user gave, for messages. */
export const fileRow = ({ rowInFile }: Source, row: number): number => rowInFile?.(row) ?? row;

/** Copies pieces one after the other into one matrix, each before the next read can overwrite it. */
function joiner(rows: number) {
  let whole: Matrix | undefined;
  let done = 0;
  return {
    add(piece: Matrix) {
      const { cols, data } = piece;
      whole ??= { rows, cols, data: newNumbers(precisionOf(piece), rows * cols) };
      rowRange(whole, done, done + piece.rows).data.set(data);
      done += piece.rows;
    },
    matrix: () => whole ?? { rows: 0, cols: 0, data: new Float64Array(0) },
  };
}
