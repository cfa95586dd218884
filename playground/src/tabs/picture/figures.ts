/** Figures in words. */

/** "31.5 dB". */
export const decibels = (value: number): string =>
  Number.isFinite(value) ? `${value.toFixed(2)} dB` : 'no difference';
