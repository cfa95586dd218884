/**
 * Writes codes Xᵀ = A Zᵀ to memory that threads share, the codes of an atom in a row. No two chunks write to the same
 * place, so it does not matter which thread writes which. A chunk contributes the number of its samples.
 */
import { firstRows, type Matrix64, rowRange } from '../core/matrix.ts';
import { sharedZeros } from '../core/share.ts';
import { definePass } from '../engine/registry.ts';
import type { Conditioning } from '../kernels/kernels.ts';

export interface WriteCodesParams {
  /** K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** K×p, in shared memory; p samples in all. */
  readonly codes: Matrix64;
}

/** Codes of so many samples are transposed while they are in a cache. */
const BLOCK_ROWS = 256;

export const writeCodesPass = definePass<WriteCodesParams, number>(import.meta.url, {
  name: 'write-codes',
  contribute({ samples, start }, { atoms, conditioning, codes }, kernels) {
    for (let first = 0; first < samples.rows; first += BLOCK_ROWS) {
      const block = rowRange(samples, first, Math.min(first + BLOCK_ROWS, samples.rows));
      const { rows, cols, data } = kernels.project(block, atoms, conditioning, 'f64');
      for (let k = 0; k < cols; k++) {
        let to = k * codes.cols + start + first;
        for (let l = 0, from = k; l < rows; l++, from += cols) codes.data[to++] = data[from];
      }
    }
    return samples.rows;
  },
  add: (total, part) => total + part,
  example: (samples) => ({
    params: {
      atoms: firstRows(samples),
      conditioning: { scale: 1 },
      codes: sharedZeros(samples.cols, samples.rows),
    },
  }),
});
