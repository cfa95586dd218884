/**
 * The memory of a stream: a few rows B with BᵀB ≈ Σ v vᵀ over the samples seen. A new sample v takes the place of a row;
 * rotations of rows among themselves do not change BᵀB. With centring,
 *
 *     v = √(t/(t+1)) (y − mean of the t before)      so that Σ v vᵀ is the scatter around the mean of all, exactly
 *
 * Which row is replaced and which are rotated is the algorithm: sketch.ts, published.ts.
 */
import { copy, type Matrix64, row, zeros } from '../../core/matrix.ts';
import { createRandom, type Random, resumeRandom } from '../../core/random.ts';
import { finite, matrix, type StateShape, vector, whole } from '../../engine/state-shape.ts';
import { rotateRows } from '../../kernels/planes.ts';
import type { Sparsity } from './options.ts';

export interface MemoryOptions extends Sparsity {
  readonly features: number;
  /** Number of rows in addition to those of the components. */
  readonly reserve?: number | undefined;
  /** Number L of rotations of the components after every sample. */
  readonly rotations: number;
  readonly center: boolean;
  readonly seed: number;
}

/** The complete state of a memory: numbers, vectors and a matrix, which a checkpoint can hold. */
export type MemoryState = Readonly<{
  /** The rows B, (m + reserve)×n, the components first. */
  rows: Matrix64;
  mean: Float64Array;
  /** The present thresholds. */
  gammas: Float64Array;
  seen: number;
  energy: number;
  /** Number of samples at which thresholds are chosen again; 0 if they are fixed. */
  nextLook: number;
  random: Float64Array;
}>;

/** Length of the state of a random generator, and the range of its numbers. */
const RANDOM = { length: 4, least: -(2 ** 31), most: 2 ** 31 - 1 };

/** What a state is made of. */
export const memoryShape = (
  { components, reserve = 0 }: Pick<MemoryOptions, 'components' | 'reserve'>,
  features: number,
): StateShape<MemoryState> => ({
  rows: matrix(components + reserve, features),
  mean: vector(features),
  gammas: vector(components, { least: 0 }),
  seen: whole(1),
  energy: finite(0),
  nextLook: whole(),
  random: vector(RANDOM.length, RANDOM),
});

/** The memory of a new stream, or of one that continues from a state. */
export abstract class RowMemory {
  /** The rows B, (m + reserve)×n, the components first. */
  readonly rows: Matrix64;
  readonly mean: Float64Array;
  /** Samples seen, t. */
  seen: number;
  /** Σ‖v‖² over all samples seen, without loss. */
  energy: number;
  protected readonly gammas: Float64Array;
  protected readonly random: Random;
  protected nextLook: number;
  readonly #center: boolean;
  readonly #squares: Float64Array;

  constructor(options: MemoryOptions, from?: MemoryState) {
    const { features: n, components: m, reserve = 0, gamma, center, seed } = options;
    const size = m + reserve;
    this.rows = from ? copy(from.rows) : zeros(size, n);
    this.#squares = Float64Array.from({ length: size }, (_, i) => squareNorm(this.rows.data, i * n, n));
    this.#center = center;
    this.mean = from?.mean.slice() ?? new Float64Array(n);
    this.gammas = from?.gammas.slice() ?? new Float64Array(m).fill(gamma ?? 0);
    this.random = from ? resumeRandom(from.random) : createRandom(seed, 'sparse-pca stream');
    this.seen = from?.seen ?? 0;
    this.energy = from?.energy ?? 0;
    this.nextLook = from?.nextLook ?? 0;
  }

  /** `sample` is n finite numbers. */
  abstract add(sample: ArrayLike<number>): void;

  /** A copy of the state. */
  state(): MemoryState {
    return {
      rows: copy(this.rows),
      mean: this.mean.slice(),
      gammas: this.gammas.slice(),
      seen: this.seen,
      energy: this.energy,
      nextLook: this.nextLook,
      random: this.random.state(),
    };
  }

  /** The row for the next sample: the first that is free, or that of smallest norm from row `first` on. */
  protected nextPlace(first: number): number {
    if (this.seen < this.rows.rows) return this.seen;
    let least = first;
    for (let i = first + 1; i < this.rows.rows; i++) if (this.#squares[i] < this.#squares[least]) least = i;
    return least;
  }

  /** Puts a sample in the place of row `at`. */
  protected place(sample: ArrayLike<number>, at: number): void {
    const { mean, seen } = this;
    const { data, cols: n } = this.rows;
    const weight = this.#center ? Math.sqrt(seen / (seen + 1)) : 1;
    const first = at * n;
    for (let k = 0; k < n; k++) {
      const difference = sample[k] - mean[k];
      data[first + k] = weight * difference;
      if (this.#center) mean[k] += difference / (seen + 1);
    }
    this.seen++;
    this.#squares[at] = squareNorm(data, first, n);
    this.energy += this.#squares[at];
  }

  protected rotate(i: number, j: number, angle: number): void {
    const n = this.rows.cols;
    rotateRows(this.rows, i, j, Math.cos(angle), Math.sin(angle));
    this.#squares[i] = squareNorm(this.rows.data, i * n, n);
    this.#squares[j] = squareNorm(this.rows.data, j * n, n);
  }

  protected squareOf(i: number): number {
    return this.#squares[i];
  }
}

function squareNorm(data: Float64Array, first: number, length: number): number {
  let sum = 0;
  for (let k = first; k < first + length; k++) sum += data[k] * data[k];
  return sum;
}

/** The rows in use divided by √t: R with RᵀR ≈ the covariance, at least `least` rows. */
export function rowsPerSample({ rows, seen }: RowMemory, least: number): Matrix64 {
  const used = Math.min(rows.rows, Math.max(seen, least));
  const R = zeros(used, rows.cols);
  for (let i = 0; i < used; i++) row(R, i).set(row(rows, i).map((value) => value / Math.sqrt(seen)));
  return R;
}
