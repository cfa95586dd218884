/**
 * A pass: what one chunk of samples contributes to a sum over all samples, and how contributions add up.
 *
 * Pure and named: `contribute` may run in another thread or on another machine, so parameters and contributions are plain
 * data (numbers, typed arrays, objects of these). Contributions are added in chunk order, which makes sums the same bits
 * wherever they were computed.
 */
import type { Matrix } from '../core/matrix.ts';
import type { Kernels } from '../kernels/kernels.ts';

export interface Chunk {
  readonly samples: Matrix;
  /** Index of the chunk's first sample in the source. */
  readonly start: number;
  /** Number of the chunk, from 0. */
  readonly index: number;
}

export interface Pass<Params, Contribution> {
  readonly name: string;
  /** Work on a sample, in units of that of a correlation; default: 1. With more, smaller chunks are worth a message. */
  readonly effort?: number;
  contribute(chunk: Chunk, params: Params, kernels: Kernels): Contribution;
  /** Adds `part` to `total`, in place where it can, and returns the sum. */
  add(total: Contribution, part: Contribution): Contribution;
}

/** a += b, element by element. */
export function accumulate(a: Float64Array, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) a[i] += b[i];
}
