/**
 * Writes codes Xᵀ = A Zᵀ to memory that threads share, the codes of an atom in a row. No two chunks write to the same
 * place, so it does not matter which thread writes which. A chunk contributes Σ x⁴ over its codes.
 */
import { firstRows, type Matrix, type Matrix64 } from '../core/matrix.ts';
import { sharedZeros } from '../core/shared-memory.ts';
import { definePass } from '../engine/pass.ts';
import type { Conditioning } from '../kernels/kernels.ts';

export interface WriteCodesParams {
  /** K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** K×p, in shared memory; p samples in all. */
  readonly codes: Matrix;
}

export const writeCodesPass = definePass<WriteCodesParams, number>(import.meta.url, {
  name: 'write-codes',
  contribute: ({ samples, start }, params, kernels) => kernels.projectByAtom({ ...params, samples, start }),
  add: (total, part) => total + part,
  example: (samples) => ({
    params: {
      atoms: firstRows(samples),
      conditioning: { scale: 1 },
      codes: sharedZeros(samples.cols, samples.rows, 'f64'),
    },
  }),
});
