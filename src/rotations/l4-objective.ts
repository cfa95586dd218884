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
import { type Matrix, type Matrix64, type Precision, precisionOf, range, rowRange } from '../core/matrix.ts';
import type { Kernels, PlaneRows } from '../kernels/kernels.ts';
import { planeSums, rotateRows } from '../kernels/planes.ts';
import type { RotationObjective } from './engine.ts';
import { type Turn, turnByKernels } from './planes.ts';
import type { OnThreads } from './turn-groups.ts';
import { defineTurnPlanes } from './turn-planes.ts';

/** Below this share of Σ (x⁴ + y⁴ + x²y²) the plane is flat: f is the same for every angle. */
const FLAT = { f32: 1e-6, f64: 1e-14 } as const;

const NO_CODES: PlaneRows = { rows: 0, cols: 0, data: new Float64Array() };

/** `codesOf(A)`: K×p, may be overwritten; in shared memory (`planeRows`, `shareMatrix`) if an executor is to turn it. */
export function l4Objective(
  size: number,
  codesOf: (A: Matrix64, change?: number) => PlaneRows | Promise<PlaneRows>,
  onThreads?: OnThreads,
): RotationObjective {
  let codes = NO_CODES;
  return {
    size,
    async restore(A, change) {
      codes = NO_CODES; // two sets of codes are never held at once
      codes = await codesOf(A, change);
    },
    value: () => (onThreads ? sumByPlanes(codes, onThreads.kernels) : fourthPowers(codes)),
    best: (i, j) => l4Turn(planeSums(codes, i, j, 'quartic'), precisionOf(codes)),
    rotate: (i, j, c, s) => rotateRows(codes, i, j, c, s),
    turnGroups: onThreads?.turnGroups(turnL4Planes, () => ({ rows: codes, length: codes.cols })),
  };
}

const turnL4Planes = defineTurnPlanes<PlaneRows>(
  import.meta.url,
  'turn-l4-planes',
  (rows, planes, leastAngle, kernels) => {
    const turnOf = (sums: Float64Array) => l4Turn(sums, precisionOf(rows));
    return turnByKernels(kernels, { rows, planes, sums: 'quartic' }, turnOf, leastAngle);
  },
  (codes) => codes,
);

/** The best turn of a plane with these sums: Σ u², Σ uw, Σ w². */
export function l4Turn(sums: Float64Array, precision: Precision): Turn {
  const [uu, uw, ww] = [sums[0], sums[1], sums[2]]; // taking a typed array apart is slow
  const real = uu - 4 * ww;
  const slope = 4 * uw;
  const r = Math.hypot(slope, real);
  if (!(r > FLAT[precision] * (uu + 3 * ww))) return { angle: 0, gain: 0, slope };
  const angle = Math.atan2(slope, real) / 4;
  return { angle, gain: 0.5 * r * Math.sin(2 * angle) ** 2, slope };
}

/** Σ x⁴, by the sums of pairs of rows: x⁴ + y⁴ = u² + 2w². */
function sumByPlanes(codes: PlaneRows, kernels: Kernels): number {
  const planes = range(codes.rows >> 1).map((k) => [2 * k, 2 * k + 1] as const);
  let sum = codes.rows % 2 === 1 ? fourthPowers(rowRange(codes, codes.rows - 1, codes.rows)) : 0;
  const choose = (sums: Float64Array) => {
    sum += sums[0] + 2 * sums[2];
    return undefined;
  };
  kernels.turnPlanes({ rows: codes, planes, sums: 'quartic', choose });
  return sum;
}

function fourthPowers({ data }: Matrix): number {
  let sum = 0;
  for (let at = 0; at < data.length; at++) sum += (data[at] * data[at]) ** 2;
  return sum;
}
