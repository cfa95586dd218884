/** Codes of one chunk. Not a sum: contributions are taken one by one, in order. */
import type { Conditioning } from '../kernels/kernels.ts';
import { type Matrix, type Matrix64, precisionOf } from '../matrix.ts';
import type { Pass } from './pass.ts';
import { type Selection, select } from './select-codes.ts';

export interface EncodeParams {
  /** K×n: codes = (y − offset)·scale · encoderᵀ. */
  readonly encoder: Matrix64;
  readonly conditioning: Conditioning;
  readonly selection: Selection;
}

export const encodePass: Pass<EncodeParams, Matrix> = {
  name: 'encode',
  contribute({ samples }, { encoder, conditioning, selection }, kernels) {
    const codes = kernels.project(samples, encoder, conditioning, precisionOf(samples));
    select(codes, selection);
    return codes;
  },
  add() {
    throw new Error('encode: codes are taken chunk by chunk, they do not add up.');
  },
};
