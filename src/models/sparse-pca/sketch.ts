/**
 * The memory of a stream: ℓ = m + reserve rows B with BᵀB ≈ Σ v vᵀ over the samples seen. A new sample takes the place of a row, then
 * rows are rotated among themselves, which leaves BᵀB as it is:
 *
 *     v = √(t/(t+1)) (y − mean of the t before)      so that Σ v vᵀ is the scatter around the mean of all, exactly
 *     rotations of the m components, by the exact best angle for the objective, with the new row and with each other
 *     rotations of the new row and each row of the reserve that make them orthogonal, the larger part to the reserve (Jacobi)
 *
 * and the row of least norm is what the next sample replaces. Without a reserve this is Algorithm 5 of Shalit & Chechik 2014;
 * with one, what is lost is what principal components of a few more dimensions would lose.
 */
import { copy, type Matrix64, row, zeros } from '../../core/matrix.ts';
import { createRandom, resumeRandom } from '../../core/random.ts';
import { rotateRows } from '../../linalg/rotations.ts';
import { pairSearch } from './best-angle.ts';
import { gammasBetween } from './choose-gamma.ts';
import type { Sparsity } from './options.ts';

export interface SketchOptions extends Sparsity {
  readonly features: number;
  readonly reserve: number;
  /** Rotations L of the components after every sample. */
  readonly rotations: number;
  readonly center: boolean;
  readonly seed: number;
}

/** All that a sketch remembers: numbers, vectors and a matrix, which a checkpoint can hold. */
export type SketchState = Readonly<{
  /** (m + reserve)×n, the components first. */
  rows: Matrix64;
  mean: Float64Array;
  /** Thresholds in use. */
  gammas: Float64Array;
  seen: number;
  energy: number;
  /** At how many samples thresholds are looked at again. */
  nextLook: number;
  random: Float64Array;
}>;

export interface Sketch {
  /** (m + reserve)×n, the components first. */
  readonly rows: Matrix64;
  readonly mean: Float64Array;
  /** Samples seen, t. */
  readonly seen: number;
  /** Σ‖v‖², nothing lost. */
  readonly energy: number;
  /** `sample` is n finite numbers. */
  add(sample: ArrayLike<number>): void;
  /** A copy. */
  state(): SketchState;
}

/** Thresholds for a wanted number of non-zeros are looked at again when so many times more samples have been seen. */
const GROWTH = 1.1;

/** A sketch of no samples, or one that goes on from a state. */
export function createSketch(options: SketchOptions, from?: SketchState): Sketch {
  const { features: n, components: m, reserve, rotations, gamma, nonzeros, center, seed } = options;
  const size = m + reserve;
  const B = from ? copy(from.rows) : zeros(size, n);
  const squares = Float64Array.from({ length: size }, (_, i) => squareNorm(B.data, i * n, n));
  const mean = from?.mean.slice() ?? new Float64Array(n);
  const gammas = from?.gammas.slice() ?? new Float64Array(m).fill(gamma ?? 0); // for BᵀB/t
  const random = from ? resumeRandom(from.random) : createRandom(seed, 'sparse-pca stream');
  const search = pairSearch();
  let { seen, energy, nextLook } = from ?? { seen: 0, energy: 0, nextLook: 2 * size };

  const rotate = (i: number, j: number, c: number, s: number) => {
    rotateRows(B, i, j, c, s);
    squares[i] = squareNorm(B.data, i * n, n);
    squares[j] = squareNorm(B.data, j * n, n);
  };
  /** The row of least norm, of the reserve if there is one. */
  const leastRow = () => {
    let least = reserve > 0 ? m : 0;
    for (let i = least + 1; i < size; i++) if (squares[i] < squares[least]) least = i;
    return least;
  };
  const place = (sample: ArrayLike<number>, at: number) => {
    const weight = center ? Math.sqrt(seen / (seen + 1)) : 1;
    const first = at * n;
    for (let k = 0; k < n; k++) {
      const difference = sample[k] - mean[k];
      B.data[first + k] = weight * difference;
      if (center) mean[k] += difference / (seen + 1);
    }
    seen++;
    squares[at] = squareNorm(B.data, first, n);
    energy += squares[at];
  };
  const turnComponent = (i: number, j: number) => {
    if (i === j) return;
    const scale = Math.sqrt(seen);
    const gammaJ = j < m ? gammas[j] * scale : Number.POSITIVE_INFINITY;
    const reach = j < m && gammas[i] !== gammas[j] ? Math.PI / 4 : Math.PI / 2;
    const { angle } = search(B.data, i * n, j * n, n, gammas[i] * scale, gammaJ, reach);
    if (angle !== 0) rotate(i, j, Math.cos(angle), Math.sin(angle));
  };
  /** Makes rows i and j orthogonal, the larger one at i. */
  const orthogonalise = (i: number, j: number) => {
    const inner = innerProduct(B.data, i * n, j * n, n);
    if (inner === 0 && squares[i] >= squares[j]) return;
    const angle = 0.5 * Math.atan2(2 * inner, squares[i] - squares[j]);
    rotate(i, j, Math.cos(angle), Math.sin(angle));
  };

  return {
    rows: B,
    mean,
    get seen() {
      return seen;
    },
    get energy() {
      return energy;
    },
    add(sample) {
      const at = seen < size ? seen : leastRow();
      place(sample, at);
      if (nonzeros !== undefined && seen >= nextLook) {
        const leading = { rows: m, cols: n, data: B.data.subarray(0, m * n) };
        const scale = Math.sqrt(seen);
        gammas.set(gammasBetween(leading, nonzeros).map((value) => value / scale));
        nextLook = Math.ceil(seen * GROWTH);
      }
      for (let l = 0; l < rotations; l++) {
        const i = l < m ? l : random.integer(m);
        turnComponent(i, l < m ? at : random.integer(Math.min(seen, size)));
      }
      for (let j = m; j < Math.min(seen, size); j++) if (j !== at && at >= m) orthogonalise(j, at);
    },
    state: () => ({
      rows: copy(B),
      mean: mean.slice(),
      gammas: gammas.slice(),
      seen,
      energy,
      nextLook,
      random: random.state(),
    }),
  };
}

export function squareNorm(data: Float64Array, first: number, length: number): number {
  let sum = 0;
  for (let k = first; k < first + length; k++) sum += data[k] * data[k];
  return sum;
}

function innerProduct(data: Float64Array, a: number, b: number, length: number): number {
  let sum = 0;
  for (let k = 0; k < length; k++) sum += data[a + k] * data[b + k];
  return sum;
}

/** The rows in use divided by √t: R with RᵀR ≈ the covariance, at least `least` rows. */
export function sketchRows({ rows, seen }: Sketch, least: number): Matrix64 {
  const used = Math.min(rows.rows, Math.max(seen, least));
  const R = zeros(used, rows.cols);
  for (let i = 0; i < used; i++) row(R, i).set(row(rows, i).map((value) => value / Math.sqrt(seen)));
  return R;
}
