/** Checks that the parts of a dictionary, and the samples it encodes, have shapes that agree. */
import { inputError } from '../core/errors.ts';

type Shape = { readonly rows: number; readonly cols: number };

export function requireMean(mean: Float64Array | undefined, features: number): void {
  if (mean && mean.length !== features) throw inputError('dictionary', 'mean', `of length ${features}`, mean.length);
}

/** Throws unless a matrix has this many columns. `meaning`: what the columns are, in the plural. */
export function requireColumns(who: string, parameter: string, matrix: Shape, cols: number, meaning: string): void {
  if (matrix.cols === cols) return;
  const mustBe = `of ${cols} columns, one per ${meaning.replace(/s$/, '')} of the dictionary`;
  throw inputError(who, parameter, mustBe, shape(matrix));
}

export const shape = ({ rows, cols }: Shape): string => `${rows}×${cols}`;
