/**
 * f(A) = ‖X‖⁴₄, X = Z Aᵀ, with the codes of an atom in a row: a step sums over two rows and turns them.
 *
 *     a = Σ (x⁴ + y⁴),  b = Σ x²y²,  e = Σ (x³y − xy³)          x, y the codes of atoms i and j
 *     f(φ) − rest = 3a/4 + 3b/2 + ¼ ((a − 6b) cos 4φ + 4e sin 4φ)
 *     φ* = ¼ atan2(4e, a − 6b),   gain = ½ r sin² 2φ*,   r = hypot(4e, a − 6b)
 *
 * since c⁴ + s⁴ = (3 + cos 4φ)/4, c²s² = (1 − cos 4φ)/8 and c³s − cs³ = ¼ sin 4φ. f is the same for an atom and its
 * negative.
 */
import type { Matrix64 } from '../core/matrix.ts';
import { rotateRows } from '../linalg/rotations.ts';
import type { RotationObjective } from './engine.ts';
import type { Planes, Turn } from './planes.ts';
import type { OnThreads } from './turn-groups.ts';
import { defineTurnPlanes } from './turn-planes.ts';

/** Below this share of a + b the plane is flat: f is the same for every angle. */
const FLAT = 1e-14;

const NO_CODES: Matrix64 = { rows: 0, cols: 0, data: new Float64Array() };

/** `codesOf(A)`: a new K×p matrix, in shared memory if threads are to turn it. */
export function l4Objective(
  size: number,
  codesOf: (A: Matrix64) => Matrix64 | Promise<Matrix64>,
  onThreads?: OnThreads,
): RotationObjective {
  let codes = NO_CODES;
  return {
    size,
    async restore(A) {
      codes = NO_CODES; // two sets of codes are never held at once
      codes = await codesOf(A);
    },
    value() {
      let sum = 0;
      for (let at = 0; at < codes.data.length; at++) sum += (codes.data[at] * codes.data[at]) ** 2;
      return sum;
    },
    best: (i, j) => l4Turn(codes, i, j),
    rotate: (i, j, c, s) => rotateRows(codes, i, j, c, s),
    turnGroups: onThreads?.(turnL4Planes, () => ({ rows: codes, length: codes.cols })),
  };
}

const l4Planes = (codes: Matrix64): Planes => ({
  best: (i, j) => l4Turn(codes, i, j),
  rotate: (i, j, c, s) => rotateRows(codes, i, j, c, s),
});

const turnL4Planes = defineTurnPlanes(import.meta.url, 'turn-l4-planes', l4Planes, (codes) => codes);

export function l4Turn({ data, cols: p }: Matrix64, i: number, j: number): Turn {
  let a = 0;
  let b = 0;
  let e = 0;
  for (let l = 0, first = i * p, second = j * p; l < p; l++, first++, second++) {
    const x = data[first];
    const y = data[second];
    const xx = x * x;
    const yy = y * y;
    a += xx * xx + yy * yy;
    b += xx * yy;
    e += x * y * (xx - yy);
  }
  const r = Math.hypot(4 * e, a - 6 * b);
  if (!(r > FLAT * (a + b))) return { angle: 0, gain: 0, slope: 4 * e };
  const angle = Math.atan2(4 * e, a - 6 * b) / 4;
  return { angle, gain: 0.5 * r * Math.sin(2 * angle) ** 2, slope: 4 * e };
}
