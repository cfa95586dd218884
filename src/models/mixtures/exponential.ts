/**
 * exp(x) for −40 < x ≤ 0, to the last digit or two; some times as fast as Math.exp, and the same on every engine.
 *
 *     x = n ln 2 + r,  |r| ≤ ½ ln 2,     exp(x) = 2ⁿ Σ_i r^i / i!        12 terms leave 2e-17
 */
const LOG2_E = Math.LOG2E;
/** ln 2 = HIGH + LOW, with zeros at the end of HIGH, so that n·HIGH is exact. */
const HIGH = 0.6931471803691238;
const LOW = 1.9082149292705877e-10;
const POWERS = Float64Array.from({ length: 64 }, (_, n) => 2 ** -n);

export function expBelowZero(x: number): number {
  const n = (0.5 - x * LOG2_E) | 0;
  const r = x + n * HIGH + n * LOW;
  const s = r * r;
  const even = 1 + s * (1 / 2 + s * (1 / 24 + s * (1 / 720 + s * (1 / 40320 + s * (1 / 3628800 + s / 479001600)))));
  const odd = 1 + s * (1 / 6 + s * (1 / 120 + s * (1 / 5040 + s * (1 / 362880 + s / 39916800))));
  return (even + r * odd) * POWERS[n];
}
