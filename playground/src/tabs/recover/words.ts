/** Numbers as the tab "Recover" writes them. */
import type { Track } from './race.svelte.ts';

const NUMBERS = new Intl.NumberFormat('en');

/** `5,000` */
export const grouped = (value: number): string => NUMBERS.format(value);

/** 5.3e-23; 0 is exact. */
export const small = (value: number): string => (value === 0 ? '0' : value.toExponential(1));

export const seconds = (value: number): string =>
  value < 0.1 ? `${Math.round(1000 * value)} ms` : `${value.toFixed(value < 10 ? 2 : 1)} s`;

/** What the matrix shows, in words. */
export function described(label: string, { snapshot, iterations, errors }: Track, what: string): string {
  if (!snapshot) return `${what}: nothing yet.`;
  const { matched, n, maxAtomError } = snapshot;
  return `${what} of ${label} after ${grouped(iterations.at(-1)!)} iterations: ${matched} of ${n} atoms recovered, recovery error ${small(errors.at(-1)!)}, largest error of an atom ${small(maxAtomError)}.`;
}
