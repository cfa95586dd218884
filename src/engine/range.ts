/** Rows [start, end) of a source, nothing copied. */
import type { Source } from './source.ts';

export function rangeOf(source: Source, start: number, end: number): Source {
  return {
    rows: end - start,
    cols: source.cols,
    precision: source.precision,
    read: (from, to) => source.read(start + from, start + to),
  };
}
