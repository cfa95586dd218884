/** Formats numbers for pages: three digits, powers of ten for values far from one. */
export function formatFigure(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || !Number.isFinite(value)) return String(value);
  if (size >= 1e-3 && size < 1e4) return String(Number(value.toPrecision(3)));
  return value.toExponential(0);
}

/** `2.3 (2.1 – 2.5)` */
export function formatSpread({ median, low, high }: { median: number; low: number; high: number }): string {
  const [a, b] = [formatFigure(low), formatFigure(high)];
  return a === b ? formatFigure(median) : `${formatFigure(median)} (${a} – ${b})`;
}
