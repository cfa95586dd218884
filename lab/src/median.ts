/** The median: the mean of the two numbers in the middle if their count is even, NaN if there are none. Infinity counts as a number. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(values.length - 1) >> 1], sorted[values.length >> 1]];
  return low === high ? low : (low + high) / 2; // not Infinity − Infinity
}

/** The median of numbers of which some may be missing: null if the one in the middle is. */
export function medianOrNull(values: ReadonlyArray<number | null>): number | null {
  const middle = median(values.map((value) => value ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(middle) ? middle : null;
}
