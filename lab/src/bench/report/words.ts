/** Numbers as tables and charts show them. */

/** 0.5 % or 1e-10. */
export const percent = (target: number): string =>
  target >= 1e-4 ? `${Number((100 * target).toPrecision(3))} %` : target.toExponential(0);

export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return '–';
  return seconds >= 100 ? seconds.toFixed(0) : seconds.toPrecision(3);
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
