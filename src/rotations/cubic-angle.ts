/**
 * The global maximum over the circle of a cubic form in c = cos φ, s = sin φ:
 *
 *     g(φ) = a c³ + 3b c²s + 3e cs² + f s³,     g(φ + π) = −g(φ)
 *     g′ = 0:  with t = tan φ,  b + (2e − a) t + (f − 2b) t² − e t³ = 0,  and c = 0 where e = 0
 *
 * A half circle has at most three stationary points. Each is a maximum of g or of −g; a maximum of −g is one of g half
 * a turn further.
 */
import type { PlaneRotation } from './plane-rotation.ts';

/** Gains below this share of the coefficients are rounding; then only a small step to the nearest maximum is taken. */
const ROUNDING = 8 * Number.EPSILON;
const NEWTON_STEPS = 2;
/** Longest step that is trusted if the gain could be rounding. */
const SMALL_STEP = 1e-3;

export function cubicRotation(a: number, b: number, e: number, f: number): PlaneRotation {
  const slope = 3 * b;
  const size = Math.abs(a) + 3 * Math.abs(b) + 3 * Math.abs(e) + Math.abs(f);
  if (size === 0) return { angle: 0, gain: 0, slope };
  const value = (c: number, s: number) => c * c * (a * c + 3 * b * s) + s * s * (3 * e * c + f * s);
  const first = (c: number, s: number) => 3 * (c * c * (b * c + (2 * e - a) * s) + s * s * ((f - 2 * b) * c - e * s));
  const second = (c: number, s: number) =>
    3 * (c * c * ((2 * e - a) * c + (2 * f - 7 * b) * s) + s * s * ((2 * a - 7 * e) * c + (2 * b - f) * s));
  const newton = (start: number): number => {
    let at = start;
    for (let step = 0; step < NEWTON_STEPS; step++) {
      const [c, s] = [Math.cos(at), Math.sin(at)];
      const bend = second(c, s);
      const move = bend === 0 ? 0 : -first(c, s) / bend;
      if (Math.abs(move) < 0.1) at += move;
    }
    return at;
  };
  let angle = 0;
  let best = a;
  for (const start of stationaryAngles(a, b, e, f)) {
    const at = newton(start);
    const found = value(Math.cos(at), Math.sin(at));
    if (Math.abs(found) > best) {
      best = Math.abs(found);
      angle = found > 0 ? at : at > 0 ? at - Math.PI : at + Math.PI;
    }
  }
  const gain = best - a;
  if (gain > ROUNDING * size) return { angle: newton(angle), gain, slope }; // a flat maximum is not yet found to rounding
  const bend = 3 * (2 * e - a);
  const step = bend < -ROUNDING * size ? -slope / bend : 0;
  return Math.abs(step) < SMALL_STEP ? { angle: step, gain: 0.5 * slope * step, slope } : { angle: 0, gain: 0, slope };
}

/** Stationary angles in (−π/2, π/2], from the cubic in tan φ or its inverse, whichever has the larger leading coefficient. */
function stationaryAngles(a: number, b: number, e: number, f: number): number[] {
  const angles =
    Math.abs(e) >= Math.abs(b)
      ? realRoots(-e, f - 2 * b, 2 * e - a, b).map((t) => Math.atan(t))
      : realRoots(b, 2 * e - a, f - 2 * b, -e)
          .map((r) => Math.atan2(1, r))
          .map(toHalfCircle);
  return [...angles, 0, Math.PI / 2];
}

const toHalfCircle = (angle: number): number => (angle > Math.PI / 2 ? angle - Math.PI : angle);

/** Roots of k₃x³ + k₂x² + k₁x + k₀, good enough to start Newton's method; none for k₃ = 0, which means k₀ = 0 here. */
function realRoots(k3: number, k2: number, k1: number, k0: number): number[] {
  if (k3 === 0) return k2 === 0 ? [] : [-k1 / k2];
  const shift = k2 / (3 * k3);
  const p = k1 / (3 * k3) - shift * shift; // x = y − shift:  y³ + 3p y + 2q = 0
  const q = shift ** 3 - (shift * k1) / (2 * k3) + k0 / (2 * k3);
  const discriminant = q * q + p * p * p;
  if (discriminant > 0) {
    const u = Math.cbrt(q > 0 ? -q - Math.sqrt(discriminant) : -q + Math.sqrt(discriminant));
    const roots = [u === 0 ? 0 : u - p / u];
    return [...roots, -roots[0] / 2].map((y) => y - shift); // the second one if rounding has lost a double root
  }
  const radius = Math.sqrt(-p);
  const third = Math.acos(Math.min(1, Math.max(-1, radius === 0 ? 0 : -q / radius ** 3))) / 3;
  return [0, 1, 2].map((k) => 2 * radius * Math.cos(third - (2 * Math.PI * k) / 3) - shift);
}
