/**
 * Writes codes Xᵀ = A Zᵀ to memory that threads share, the codes of an atom in a row. No two chunks write to the same
 * place, so it does not matter which thread writes which. A chunk contributes Σ x⁴ over its codes.
 */
import { type FloatArray, firstRows, type Matrix, type Matrix64, row } from '../core/matrix.ts';
import { sharedZeros } from '../core/share.ts';
import { definePass } from '../engine/registry.ts';
import type { Conditioning } from '../kernels/kernels.ts';

export interface WriteCodesParams {
  /** K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** K×p, in shared memory; p samples in all. */
  readonly codes: Matrix;
}

/** Σ x⁴ over numbers `from` to `to`; four sums side by side do not wait for each other. */
function fourthPowers(data: FloatArray, from: number, to: number): number {
  let at = from;
  let [a, b, c, d] = [0, 0, 0, 0];
  for (; at + 3 < to; at += 4) {
    a += (data[at] * data[at]) ** 2;
    b += (data[at + 1] * data[at + 1]) ** 2;
    c += (data[at + 2] * data[at + 2]) ** 2;
    d += (data[at + 3] * data[at + 3]) ** 2;
  }
  for (; at < to; at++) a += (data[at] * data[at]) ** 2;
  return a + b + (c + d);
}

export const writeCodesPass = definePass<WriteCodesParams, number>(import.meta.url, {
  name: 'write-codes',
  contribute({ samples, start }, params, kernels) {
    kernels.projectByAtom({ ...params, samples, start });
    let sum = 0;
    for (let i = 0; i < params.codes.rows; i++) sum += fourthPowers(row(params.codes, i), start, start + samples.rows);
    return sum;
  },
  add: (total, part) => total + part,
  example: (samples) => ({
    params: {
      atoms: firstRows(samples),
      conditioning: { scale: 1 },
      codes: sharedZeros(samples.cols, samples.rows, 'f64'),
    },
  }),
});
