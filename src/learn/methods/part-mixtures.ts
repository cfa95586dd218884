/**
 * Separates two atoms that have settled as a mixture of two, a saddle that MSP leaves slowly: a_i = c u_1 + s u_2,
 * a_k = c u_2 − s u_1, with s = sin ψ near sin 45°. With G = φ(X)ᵀZ of the ℓ4 norm and e the excess of an atom's Σx⁴ over that of
 * Gaussian codes, m that of an unmixed atom,
 *
 *     sin 4ψ = 2 (a_i·g_k − a_k·g_i)/m,   cos 4ψ = 2 (e_i + e_k)/m − 3,
 *
 * and a step of MSP takes ψ to ψ', tan ψ' = tan³ ψ. For other norms the angle is roughly right, and a wrong one costs a step.
 */
import { copy, dot, type Matrix64, range, row } from '../../core/matrix.ts';

/** Input of a step of MSP: the atoms, their correlation, and the excesses of their values. */
export interface SteppedFrom {
  readonly atoms: Matrix64;
  readonly correlation: Matrix64;
  readonly excess: Float64Array;
  /** m: the median excess. */
  readonly usual: number;
}

/** Atoms with less than this share of the usual excess may be mixtures: those at 45° have half. */
const WEAK = 0.72;
/** Largest share of weak atoms: with more of them, the run is not yet near enough. */
const MOST_WEAK = 0.25;
/** Sines below this are noise: they do not show which of several weak atoms belong together. */
const CLEAR_SINE = 0.2;
/** Least length of the vector of sine and cosine; far below 1 they are noise. */
const CREDIBLE = 0.6;
/** Smaller angles are left to the next step. */
const WORTH_TURNING = 0.15;

/** Returns the atoms after the step, with the mixtures among them separated. */
export function partMixtures(next: Matrix64, from: SteppedFrom): Matrix64 {
  const { excess, usual } = from;
  const weak = range(excess.length).filter((i) => excess[i] < WEAK * usual);
  if (!(usual > 0) || weak.length < 2 || weak.length > Math.max(2, MOST_WEAK * from.atoms.cols)) return next;
  const pairs = weak.flatMap((i, at) => weak.slice(at + 1).map((k) => ({ i, k, sine: sineOf(i, k, from) })));
  pairs.sort((a, b) => Math.abs(b.sine) - Math.abs(a.sine));
  const parted = copy(next);
  const done = new Set<number>();
  for (const { i, k, sine } of pairs) {
    if (done.has(i) || done.has(k) || (pairs.length > 1 && Math.abs(sine) < CLEAR_SINE)) continue;
    const cosine = (2 * (excess[i] + excess[k])) / usual - 3;
    const angle = Math.atan(Math.tan(Math.atan2(sine, cosine) / 4) ** 3);
    if (Math.hypot(sine, cosine) < CREDIBLE || Math.abs(angle) < WORTH_TURNING) continue;
    turnBack(parted, i, k, angle);
    done.add(i).add(k);
  }
  return parted;
}

/** Returns sin 4ψ. */
function sineOf(i: number, k: number, { atoms, correlation, usual }: SteppedFrom): number {
  const [ik, ki] = [dot(row(atoms, i), row(correlation, k)), dot(row(atoms, k), row(correlation, i))];
  return (2 * (ik - ki)) / usual;
}

/** Undoes the mixture: u_1 = c a_i − s a_k, u_2 = s a_i + c a_k. */
function turnBack(atoms: Matrix64, i: number, k: number, angle: number): void {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [a, b] = [row(atoms, i), row(atoms, k)];
  for (let j = 0; j < a.length; j++) [a[j], b[j]] = [c * a[j] - s * b[j], s * a[j] + c * b[j]];
}
