/**
 * f(A) = ‖X‖⁴₄, X = Z Aᵀ, with the codes of an atom in a row: a step sums over two rows and turns them.
 *
 *     u = x² − y²,  w = xy                                      x, y the codes of atoms i and j
 *     Σ (x + iy)⁴ = Σ u² − 4 Σ w² + 4i Σ uw = r exp(iθ)
 *     f(φ) = const + ¼ r cos(4φ − θ),   φ* = θ/4,   gain = ½ r sin² 2φ*
 *
 * since turning by φ multiplies x + iy by exp(−iφ), and x⁴ + y⁴ = ¾ |x + iy|⁴ + ¼ Re (x + iy)⁴. f is the same for an
 * atom and its negative.
 */
import type { Matrix64 } from '../core/matrix.ts';
import type { PlaneRows } from '../kernels/kernels.ts';
import { planeSums, rotateRows } from '../kernels/planes.ts';
import type { RotationObjective } from './engine.ts';
import { type Turn, turnByKernels } from './planes.ts';
import type { OnThreads } from './turn-groups.ts';
import { defineTurnPlanes } from './turn-planes.ts';

/** Below this share of Σ (x⁴ + y⁴ + x²y²) the plane is flat: f is the same for every angle. */
const FLAT = 1e-14;

const NO_CODES: PlaneRows = { rows: 0, cols: 0, data: new Float64Array() };

/** `codesOf(A)`: K×p, may be overwritten; in shared memory (`planeRows`, `shareMatrix`) if an executor is to turn it. */
export function l4Objective(
  size: number,
  codesOf: (A: Matrix64) => PlaneRows | Promise<PlaneRows>,
  onThreads?: OnThreads,
): RotationObjective {
  let codes = NO_CODES;
  return {
    size,
    async restore(A) {
      codes = NO_CODES; // two sets of codes are never held at once
      codes = await codesOf(A);
    },
    value: () => fourthPowers(codes.data),
    best: (i, j) => l4Turn(planeSums(codes, i, j, 'quartic')),
    rotate: (i, j, c, s) => rotateRows(codes, i, j, c, s),
    turnGroups: onThreads?.(turnL4Planes, () => ({ rows: codes, length: codes.cols })),
  };
}

const turnL4Planes = defineTurnPlanes<PlaneRows>(
  import.meta.url,
  'turn-l4-planes',
  (rows, planes, leastAngle, kernels) => turnByKernels(kernels, { rows, planes, sums: 'quartic' }, l4Turn, leastAngle),
  (codes) => codes,
);

/** The best turn of a plane with these sums: Σ u², Σ uw, Σ w². */
export function l4Turn(sums: Float64Array): Turn {
  const [uu, uw, ww] = [sums[0], sums[1], sums[2]]; // taking a typed array apart is slow
  const real = uu - 4 * ww;
  const slope = 4 * uw;
  const r = Math.hypot(slope, real);
  if (!(r > FLAT * (uu + 3 * ww))) return { angle: 0, gain: 0, slope };
  const angle = Math.atan2(slope, real) / 4;
  return { angle, gain: 0.5 * r * Math.sin(2 * angle) ** 2, slope };
}

/** Σ x⁴; four sums side by side do not wait for each other. */
function fourthPowers(data: Float64Array): number {
  const whole = data.length - (data.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = 0; at < whole; at += 4) {
    a += (data[at] * data[at]) ** 2;
    b += (data[at + 1] * data[at + 1]) ** 2;
    c += (data[at + 2] * data[at + 2]) ** 2;
    d += (data[at + 3] * data[at + 3]) ** 2;
  }
  for (let at = whole; at < data.length; at++) a += (data[at] * data[at]) ** 2;
  return a + b + (c + d);
}
