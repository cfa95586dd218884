/**
 * Scores all contenders by one measure, whatever they maximise themselves. A are the learned atoms, D the true ones, X the
 * codes of the samples in D (with their noise).
 *
 *     C = A D⁻¹, rows of unit norm      D orthogonal: A Dᵀ
 *     error      |1 − ‖C‖₄⁴/n|          summed without cancellation: exact far below 1e-16
 *     objective  ‖X Cᵀ‖₄⁴ / ‖X‖₄⁴       over a few samples; D itself has 1
 */
import { type Matrix, type Matrix64, matchAtoms, metrics, recoveryError } from 'orthodict/browser';
import type { Kernels } from 'orthodict/extend';

/** Number of samples for the objective: enough for a curve. */
const SAMPLED = 1000;

/** The data that the page draws of the atoms at one moment. */
export interface Snapshot {
  /** Number of learned atoms: fewer than true ones, if some of these are in no sample. */
  readonly rows: number;
  /** Number of true atoms. */
  readonly n: number;
  /** √|C|, row by row, 255 for 1. */
  readonly levels: Uint8Array<ArrayBuffer>;
  /** The true atom that each row of C matches. */
  readonly order: Int32Array<ArrayBuffer>;
  /** Number of recovered atoms: those with a |cosine| above 0.99. */
  readonly matched: number;
  readonly maxAtomError: number;
}

export class Judge {
  readonly #identity: Matrix64;
  readonly #inverse: Matrix64;
  readonly #codes: Matrix64;
  readonly #best: number;

  /** `truth`: n×n, the atoms that the samples are made of. */
  constructor(
    readonly truth: Matrix64,
    samples: Matrix,
    readonly kernels: Kernels,
  ) {
    this.#identity = identity(truth.rows);
    this.#inverse = metrics.atomCoordinates(this.#identity, truth);
    const rows = Math.min(SAMPLED, samples.rows);
    const few = { rows, cols: samples.cols, data: Float64Array.from(samples.data.subarray(0, rows * samples.cols)) };
    this.#codes = kernels.multiply(few, this.#inverse);
    this.#best = fourthPowers(this.#codes);
  }

  /** `atoms`: unit rows, as below. */
  score(atoms: Matrix64): { readonly error: number; readonly objective: number } {
    const C = this.#coordinates(atoms);
    return {
      error: recoveryError(C, this.#identity),
      objective: fourthPowers(this.kernels.multiply(this.#codes, C, 'nt')) / this.#best,
    };
  }

  snapshot(atoms: Matrix64): Snapshot {
    const { pairs, matched, maxAtomError } = matchAtoms(atoms, this.truth);
    const levels = Uint8Array.from(this.#coordinates(atoms).data, (c) => Math.round(255 * Math.sqrt(Math.abs(c))));
    const order = Int32Array.from(pairs, ({ truth }) => truth);
    return { rows: atoms.rows, n: this.truth.rows, levels, order, matched, maxAtomError };
  }

  #coordinates(atoms: Matrix64): Matrix64 {
    const C = this.kernels.multiply(atoms, this.#inverse);
    for (let i = 0; i < C.rows; i++) {
      const c = C.data.subarray(i * C.cols, (i + 1) * C.cols);
      const size = Math.sqrt(c.reduce((sum, value) => sum + value * value, 0));
      for (let j = 0; j < c.length; j++) c[j] /= size;
    }
    return C;
  }
}

function identity(n: number): Matrix64 {
  return { rows: n, cols: n, data: Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0)) };
}

const fourthPowers = ({ data }: Matrix64): number => data.reduce((sum, x) => sum + (x * x) ** 2, 0);
