/**
 * exp(x) for −40 < x ≤ 0, to the last digit or two; several times as fast as Math.exp, and the same on every engine.
 *
 *     x = −n h + r,  h = ln 2 / 32,  |r| ≤ h/2,     exp(x) = 2^(−n/32) Σ_i r^i / i!        7 terms leave 4e-18
 */
const PARTS = 32;
const PARTS_PER_NAT = PARTS * Math.LOG2E;
/** h = HIGH + LOW, with zeros at the end of HIGH, so that n·HIGH is exact. */
const HIGH = 0.6931471803691238 / PARTS;
const LOW = 1.9082149292705877e-10 / PARTS;
/** The powers 2^(−n/32), down to exp(−40). */
const POWERS = Float64Array.from({ length: 58 * PARTS }, (_, n) => 2 ** (-n / PARTS));

export function expBelowZero(x: number): number {
  const n = (0.5 - x * PARTS_PER_NAT) | 0;
  const r = x + n * HIGH + n * LOW;
  const s = r * r;
  const odd = 1 + s * (1 / 6 + s / 120);
  const even = s * (1 / 2 + s * (1 / 24 + s / 720));
  return (1 + (r * odd + even)) * POWERS[n];
}
