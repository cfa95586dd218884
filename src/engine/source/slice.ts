/** Rows [start, end) of a source; nothing is copied. */
import type { Source } from './source.ts';

export function rangeOf(source: Source, start: number, end: number): Source {
  return {
    rows: end - start,
    cols: source.cols,
    precision: source.precision,
    read: (from, to) => source.read(start + from, start + to),
    ...(source.locator && { locator: { kind: 'range', of: source.locator, start, end } }),
  };
}
