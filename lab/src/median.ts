/** The median; of two numbers in the middle, their mean. Infinity counts as a number; NaN without any. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(values.length - 1) >> 1], sorted[values.length >> 1]];
  return low === high ? low : (low + high) / 2; // not Infinity − Infinity
}

/** The same for numbers of which some may be missing: null if the middle is. */
export function medianOrNull(values: ReadonlyArray<number | null>): number | null {
  const middle = median(values.map((value) => value ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(middle) ? middle : null;
}
