/** A dictionary that stores its atoms as a matrix. */
import { inputError } from '../core/errors.ts';
import { type Matrix, toFloat64 } from '../core/matrix.ts';
import type { Dictionary } from './dictionary.ts';
import { decodeDense, encode, requireMean, shape } from './encoding.ts';

export interface DenseParts {
  /** K×n. */
  readonly atoms: Matrix;
  /** K×n; absent if the atoms are orthonormal. */
  readonly encoder?: Matrix | undefined;
  readonly mean?: Float64Array | undefined;
}

export function denseDictionary(parts: DenseParts): Dictionary {
  const atoms = toFloat64(parts.atoms);
  const encoder = parts.encoder ? toFloat64(parts.encoder) : atoms;
  const { mean } = parts;
  if (encoder.rows !== atoms.rows || encoder.cols !== atoms.cols) {
    throw inputError('dictionary', 'encoder', `${shape(atoms)}, like the atoms`, shape(encoder));
  }
  requireMean(mean, atoms.cols);
  return {
    components: atoms.rows,
    features: atoms.cols,
    transform: { kind: 'dense', encoder },
    atoms,
    encoder,
    mean,
    encode(samples, selection = {}) {
      return encode(this, samples, selection);
    },
    decode(codes) {
      return decodeDense(codes, this);
    },
  };
}
