/** Codes of one chunk. Not a sum: contributions are taken one by one, in order. */
import type { Conditioning, FastTransform } from '../kernels/kernels.ts';
import { type Matrix, type Matrix64, type Precision, precisionOf } from '../matrix.ts';
import type { Pass } from './pass.ts';
import { type Selection, select } from './select-codes.ts';

/** What turns samples into codes: an encoder (K×n, codes = y · encoderᵀ), or a map that is not stored as a matrix. */
export type Transform = { readonly kind: 'dense'; readonly encoder: Matrix64 } | FastTransform;

export interface EncodeParams {
  /** Applied to (y − offset)·scale. */
  readonly transform: Transform;
  readonly conditioning: Conditioning;
  readonly selection: Selection;
  /** Default: that of the samples. */
  readonly precision?: Precision | undefined;
}

export const encodePass: Pass<EncodeParams, Matrix> = {
  name: 'encode',
  contribute({ samples }, { transform, conditioning, selection, precision = precisionOf(samples) }, kernels) {
    const codes =
      transform.kind === 'dense'
        ? kernels.project(samples, transform.encoder, conditioning, precision)
        : kernels.transform(samples, transform, conditioning, precision);
    select(codes, selection);
    return codes;
  },
  add() {
    throw new Error('encode: codes are taken chunk by chunk, they do not add up.');
  },
};
