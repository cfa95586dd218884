/**
 * Approximates a matrix by a product of G plane rotations: the greedy method of Rusu & Thompson ("Learning fast
 * sparsifying transforms", 2017).
 *
 * It maximises tr(Mᵀ A) over A = S P R_G … R_1; for an orthogonal M, ‖M − A‖² = 2n − 2 tr(Mᵀ A). Order and signs S P
 * are fixed first, by the assignment that maximises Σ|M_kπ(k)|. With F = R … R_1 Mᵀ S P, the next rotation is that of
 * the pair of rows with the largest gain
 *
 *     ‖F_ij‖_* − tr F_ij,   ‖F_ij‖_* = max(hypot(F_ii + F_jj, F_ji − F_ij), hypot(F_ii − F_jj, F_ij + F_ji))
 *
 * where F_ij is the 2×2 block of i and j. The second of the two is a reflection, that is a rotation and a sign, and
 * signs move to the end: R D = D R' with s' = d_i d_j s. A rotation changes the gains of 2n pairs; each row stores
 * its best partner, so a step takes O(n). For G = n(n−1)/2 rotations, elimination is exact, whereas the greedy method
 * may get stuck at a symmetric F.
 */

import { breather } from '../../core/breathe.ts';
import { identity, type Matrix, type Matrix64, zeros } from '../../core/matrix.ts';
import { requireObject } from '../../core/require-matrix.ts';
import type { RotationTransform } from '../../kernels/kernels.ts';
import { rotateRows } from '../../kernels/planes.ts';
import { selectKernels } from '../../kernels/select.ts';
import { assign } from '../../linalg/assignment.ts';
import { rotateColumns } from '../../linalg/rotations.ts';
import {
  type Approximation,
  type FactorOptions,
  powersOfTwoUpTo,
  relativeDistance,
  requireCount,
  requireOrthogonal,
} from './factor.ts';

/** Plane rotations whose product approximates the atoms, for `givensDictionary`. */
export interface GivensFactors extends RotationTransform {
  /** ‖A − Â‖_F/‖A‖_F. */
  readonly error: number;
  /** Errors after the first 1, 2, 4, … and all rotations. */
  readonly curve: readonly Approximation[];
}

/**
 * Approximates atoms by a product of plane rotations. `atoms`: n×n, orthogonal. At most `count` rotations; fewer if no rotation brings a gain.
 *
 * @example
 * ```js
 * import { factorGivens, generate, givensDictionary } from 'orthodict';
 *
 * const { atoms } = generate({ samples: 1, features: 8, theta: 0.5, seed: 1 });
 * const factors = await factorGivens(atoms, 28); // n(n-1)/2 rotations are exact
 * console.log(factors.error); // below 1e-12
 * console.log(givensDictionary(factors).components); // 8
 * ```
 */
export async function factorGivens(atoms: Matrix, count: number, options: FactorOptions = {}): Promise<GivensFactors> {
  requireObject('factor', 'options', options, 'an object');
  const { onProgress, signal } = options;
  const A = requireOrthogonal(atoms, await selectKernels('auto'));
  const n = A.rows;
  const most = (n * (n - 1)) / 2;
  requireCount(count, most, 'the number of rotations');
  const fit = new RotationFit(A);
  const step = count === most ? fit.eliminations() : fit.greedySteps();
  const curve: Approximation[] = [];
  const breathe = breather(signal);
  for (const stop of powersOfTwoUpTo(count)) {
    while (fit.count < stop && !step.next().done) {
      const pause = breathe();
      if (!pause) continue;
      onProgress?.(fit.count / count);
      await pause;
    }
    if (fit.count === stop) curve.push({ factors: stop, error: fit.error() });
  }
  if (curve.at(-1)?.factors !== fit.count) curve.push({ factors: fit.count, error: fit.error() });
  return { ...fit.result(), error: fit.error(), curve };
}

/** Returns the product of at most `count` rotations that the greedy method finds for max tr(Mᵀ A); M need not be orthogonal. */
export function fitRotations(target: Matrix64, count: number): RotationTransform {
  const fit = new RotationFit(target);
  const steps = fit.greedySteps();
  while (fit.count < count && !steps.next().done);
  return fit.result();
}

/**
 * Keeps pairs, order and signs, and sets each angle in turn to the best for M with the others fixed: tr(Mᵀ A) = tr(R_k
 * N), N = R_{k−1} … R_1 Mᵀ S P R_G … R_{k+1}. Two rotations give the next N.
 */
export function polishRotations(target: Matrix64, product: RotationTransform): RotationTransform {
  const { order, signs } = product;
  const rotations = { ...product.rotations, data: product.rotations.data.slice() };
  const n = order.length;
  const N = zeros(n, n);
  for (let k = 0; k < n; k++) {
    for (let r = 0; r < n; r++) N.data[r * n + order[k]] = signs[k] * target.data[k * n + r];
  }
  const at = (k: number) => rotations.data.subarray(4 * k, 4 * k + 4);
  for (let k = rotations.rows - 1; k > 0; k--) {
    const [i, j, c, s] = at(k);
    rotateColumns(N, i, j, c, -s);
  }
  for (let k = 0; k < rotations.rows; k++) {
    const [i, j] = at(k);
    const along = N.data[i * n + i] + N.data[j * n + j];
    const across = N.data[j * n + i] - N.data[i * n + j];
    const length = Math.hypot(along, across);
    if (length > 0) at(k).set([along / length, across / length], 2);
    const [, , c, s] = at(k);
    rotateRows(N, i, j, c, s);
    if (k + 1 < rotations.rows) {
      const [a, b, nextC, nextS] = at(k + 1);
      rotateColumns(N, a, b, nextC, nextS); // removes R_{k+1} from the right
    }
  }
  return { kind: 'rotations', rotations, order, signs };
}

class RotationFit {
  /** F above; approaches I if M is orthogonal. */
  readonly #F: Matrix64;
  readonly #order: Int32Array;
  readonly #signs: Float64Array;
  /** Signs of the rows of F, changed by reflections. */
  readonly #flips: Float64Array;
  readonly #rotations: number[] = [];

  constructor(target: Matrix64) {
    const n = target.rows;
    this.#order = assign({ ...target, data: target.data.map((x) => -Math.abs(x)) });
    this.#signs = Float64Array.from(this.#order, (place, k) => (target.data[k * n + place] < 0 ? -1 : 1));
    this.#flips = new Float64Array(n).fill(1);
    this.#F = zeros(n, n);
    for (let k = 0; k < n; k++) {
      for (let r = 0; r < n; r++) this.#F.data[r * n + this.#order[k]] = this.#signs[k] * target.data[k * n + r];
    }
  }

  get count(): number {
    return this.#rotations.length / 4;
  }

  error(): number {
    return relativeDistance(this.#F, identity(this.#F.rows));
  }

  result(): RotationTransform {
    return {
      kind: 'rotations',
      rotations: { rows: this.count, cols: 4, data: Float64Array.from(this.#rotations) },
      order: this.#order,
      signs: this.#signs.map((sign, k) => sign * this.#flips[this.#order[k]]),
    };
  }

  #rotate(i: number, j: number, c: number, s: number): void {
    rotateRows(this.#F, i, j, c, s);
    this.#rotations.push(i, j, c, this.#flips[i] * this.#flips[j] * s);
  }

  #flip(i: number): void {
    const n = this.#F.rows;
    for (let k = i * n; k < (i + 1) * n; k++) this.#F.data[k] = -this.#F.data[k];
    this.#flips[i] = -this.#flips[i];
  }

  /** Eliminates the entries below the diagonal one by one; zero entries need no rotation. */
  *eliminations(): Generator<void, void> {
    const { data, rows: n } = this.#F;
    for (let k = 0; k < n; k++) {
      for (let j = k + 1; j < n; j++) {
        const below = data[j * n + k];
        if (below === 0) continue;
        yield;
        const length = Math.hypot(data[k * n + k], below);
        this.#rotate(k, j, data[k * n + k] / length, below / length);
      }
    }
    if (data[n * n - 1] < 0) this.#flip(n - 1);
  }

  *greedySteps(): Generator<void, void> {
    const { data, rows: n } = this.#F;
    let trace = 0;
    for (let i = 0; i < n; i++) trace += data[i * n + i];
    const negligible = 4 * Number.EPSILON * Math.max(trace, Number.MIN_VALUE);
    const best = new Float64Array(n);
    const partner = new Int32Array(n);
    const gain = (a: number, b: number) => {
      const [p, q] = [data[a * n + a], data[b * n + b]];
      const [x, y] = [data[a * n + b], data[b * n + a]];
      const rotated = (p + q) ** 2 + (y - x) ** 2;
      const reflected = (p - q) ** 2 + (x + y) ** 2;
      return Math.sqrt(Math.max(rotated, reflected)) - p - q;
    };
    const lookThrough = (a: number) => {
      best[a] = Number.NEGATIVE_INFINITY;
      for (let b = a + 1; b < n; b++) {
        const g = gain(a, b);
        if (g > best[a]) {
          best[a] = g;
          partner[a] = b;
        }
      }
    };
    const lookAgain = (a: number, b: number) => {
      const g = gain(a, b);
      if (g >= best[a]) {
        best[a] = g;
        partner[a] = b;
      } else if (partner[a] === b) lookThrough(a);
    };
    for (let a = 0; a < n; a++) lookThrough(a);
    for (;;) {
      let i = 0;
      for (let a = 1; a < n; a++) if (best[a] > best[i]) i = a;
      if (!(best[i] > negligible)) return;
      const j = partner[i];
      this.#turn(i, j);
      lookThrough(i);
      lookThrough(j);
      for (let a = 0; a < n; a++) {
        if (a === i || a === j) continue;
        if (a < i) lookAgain(a, i);
        if (a < j) lookAgain(a, j);
      }
      yield;
    }
  }

  /** Applies the orthogonal 2×2 matrix that maximises the trace of the block of i and j. */
  #turn(i: number, j: number): void {
    const { data, rows: n } = this.#F;
    const [p, q] = [data[i * n + i], data[j * n + j]];
    const [x, y] = [data[i * n + j], data[j * n + i]];
    const rotated = Math.hypot(p + q, y - x);
    const reflected = Math.hypot(p - q, x + y);
    if (rotated >= reflected) this.#rotate(i, j, (p + q) / rotated, (y - x) / rotated);
    else {
      this.#rotate(i, j, (p - q) / reflected, (x + y) / reflected);
      this.#flip(j);
    }
  }
}
