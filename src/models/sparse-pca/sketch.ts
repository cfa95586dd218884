/**
 * What a stream keeps: a few rows B with BᵀB ≈ Σ v vᵀ over the samples seen. Rotations of rows among themselves do not change BᵀB.
 * With centring,
 *
 *     v = √(t/(t+1)) (y − mean of the t before)      so that Σ v vᵀ is the scatter around the mean of all, exactly
 *
 * The algorithm follows Algorithm 5 of Shalit & Chechik 2014, with ℓ = m + reserve rows. A new sample takes the place of the
 * smallest row, of the reserve if there is one. Then there are
 *
 *     rotations of the m components, by the exact best angle for the objective, with the new row and with each other
 *     rotations of the new row and each row of the reserve that make them orthogonal, the larger part to the reserve (Jacobi)
 *
 * so that with a reserve it loses no more than principal components of a few more dimensions would. B grows as √t, and
 * thresholds with it: γ is that of the covariance BᵀB/t. The result is the batch method's, on the rows B/√t.
 */
import { copy, type Matrix64, row, rowRange, zeros } from '../../core/matrix.ts';
import { createRandom, type Random, resumeRandom } from '../../core/random.ts';
import { finite, matrix, type StateShape, vector, whole } from '../../engine/state-shape.ts';
import { rotateRows } from '../../kernels/planes.ts';
import { PairSearch } from './best-angle.ts';
import { gammasBetween } from './choose-gamma.ts';
import type { FitRun } from './fit.ts';
import { type FoundComponents, fitComponents, type Wanted } from './fit-components.ts';
import { principalRows } from './moments.ts';
import type { Sparsity } from './options.ts';

/**
 * With a given number of non-zeros, thresholds are chosen again whenever the samples seen have grown by this factor.
 */
const GROWTH = 1.1;

export interface SketchOptions extends Sparsity {
  readonly features: number;
  /** Number of rows in addition to those of the components. */
  readonly reserve: number;
  /** Number L of rotations of the components after every sample. */
  readonly rotations: number;
  readonly center: boolean;
  readonly seed: number;
}

/** The complete state of a sketch: numbers, vectors and a matrix, which a checkpoint can hold. */
export type SketchState = Readonly<{
  /** The rows B, (m + reserve)×n, the components first. */
  rows: Matrix64;
  mean: Float64Array;
  /** The present thresholds. */
  gammas: Float64Array;
  seen: number;
  energy: number;
  /** Number of samples at which thresholds are chosen again. */
  nextLook: number;
  random: Float64Array;
}>;

/** Length of the state of a random generator, and the range of its numbers. */
const RANDOM = { length: 4, least: -(2 ** 31), most: 2 ** 31 - 1 };

/** What a state is made of. */
export const sketchShape = (
  { components, reserve }: Pick<SketchOptions, 'components' | 'reserve'>,
  features: number,
): StateShape<SketchState> => ({
  rows: matrix(components + reserve, features),
  mean: vector(features),
  gammas: vector(components, { least: 0 }),
  seen: whole(1),
  energy: finite(0),
  nextLook: whole(),
  random: vector(RANDOM.length, RANDOM),
});

/** A new sketch, or one that continues from a state. */
export class Sketch {
  /** The rows B, (m + reserve)×n, the components first. */
  readonly rows: Matrix64;
  readonly mean: Float64Array;
  /** Samples seen, t. */
  seen: number;
  /** Σ‖v‖² over all samples seen, without loss. */
  energy: number;
  readonly #options: SketchOptions;
  readonly #gammas: Float64Array;
  readonly #random: Random;
  readonly #squares: Float64Array;
  readonly #search = new PairSearch();
  #nextLook: number;

  constructor(options: SketchOptions, from?: SketchState) {
    const { features: n, components: m, reserve, gamma, seed } = options;
    const size = m + reserve;
    this.#options = options;
    this.rows = from ? copy(from.rows) : zeros(size, n);
    this.#squares = Float64Array.from({ length: size }, (_, i) => innerProduct(this.rows.data, i * n, i * n, n));
    this.mean = from?.mean.slice() ?? new Float64Array(n);
    this.#gammas = from?.gammas.slice() ?? new Float64Array(m).fill(gamma ?? 0);
    this.#random = from ? resumeRandom(from.random) : createRandom(seed, 'sparse-pca stream');
    this.seen = from?.seen ?? 0;
    this.energy = from?.energy ?? 0;
    this.#nextLook = from?.nextLook ?? 2 * size;
  }

  /** `sample` is n finite numbers. */
  add(sample: ArrayLike<number>): void {
    const { components: m, rotations } = this.#options;
    const size = this.rows.rows;
    const at = this.#nextPlace(size > m ? m : 0);
    this.#place(sample, at);
    this.#chooseGammasWhenDue();
    for (let l = 0; l < rotations; l++) {
      const i = l < m ? l : this.#random.integer(m);
      this.#turnComponent(i, l < m ? at : this.#random.integer(Math.min(this.seen, size)));
    }
    for (let j = m; j < Math.min(this.seen, size); j++) if (j !== at && at >= m) this.#orthogonalise(j, at);
  }

  /** A copy of the state. */
  state(): SketchState {
    return {
      rows: copy(this.rows),
      mean: this.mean.slice(),
      gammas: this.#gammas.slice(),
      seen: this.seen,
      energy: this.energy,
      nextLook: this.#nextLook,
      random: this.#random.state(),
    };
  }

  /** The row for the next sample: the first that is free, or that of smallest norm from row `first` on. */
  #nextPlace(first: number): number {
    if (this.seen < this.rows.rows) return this.seen;
    let least = first;
    for (let i = first + 1; i < this.rows.rows; i++) if (this.#squares[i] < this.#squares[least]) least = i;
    return least;
  }

  /** Puts a sample in the place of row `at`. */
  #place(sample: ArrayLike<number>, at: number): void {
    const { mean, seen } = this;
    const { center } = this.#options;
    const { data, cols: n } = this.rows;
    const weight = center ? Math.sqrt(seen / (seen + 1)) : 1;
    const first = at * n;
    for (let k = 0; k < n; k++) {
      const difference = sample[k] - mean[k];
      data[first + k] = weight * difference;
      if (center) mean[k] += difference / (seen + 1);
    }
    this.seen++;
    this.#squares[at] = innerProduct(data, first, first, n);
    this.energy += this.#squares[at];
  }

  #rotate(i: number, j: number, angle: number): void {
    const n = this.rows.cols;
    rotateRows(this.rows, i, j, Math.cos(angle), Math.sin(angle));
    this.#squares[i] = innerProduct(this.rows.data, i * n, i * n, n);
    this.#squares[j] = innerProduct(this.rows.data, j * n, j * n, n);
  }

  #chooseGammasWhenDue(): void {
    const { components: m, totalNonzeros, nonzeros = totalNonzeros && Math.ceil(totalNonzeros / m) } = this.#options;
    if (nonzeros === undefined || this.seen < this.#nextLook) return;
    const scale = Math.sqrt(this.seen);
    this.#gammas.set(gammasBetween(rowRange(this.rows, 0, m), nonzeros).map((value) => value / scale));
    this.#nextLook = Math.ceil(this.seen * GROWTH);
  }

  #turnComponent(i: number, j: number): void {
    if (i === j) return;
    const { components: m, features: n } = this.#options;
    const gammas = this.#gammas;
    const scale = Math.sqrt(this.seen);
    const gammaJ = j < m ? gammas[j] * scale : Number.POSITIVE_INFINITY;
    const reach = j < m && gammas[i] !== gammas[j] ? Math.PI / 4 : Math.PI / 2;
    const { angle } = this.#search.best(this.rows.data, i * n, j * n, n, gammas[i] * scale, gammaJ, reach);
    if (angle !== 0) this.#rotate(i, j, angle);
  }

  /** Rotates rows i and j until they are orthogonal, with the larger one at i. */
  #orthogonalise(i: number, j: number): void {
    const n = this.rows.cols;
    const inner = innerProduct(this.rows.data, i * n, j * n, n);
    const [square, other] = [this.#squares[i], this.#squares[j]];
    if (inner !== 0 || square < other) this.#rotate(i, j, 0.5 * Math.atan2(2 * inner, square - other));
  }
}

function innerProduct(data: Float64Array, a: number, b: number, length: number): number {
  let sum = 0;
  for (let k = 0; k < length; k++) sum += data[a + k] * data[b + k];
  return sum;
}

/** The rows in use divided by √t: R with RᵀR ≈ the covariance, at least `least` rows. */
function rowsPerSample({ rows, seen }: Sketch, least: number): Matrix64 {
  const used = Math.min(rows.rows, Math.max(seen, least));
  const R = zeros(used, rows.cols);
  for (let i = 0; i < used; i++) row(R, i).set(row(rows, i).map((value) => value / Math.sqrt(seen)));
  return R;
}

/** Fits components to the sketch, as the batch method does to all samples. Rotations start from the rows of the sketch. */
export async function fitSketch(sketch: Sketch, wanted: Wanted, run: FitRun): Promise<FoundComponents> {
  const rows = rowsPerSample(sketch, wanted.components);
  const R = wanted.method === 'givens' ? rows : principalRows(rows, wanted.components, run.run.kernels);
  return fitComponents(R, 1, wanted, run);
}
