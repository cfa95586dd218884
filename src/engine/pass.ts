/**
 * A pass: what one chunk of samples contributes to a sum over all samples, and how contributions add up.
 *
 * Pure and named: `contribute` may run in another thread or on another machine, so parameters and contributions are
 * plain data (numbers, typed arrays, objects of these). Where chunks are computed does not change the result: see
 * sum-tree.ts.
 */

import { demand } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import { requireNumbers } from '../core/require-matrix.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { RowRange } from './source/source.ts';

/** Successive samples of a source. */
export interface Chunk {
  readonly samples: Matrix;
  /** Index of the chunk's first sample in the source. */
  readonly start: number;
  /** Number of the chunk, from 0. */
  readonly index: number;
}

/** A sum over samples: what a chunk contributes, and how contributions add up. See docs/architecture.md. */
export interface Pass<Params, Contribution> {
  readonly name: string;
  /** Work per sample, relative to a correlation; default: 1. Chunks of costly samples can be smaller. */
  readonly effort?: number;
  contribute(chunk: Chunk, params: Params, kernels: Kernels): Contribution;
  /** Adds `part` to `total`, in place where possible, and returns the sum. Must be associative up to rounding. */
  add(total: Contribution, part: Contribution): Contribution;
  /** Parameters for the contract tests; every registered pass has them. */
  example?(samples: Matrix): PassExample<Params>;
}

/** Parameters with which the contract tests run a pass. */
export interface PassExample<Params> {
  readonly params: Params;
  /** Rows to run over, if these are not samples. */
  readonly rows?: Matrix;
  readonly ranges?: readonly RowRange[];
}

/** A pass of any parameters and contributions. */
export type AnyPass = Pass<unknown, unknown>;

/** a += b, element by element; four at a time, which halves the time. */
export function accumulate(a: Float64Array, b: Float64Array): void {
  requireNumbers('accumulate', 'a', a);
  requireNumbers('accumulate', 'b', b);
  demand(a.length === b.length, 'accumulate', 'b', `as long as a (${a.length})`, b.length);
  const whole = a.length - (a.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a[i] += b[i];
    a[i + 1] += b[i + 1];
    a[i + 2] += b[i + 2];
    a[i + 3] += b[i + 3];
  }
  for (let i = whole; i < a.length; i++) a[i] += b[i];
}
