/** Samples from the codes of one chunk: codes · atoms + mean. Usually they are read chunk by chunk, like codes (encode.ts). */
import { inputError } from '../core/errors.ts';
import {
  firstRows,
  type Matrix,
  type Matrix64,
  type Precision,
  precisionOf,
  stackRows,
  toFloat32,
  toFloat64,
} from '../core/matrix.ts';
import { describeEntry, firstNotFinite } from '../core/require-matrix.ts';
import { definePass } from '../engine/pass.ts';
import type { FastTransform } from '../kernels/kernels.ts';

/** What turns codes into samples: atoms (K×n), or a map that is not stored as a matrix. */
export type Synthesis = { readonly kind: 'dense'; readonly atoms: Matrix64 } | FastTransform;

/** Parameters of `decodePass`. */
export interface DecodeParams {
  readonly synthesis: Synthesis;
  /** Added to every sample. */
  readonly mean?: Float64Array | undefined;
  /** Default: the precision of the codes. */
  readonly precision?: Precision | undefined;
}

/** The samples that codes in a dictionary stand for. The rows of the source are codes. */
export const decodePass = definePass<DecodeParams, Matrix>(import.meta.url, {
  name: 'decode',
  contribute({ samples: codes, start }, { synthesis, mean, precision = precisionOf(codes) }, kernels) {
    const bad = firstNotFinite(codes.data);
    if (bad >= 0) throw inputError('decode', 'codes', 'finite', describeEntry(codes, bad, start));
    if (synthesis.kind !== 'dense') return addMean(kernels.transform(codes, synthesis, { scale: 1 }, precision), mean);
    const samples = addMean(kernels.multiply(toFloat64(codes), synthesis.atoms), mean);
    return precision === 'f32' ? toFloat32(samples) : samples;
  },
  add: stackRows,
  example: (samples) => ({ params: { synthesis: { kind: 'dense', atoms: firstRows(samples) } } }),
});

/** In place. */
function addMean(samples: Matrix, mean: Float64Array | undefined): Matrix {
  const { rows, cols, data } = samples;
  if (mean) {
    for (let j = 0; j < rows; j++) for (let k = 0; k < cols; k++) data[j * cols + k] += mean[k];
  }
  return samples;
}
