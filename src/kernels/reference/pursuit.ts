/**
 * Orthogonal matching pursuit on the Gram matrix (batch OMP; Rubinstein, Zibulevsky & Elad 2008), for unit atoms: add
 * the atom most correlated with the residual, then make the residual orthogonal to all chosen atoms.
 *
 *     start: α = D y;  k = argmax |α_k|
 *     z = (G_k − Σ_j z_j[k] z_j)/l,   l² = G_kk − Σ_j z_j[k]²        z = D q, q the new direction of the chosen atoms' span
 *     c = α_k/l,   α ← α − c z,   ‖r‖² ← ‖r‖² − c²
 *     end: Lᵀ x = c, row s of L: (z_0[k_s], …, z_{s−1}[k_s], l_s)
 *
 * The samples enter only through D y and ‖y‖².
 */
import type { Matrix64 } from '../../core/matrix.ts';
import type { SparseCodes } from '../kernels.ts';

/** An atom whose squared distance to the span of the chosen ones is below this would add only rounding. */
const DEPENDENT = 1e-10;

/** `correlations`: Y Dᵀ, b×K, overwritten. `energies`: ‖y‖², b. `most`: atoms allowed per sample. */
export function pursue(
  correlations: Matrix64,
  energies: Float64Array,
  gram: Matrix64,
  most: number,
  residual: number,
): SparseCodes {
  const { rows, cols: K } = correlations;
  const room = new Room(K, Math.min(most, K));
  const starts = new Int32Array(rows + 1);
  const atoms = new Int32Array(rows * room.most);
  const values = new Float64Array(rows * room.most);
  const residuals = new Float64Array(rows);
  for (let j = 0; j < rows; j++) {
    const alpha = correlations.data.subarray(j * K, (j + 1) * K);
    const count = room.pursue(alpha, gram.data, energies[j], energies[j] * residual ** 2);
    atoms.set(room.chosen.subarray(0, count), starts[j]);
    values.set(room.codes.subarray(0, count), starts[j]);
    starts[j + 1] = starts[j] + count;
    residuals[j] = Math.max(0, room.left);
  }
  const total = starts[rows];
  return { starts, atoms: atoms.slice(0, total), values: values.slice(0, total), residuals };
}

/** Scratch space, reused for every sample. */
class Room {
  readonly chosen: Int32Array;
  /** c, then the codes. */
  readonly codes: Float64Array;
  /** ‖r‖² */
  left = 0;
  /** z_s, most×K. */
  readonly #z: Float64Array;
  readonly #l: Float64Array;

  constructor(
    readonly K: number,
    readonly most: number,
  ) {
    this.chosen = new Int32Array(most);
    this.codes = new Float64Array(most);
    this.#z = new Float64Array(most * K);
    this.#l = new Float64Array(most);
  }

  /** Chooses the atoms of one sample; returns their number. */
  pursue(alpha: Float64Array, gram: Float64Array, energy: number, target: number): number {
    const { K, most, chosen, codes } = this;
    let k = indexOfLargest(alpha);
    let count = 0;
    this.left = energy;
    while (count < most && this.left > target) {
      const l = this.#direction(gram, k, count);
      if (l === 0) break;
      const c = alpha[k] / l;
      chosen[count] = k;
      codes[count] = c;
      k = subtract(alpha, c, this.#z, count++ * K, k);
      this.left -= c * c;
    }
    this.#solve(count);
    return count;
  }

  /** Writes z of atom k to slot `count`; returns l, or 0 if the atom depends on the chosen ones. */
  #direction(gram: Float64Array, k: number, count: number): number {
    const { K } = this;
    const z = this.#z;
    const at = count * K;
    let square = gram[k * K + k];
    for (let j = 0; j < count; j++) square -= z[j * K + k] ** 2;
    if (!(square > DEPENDENT)) return 0;
    const l = Math.sqrt(square);
    for (let i = 0, from = k * K; i < K; i++) z[at + i] = gram[from + i] / l;
    let j = 0;
    // four at a time: fewer reads and writes of z
    for (; j + 4 <= count; j += 4) {
      const [a, b, c, d] = [j * K, (j + 1) * K, (j + 2) * K, (j + 3) * K];
      const [wa, wb, wc, wd] = [z[a + k] / l, z[b + k] / l, z[c + k] / l, z[d + k] / l];
      for (let i = 0; i < K; i++) z[at + i] -= wa * z[a + i] + wb * z[b + i] + wc * z[c + i] + wd * z[d + i];
    }
    for (; j < count; j++) {
      const from = j * K;
      const w = z[from + k] / l;
      for (let i = 0; i < K; i++) z[at + i] -= w * z[from + i];
    }
    this.#l[count] = l;
    return l;
  }

  /** Solves Lᵀ x = c in place. */
  #solve(count: number): void {
    const { K, chosen, codes } = this;
    for (let s = count - 1; s >= 0; s--) {
      codes[s] /= this.#l[s];
      const k = chosen[s];
      for (let j = 0; j < s; j++) codes[j] -= this.#z[j * K + k] * codes[s];
    }
  }
}

/** Sets α ← α − c z, with z starting at `at`; α_k becomes exactly 0. Returns the index of the largest |α|. */
function subtract(alpha: Float64Array, c: number, z: Float64Array, at: number, k: number): number {
  let largest = 0;
  let size = -1;
  for (let i = 0; i < alpha.length; i++) {
    const rest = i === k ? 0 : alpha[i] - c * z[at + i];
    alpha[i] = rest;
    const own = rest < 0 ? -rest : rest;
    if (own > size) {
      size = own;
      largest = i;
    }
  }
  return largest;
}

function indexOfLargest(v: Float64Array): number {
  let largest = 0;
  let size = -1;
  for (let i = 0; i < v.length; i++) {
    const own = v[i] < 0 ? -v[i] : v[i];
    if (own > size) {
      size = own;
      largest = i;
    }
  }
  return largest;
}
