/** What sparse codes must satisfy by definition, checked in the space of the samples: no Gram matrix, plain loops. */
import { dot, type Matrix64, row, rowRange, zeros } from '#src/core/matrix.ts';
import type { SparseCodes } from '#src/kernels/kernels.ts';
import { product } from '../helpers/matrices.ts';

/**
 * Rounding, of ‖y‖ and for energies of ‖y‖². A kernel finds the squared distance of an atom to the chosen ones as a
 * difference of squares: its relative error is that of rounding divided by the squared distance, and so is the
 * residual's.
 */
const ROUNDING = 1e-12;
/** As in the reference: the least squared distance of an atom to the span of the chosen ones. */
const DEPENDENT = 1e-10;

/** b×K. */
export function expanded({ starts, atoms, values }: SparseCodes, K: number): Matrix64 {
  const X = zeros(starts.length - 1, K);
  for (let j = 0; j < X.rows; j++) {
    for (let s = starts[j]; s < starts[j + 1]; s++) X.data[j * K + atoms[s]] += values[s];
  }
  return X;
}

/** What is wrong with the codes of sample j as a pursuit, or nothing. */
export function pursuitFlaw(
  Y: Matrix64,
  D: Matrix64,
  codes: SparseCodes,
  j: number,
  { keep, residual }: { readonly keep: number; readonly residual: number },
): string | undefined {
  const y = row(Y, j);
  const energy = dot(y, y);
  const target = residual ** 2 * energy;
  const chosen = codes.atoms.subarray(codes.starts[j], codes.starts[j + 1]);
  if (chosen.length > keep) return `${chosen.length} atoms instead of ${keep}`;
  const walk = new Walk(D, y);
  for (const k of chosen) {
    if (!(walk.left > target - walk.rounding * energy)) return `goes on at ${walk.left} with target ${target}`;
    const sizes = walk.correlations();
    const least = Math.max(...sizes) - walk.rounding * Math.sqrt(energy);
    if (!(sizes[k] >= least)) return `atom ${k} of ${sizes[k]}, not ${least}`;
    if (!(walk.add(k) > DEPENDENT / 2)) return `atom ${k} depends on those before it`;
  }
  const slack = walk.rounding * Math.sqrt(energy);
  if (chosen.length < Math.min(keep, D.rows) && walk.left > target + walk.rounding * energy && !walk.isStuck(slack))
    return `ends after ${chosen.length} atoms at ${walk.left} with target ${target}`;
  if (Math.abs(codes.residuals[j] - walk.left) > walk.rounding * energy)
    return `residual ${codes.residuals[j]}, not ${walk.left}`;
  const fitted = product(rowRange(expanded(codes, D.rows), j, j + 1), D).data;
  const off = Math.max(...y.map((value, i) => Math.abs(value - fitted[i] - walk.r[i])));
  return off > slack ? `fit is off by ${off}` : undefined;
}

/** Makes a residual orthogonal to one atom after the other. */
class Walk {
  readonly r: Float64Array;
  /** How far from r a kernel may be, relative to ‖y‖. */
  rounding = ROUNDING;
  readonly #basis: Float64Array[] = [];

  constructor(
    readonly D: Matrix64,
    y: Float64Array,
  ) {
    this.r = y.slice();
  }

  /** ‖r‖² */
  get left(): number {
    return dot(this.r, this.r);
  }

  correlations(): number[] {
    return Array.from({ length: this.D.rows }, (_, k) => Math.abs(dot(row(this.D, k), this.r)));
  }

  /** Returns the squared distance of atom k to the span of those before it. */
  add(k: number): number {
    const q = this.#rest(row(this.D, k));
    const square = dot(q, q);
    const unit = q.map((value) => value / Math.sqrt(square));
    subtract(this.r, unit);
    this.#basis.push(unit);
    this.rounding += ROUNDING / square;
    return square;
  }

  /** Whether one of the atoms of largest correlation depends on the chosen ones. */
  isStuck(slack: number): boolean {
    const sizes = this.correlations();
    const largest = Math.max(...sizes);
    return sizes.some((size, k) => {
      const rest = this.#rest(row(this.D, k));
      return size >= largest - slack && dot(rest, rest) < 2 * DEPENDENT;
    });
  }

  /** Twice is enough (Kahan). */
  #rest(atom: Float64Array): Float64Array {
    const rest = atom.slice();
    for (const unit of [...this.#basis, ...this.#basis]) subtract(rest, unit);
    return rest;
  }
}

/** v ← v − (u·v) u */
function subtract(v: Float64Array, u: Float64Array): void {
  const along = dot(u, v);
  for (let i = 0; i < v.length; i++) v[i] -= along * u[i];
}

/** What is wrong with the codes of all samples as solutions of the lasso, or nothing. */
export function lassoFlaw(Y: Matrix64, D: Matrix64, codes: SparseCodes, lambda: number): string | undefined {
  const X = expanded(codes, D.rows);
  const fitted = product(X, D);
  const rest = { ...Y, data: Y.data.map((y, i) => y - fitted.data[i]) };
  // a code counts as unchanged below 1e-4 λ, which leaves an error of that order times the atoms
  const slack = 2e-3 * lambda * D.rows;
  for (let j = 0; j < Y.rows; j++) {
    const [y, r] = [row(Y, j), row(rest, j)];
    for (let k = 0; k < D.rows; k++) {
      const [x, gradient] = [X.data[j * D.rows + k], dot(row(D, k), r)];
      const off = x === 0 ? Math.abs(gradient) - lambda : Math.abs(gradient - lambda * Math.sign(x));
      if (!(off < slack)) return `sample ${j}, atom ${k}: code ${x} with gradient ${gradient}`;
    }
    const off = Math.abs(codes.residuals[j] - dot(r, r));
    if (!(off <= 1e3 * ROUNDING * dot(y, y))) return `sample ${j}: residual ${codes.residuals[j]}, not ${dot(r, r)}`;
  }
  return undefined;
}
