/** Numbers as pages, tables and charts show them. */

/** Three digits; powers of ten for values far from one. */
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

/** 0.5 % or 1e-10. */
export const percent = (target: number): string =>
  target >= 1e-4 ? `${Number((100 * target).toPrecision(3))} %` : target.toExponential(0);

export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return '–';
  return seconds >= 100 ? seconds.toFixed(0) : seconds.toPrecision(3);
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** 10⁸ */
export const powerOfTen = (value: number): string =>
  `10${String(Math.round(Math.log10(value))).replace(/\d/g, (digit) => RAISED[Number(digit)])}`;
