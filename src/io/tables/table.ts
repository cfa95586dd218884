/** A 2-d array of numbers in a file, which can be read at once or piece by piece. */
import { InputError } from '../../core/errors.ts';
import type { FloatArray, Precision } from '../../core/matrix.ts';
import type { Locator, PatchShape } from '../../engine/source/source.ts';
import type { ReadBudget } from '../bytes/budget.ts';
import { changedWhileRead } from '../bytes/fingerprint.ts';

export interface Table {
  /** File as the user named it, for messages. */
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly precision: Precision;
  readonly budget: ReadBudget;
  /** Names of the columns, if the file has any. */
  readonly names?: readonly string[];
  /** Shape of the rows, if they are patches of pictures. */
  readonly patch?: PatchShape;
  /** Whether it stores fewer numbers than rows × cols: zeros are filled in when rows are read. */
  readonly isSparse?: boolean;
  /** Locator by which other threads and machines open it. */
  readonly locator?: Locator | undefined;
  /** Fills `out`, rows × cols numbers in this precision, row after row. */
  load(out: FloatArray): Promise<void>;
  /**
   * Fills `out`, in this precision, with the rows from `start` on; present if the format can be read at any position. Throws an
   * InputError if the file was written to since it was opened.
   */
  loadRows?(start: number, out: FloatArray): Promise<void>;
  /** Reads the file once and verifies its checksum; present if reading at any position would not. */
  verify?(): Promise<void>;
  /**
   * Yields all numbers, row by row, in pieces; each piece is overwritten by the next. `only`, for patches: these rows, in ascending
   * order.
   */
  stream(only?: Float64Array): AsyncIterable<FloatArray>;
  close(): Promise<void>;
}

/** Numbers in one piece of a stream. */
export const PIECE_LENGTH = 1 << 19;

/** Fills `out` with the numbers of a stream. `name`: the file that they come from. */
export async function fillFrom(name: string, pieces: AsyncIterable<FloatArray>, out: FloatArray): Promise<void> {
  let at = 0;
  for await (const piece of pieces) {
    if (at + piece.length > out.length) throw changedWhileRead(name);
    out.set(piece, at);
    at += piece.length;
  }
  if (at < out.length) throw changedWhileRead(name);
}

/** Checks the shape of samples: 2-d and not empty. */
export function requireRows(name: string, shape: readonly number[]): { rows: number; cols: number } {
  if (shape.length !== 2) {
    const got =
      shape.length === 0 ? 'a 0-d array (a single value)' : `a ${shape.length}-d array (${shape.join(' × ')})`;
    throw new InputError(`${name}: must be a 2-d array; got ${got}: reshape it to one sample per row.`);
  }
  const [rows, cols] = shape;
  if (rows === 0 || cols === 0) {
    throw new InputError(`${name}: must have at least one row and one column; got ${rows} × ${cols}.`);
  }
  return { rows, cols };
}
