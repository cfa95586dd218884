/** A dictionary that holds its atoms as a matrix. */
import { inputError } from '../errors.ts';
import { selectKernels } from '../kernels/select.ts';
import { type Matrix, type Matrix64, precisionOf, toFloat64 } from '../matrix.ts';
import { encodePass } from '../passes/encode.ts';
import { type Selection, validateSelection } from '../passes/select-codes.ts';
import type { Dictionary } from './dictionary.ts';

export interface DenseParts {
  /** K×n. */
  readonly atoms: Matrix;
  /** K×n; absent where the atoms are orthonormal. */
  readonly encoder?: Matrix | undefined;
  readonly mean?: Float64Array | undefined;
}

export function denseDictionary(parts: DenseParts): Dictionary {
  const atoms = toFloat64(parts.atoms);
  const encoder = parts.encoder ? toFloat64(parts.encoder) : atoms;
  const { mean } = parts;
  if (encoder.rows !== atoms.rows || encoder.cols !== atoms.cols) {
    throw inputError('dictionary', 'encoder', `${atoms.rows}×${atoms.cols}, like the atoms`, shape(encoder));
  }
  if (mean && mean.length !== atoms.cols)
    throw inputError('dictionary', 'mean', `of length ${atoms.cols}`, mean.length);
  return {
    components: atoms.rows,
    features: atoms.cols,
    atoms,
    encoder,
    mean,
    async encode(samples, selection = {}) {
      requireColumns('encode', 'samples', samples, atoms.cols, 'features');
      validateSelection('encode', selection);
      const params = encodeParams(this, selection);
      return encodePass.contribute({ samples, start: 0, index: 0 }, params, await selectKernels('auto'));
    },
    async decode(codes) {
      requireColumns('decode', 'codes', codes, atoms.rows, 'atoms');
      return combine(codes, atoms, mean, (await selectKernels('auto')).multiply);
    },
  };
}

/** Parameters of the encode pass that give this dictionary's codes. */
export function encodeParams({ encoder, mean }: Pick<Dictionary, 'encoder' | 'mean'>, selection: Selection) {
  return { encoder, conditioning: { offset: mean, scale: 1 }, selection };
}

export function requireColumns(
  who: string,
  parameter: string,
  matrix: { rows: number; cols: number },
  cols: number,
  meaning: string,
): void {
  if (matrix.cols !== cols) {
    throw inputError(
      who,
      parameter,
      `of ${cols} columns, one per ${meaning.replace(/s$/, '')} of the dictionary`,
      shape(matrix),
    );
  }
}

function combine(
  codes: Matrix,
  atoms: Matrix64,
  mean: Float64Array | undefined,
  multiply: (a: Matrix64, b: Matrix64) => Matrix64,
): Matrix {
  const samples = multiply(toFloat64(codes), atoms);
  if (mean) {
    for (let j = 0; j < samples.rows; j++) {
      for (let k = 0; k < samples.cols; k++) samples.data[j * samples.cols + k] += mean[k];
    }
  }
  return precisionOf(codes) === 'f32' ? { ...samples, data: Float32Array.from(samples.data) } : samples;
}

const shape = ({ rows, cols }: { rows: number; cols: number }): string => `${rows}×${cols}`;
