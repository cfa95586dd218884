/** Shared by all dictionaries: checking shapes, encoding, and adding the mean. */

import { breather } from '../core/breathe.ts';
import { inputError } from '../core/errors.ts';
import { type Matrix, rowRange, toFloat64 } from '../core/matrix.ts';
import { requireMatrixForm } from '../core/require-matrix.ts';
import { chunkRanges } from '../engine/source/source.ts';
import { selectKernels } from '../kernels/select.ts';
import { encodePass } from '../passes/encode.ts';
import { type Selection, validateSelection } from '../passes/select-codes.ts';
import type { Dictionary } from './dictionary.ts';

export async function encode(dictionary: Dictionary, samples: Matrix, selection: Selection): Promise<Matrix> {
  requireMatrixForm('encode', 'samples', samples);
  requireColumns('encode', 'samples', samples, dictionary.features, 'features');
  validateSelection('encode', selection);
  const params = encodeParams(dictionary, selection);
  const kernels = await selectKernels('auto');
  return inPieces(samples, dictionary.components, (piece, start) =>
    encodePass.contribute({ samples: piece, start, index: 0 }, params, kernels),
  );
}

/** What `compute` makes of every row, `cols` wide, in the precision of the rows; with pauses. */
async function inPieces(
  { rows, cols: width, data }: Matrix,
  cols: number,
  compute: (piece: Matrix, start: number) => Matrix,
): Promise<Matrix> {
  const pause = breather();
  const all = data instanceof Float32Array ? new Float32Array(rows * cols) : new Float64Array(rows * cols);
  for (const { start, end } of chunkRanges(rows, Math.max(width, cols))) {
    all.set(compute(rowRange({ rows, cols: width, data }, start, end), start).data, start * cols);
    await pause();
  }
  return { rows, cols, data: all };
}

/** Parameters of the encode pass for this dictionary. */
export function encodeParams({ transform, mean }: Pick<Dictionary, 'transform' | 'mean'>, selection: Selection) {
  return { transform, conditioning: { offset: mean, scale: 1 }, selection };
}

/** p×n samples of p×K codes, in the codes' precision: codes · atoms + mean. */
export async function decodeDense(codes: Matrix, { atoms, mean }: Pick<Dictionary, 'atoms' | 'mean'>): Promise<Matrix> {
  requireMatrixForm('decode', 'codes', codes);
  requireColumns('decode', 'codes', codes, atoms.rows, 'atoms');
  const kernels = await selectKernels('auto');
  return inPieces(codes, atoms.cols, (piece) => addMean(kernels.multiply(toFloat64(piece), atoms), mean));
}

/** In place. */
export function addMean<M extends Matrix>(samples: M, mean: Float64Array | undefined): M {
  const { rows, cols, data } = samples;
  if (mean) {
    for (let j = 0; j < rows; j++) for (let k = 0; k < cols; k++) data[j * cols + k] += mean[k];
  }
  return samples;
}

export function requireMean(mean: Float64Array | undefined, features: number): void {
  if (mean && mean.length !== features) throw inputError('dictionary', 'mean', `of length ${features}`, mean.length);
}

export function requireColumns(
  who: string,
  parameter: string,
  matrix: { rows: number; cols: number },
  cols: number,
  meaning: string,
): void {
  if (matrix.cols === cols) return;
  const mustBe = `of ${cols} columns, one per ${meaning.replace(/s$/, '')} of the dictionary`;
  throw inputError(who, parameter, mustBe, shape(matrix));
}

export const shape = ({ rows, cols }: { rows: number; cols: number }): string => `${rows}×${cols}`;
