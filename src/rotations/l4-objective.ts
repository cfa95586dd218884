/**
 * f(A) = ‖X‖⁴₄, X = Z Aᵀ, with the codes of an atom in a row: a step sums over two rows and rotates them.
 *
 *     u = x² − y²,  w = xy                                      x, y the codes of atoms i and j
 *     Σ (x + iy)⁴ = Σ u² − 4 Σ w² + 4i Σ uw = r exp(iθ)
 *     f(φ) = const + ¼ r cos(4φ − θ),   φ* = θ/4,   gain = ½ r sin² 2φ*
 *
 * since rotating by φ multiplies x + iy by exp(−iφ), and x⁴ + y⁴ = ¾ |x + iy|⁴ + ¼ Re (x + iy)⁴. f is the same for an
 * atom and its negative.
 */
import { demand } from '../core/errors.ts';
import { type Matrix, type Matrix64, type Precision, precisionOf } from '../core/matrix.ts';
import type { PlaneRows } from '../kernels/kernels.ts';
import { planeSums, rotateRows } from '../kernels/planes.ts';
import type { RotationObjective } from './coordinate-ascent.ts';
import { isTaken, type PlaneRotation, rotateByKernels } from './plane-rotation.ts';
import type { OnThreads } from './rotate-groups.ts';
import { defineRotatePlanes } from './rotate-planes.ts';

/** Below this share of Σ (x⁴ + y⁴ + x²y²) the plane is flat: f is the same for every angle. */
const FLAT = { f32: 1e-6, f64: 1e-14 } as const;

/** Codes Xᵀ, K×p. */
export interface L4Codes extends PlaneRows {
  /** The value Σ x⁴, if it is known. */
  readonly value?: number;
}

const NO_CODES: L4Codes = { rows: 0, cols: 0, data: new Float64Array() };

/** ‖X‖⁴₄ as an objective. `codesOf(A)`: K×p, may be overwritten; in shared memory (`planeRows`, `shareMatrix`) if an executor rotates it. */
export function l4Objective(
  size: number,
  codesOf: (A: Matrix64, change?: number) => L4Codes | Promise<L4Codes>,
  onThreads?: OnThreads,
): RotationObjective {
  demand(typeof codesOf === 'function', 'l4Objective', 'codesOf', 'a function', codesOf);
  demand(['function', 'undefined'].includes(typeof onThreads), 'l4Objective', 'onThreads', 'a function', onThreads);
  const rotateGroups = onThreads?.(rotateL4Planes, () => ({ rows: codes, length: codes.cols }));
  let codes = NO_CODES;
  let value: number | undefined; // undefined if it has to be summed
  return {
    size,
    async restore(A, change) {
      codes = NO_CODES; // two sets of codes are never held at once
      codes = await codesOf(A, change);
      value = codes.value;
    },
    value() {
      value ??= fourthPowers(codes);
      return value;
    },
    best: (i, j) => l4Rotation(planeSums(codes, i, j, 'quartic'), precisionOf(codes)),
    rotate(i, j, c, s) {
      rotateRows(codes, i, j, c, s);
      value = undefined;
    },
    rotateGroups:
      rotateGroups &&
      (async (groups, leastAngle) => {
        const rotations = await rotateGroups(groups, leastAngle);
        // gains are more accurate than the sum of codes that were rotated often in float32
        for (const rotation of rotations)
          if (value !== undefined && isTaken(rotation, leastAngle)) value += rotation.gain;
        return rotations;
      }),
  };
}

export const rotateL4Planes = defineRotatePlanes<PlaneRows>(
  import.meta.url,
  'rotate-l4-planes',
  (rows, planes, leastAngle, kernels) => {
    const rotationOf = (sums: Float64Array) => l4Rotation(sums, precisionOf(rows));
    return rotateByKernels(kernels, { rows, planes, sums: 'quartic' }, rotationOf, leastAngle);
  },
  (codes) => codes,
);

/** The best rotation of a plane with these sums: Σ u², Σ uw, Σ w². */
export function l4Rotation(sums: Float64Array, precision: Precision): PlaneRotation {
  const [uu, uw, ww] = [sums[0], sums[1], sums[2]]; // destructuring a typed array is slow
  const real = uu - 4 * ww;
  const slope = 4 * uw;
  const r = Math.hypot(slope, real);
  if (!(r > FLAT[precision] * (uu + 3 * ww))) return { angle: 0, gain: 0, slope };
  const angle = Math.atan2(slope, real) / 4;
  return { angle, gain: 0.5 * r * Math.sin(2 * angle) ** 2, slope };
}

function fourthPowers({ data }: Matrix): number {
  let sum = 0;
  for (let at = 0; at < data.length; at++) sum += (data[at] * data[at]) ** 2;
  return sum;
}
