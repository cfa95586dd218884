/**
 * The stream's own algorithm, after Algorithm 5 of Shalit & Chechik 2014 (published.ts): ℓ = m + reserve rows B. A new
 * sample takes the place of the smallest row, of the reserve if there is one. Then there are
 *
 *     rotations of the m components, by the exact best angle for the objective, with the new row and with each other
 *     rotations of the new row and each row of the reserve that make them orthogonal, the larger part to the reserve (Jacobi)
 *
 * so that with a reserve it loses no more than principal components of a few more dimensions would. B grows as √t, and
 * thresholds with it: γ is that of the covariance BᵀB/t. The result is the batch method's, on the rows B/√t.
 */
import { rowRange } from '../../core/matrix.ts';
import { pairSearch } from './best-angle.ts';
import { gammasBetween } from './choose-gamma.ts';
import type { FitRun } from './fit.ts';
import { type FoundComponents, fitComponents, type Wanted } from './fit-components.ts';
import { principalRows } from './moments.ts';
import { type MemoryOptions, type MemoryState, RowMemory, rowsPerSample } from './row-memory.ts';

/**
 * With a given number of non-zeros, thresholds are chosen again whenever the samples seen have grown by this factor.
 */
const GROWTH = 1.1;

/** A new sketch, or one that continues from a state. */
export class Sketch extends RowMemory {
  readonly #options: MemoryOptions;
  readonly #search = pairSearch();

  constructor(options: MemoryOptions, from?: MemoryState) {
    super(options, from);
    this.#options = options;
    if (!from) this.nextLook = 2 * this.rows.rows;
  }

  override add(sample: ArrayLike<number>): void {
    const { components: m, rotations } = this.#options;
    const size = this.rows.rows;
    const at = this.nextPlace(size > m ? m : 0);
    this.place(sample, at);
    this.#chooseGammasWhenDue();
    for (let l = 0; l < rotations; l++) {
      const i = l < m ? l : this.random.integer(m);
      this.#turnComponent(i, l < m ? at : this.random.integer(Math.min(this.seen, size)));
    }
    for (let j = m; j < Math.min(this.seen, size); j++) if (j !== at && at >= m) this.#orthogonalise(j, at);
  }

  #chooseGammasWhenDue(): void {
    const { components: m, totalNonzeros, nonzeros = totalNonzeros && Math.ceil(totalNonzeros / m) } = this.#options;
    if (nonzeros === undefined || this.seen < this.nextLook) return;
    const scale = Math.sqrt(this.seen);
    this.gammas.set(gammasBetween(rowRange(this.rows, 0, m), nonzeros).map((value) => value / scale));
    this.nextLook = Math.ceil(this.seen * GROWTH);
  }

  #turnComponent(i: number, j: number): void {
    if (i === j) return;
    const { components: m, features: n } = this.#options;
    const { gammas } = this;
    const scale = Math.sqrt(this.seen);
    const gammaJ = j < m ? gammas[j] * scale : Number.POSITIVE_INFINITY;
    const reach = j < m && gammas[i] !== gammas[j] ? Math.PI / 4 : Math.PI / 2;
    const { angle } = this.#search(this.rows.data, i * n, j * n, n, gammas[i] * scale, gammaJ, reach);
    if (angle !== 0) this.rotate(i, j, angle);
  }

  /** Rotates rows i and j until they are orthogonal, with the larger one at i. */
  #orthogonalise(i: number, j: number): void {
    const n = this.rows.cols;
    const inner = innerProduct(this.rows.data, i * n, j * n, n);
    const [square, other] = [this.squareOf(i), this.squareOf(j)];
    if (inner !== 0 || square < other) this.rotate(i, j, 0.5 * Math.atan2(2 * inner, square - other));
  }
}

function innerProduct(data: Float64Array, a: number, b: number, length: number): number {
  let sum = 0;
  for (let k = 0; k < length; k++) sum += data[a + k] * data[b + k];
  return sum;
}

/** Fits components to the sketch, as the batch method does to all samples. Rotations start from the rows of the sketch. */
export async function fitSketch(sketch: RowMemory, wanted: Wanted, run: FitRun): Promise<FoundComponents> {
  const rows = rowsPerSample(sketch, wanted.components);
  const R = wanted.method === 'givens' ? rows : principalRows(rows, wanted.components, run.run.kernels);
  return fitComponents(R, 1, wanted, run);
}
