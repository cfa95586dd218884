/** Codes of one chunk. A sum stacks the codes of all chunks; usually they are read chunk by chunk. */
import {
  firstRows,
  type Matrix,
  type Matrix64,
  type Precision,
  precisionOf,
  stackRows,
  toFloat32,
} from '../core/matrix.ts';
import { definePass } from '../engine/pass.ts';
import type { Conditioning, FastTransform, Kernels } from '../kernels/kernels.ts';
import { expand, type PursuitLimits, pursueSamples } from './pursue.ts';
import { type Selection, select } from './select-codes.ts';

/** A map from samples to codes: an encoder (K×n, codes = y · encoderᵀ), or a map that is not stored as a matrix. */
export type Transform = { readonly kind: 'dense'; readonly encoder: Matrix64 } | PursuitTransform | FastTransform;

/** Codes by orthogonal matching pursuit, for more atoms than features. */
export interface PursuitTransform extends PursuitLimits {
  readonly kind: 'pursuit';
  /** Atoms as unit rows, K×n. */
  readonly atoms: Matrix64;
}

/** Parameters of `encodePass`. */
export interface EncodeParams {
  /** The map, applied to (y − offset)·scale. */
  readonly transform: Transform;
  readonly conditioning: Conditioning;
  readonly selection: Selection;
  /** Precision of the codes; default: that of the samples. */
  readonly precision?: Precision | undefined;
}

/** The codes of samples in a dictionary. */
export const encodePass = definePass<EncodeParams, Matrix>(import.meta.url, {
  name: 'encode',
  contribute({ samples }, { transform, conditioning, selection, precision = precisionOf(samples) }, kernels) {
    if (transform.kind === 'pursuit')
      return pursuedCodes(samples, { transform, conditioning, selection, precision }, kernels);
    const codes =
      transform.kind === 'dense'
        ? kernels.project(samples, transform.encoder, conditioning, precision)
        : kernels.transform(samples, transform, conditioning, precision);
    select(codes, selection);
    return codes;
  },
  add: stackRows,
  example: (samples) => ({
    params: {
      transform: { kind: 'dense', encoder: firstRows(samples) },
      conditioning: { scale: 1 },
      selection: { keep: 2 },
    },
  }),
});

function pursuedCodes(
  samples: Matrix,
  { transform, conditioning, selection, precision }: EncodeParams & { transform: PursuitTransform },
  kernels: Kernels,
): Matrix {
  const { atoms, keep, residual } = transform;
  const limits = selection.keep === undefined ? { keep, residual } : { keep: selection.keep };
  const codes = expand(pursueSamples(samples, { atoms, conditioning, limits }, kernels), atoms.rows);
  select(codes, { threshold: selection.threshold });
  return precision === 'f32' ? toFloat32(codes) : codes;
}
