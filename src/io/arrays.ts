/** Reads arrays of open .npy and .npz files, and prepares arrays for writing. */

import { InputError, inputError } from '../core/errors.ts';
import { type FloatArray, isFloatArray, type Matrix, type Precision } from '../core/matrix.ts';
import { describeForm, requireObject } from '../core/require-matrix.ts';
import { fitsFloat32 } from '../core/scale.ts';
import type { Bytes } from './bytes/bytes.ts';
import { contentOf } from './bytes/content.ts';
import type { Sink } from './bytes/sink.ts';
import { type NpyArray, readNpyArray } from './codecs/npy/npy.ts';
import { npzEntries, openNpz, pickArray } from './codecs/npy/npz.ts';
import { type NpyOutput, type NumberArray, npyBytes, npyStream, npyText } from './codecs/npy/write.ts';
import { writeZip } from './codecs/zip/write.ts';

/** Numbers of any shape in C order; the type of `data` is the type stored: float32, float64, int32, int64 or uint8. */
export interface ShapedArray {
  readonly shape: readonly number[];
  readonly data: NumberArray;
}

/** Numbers produced while they are written, row by row in pieces of any length. */
export interface StreamedArray {
  readonly shape: readonly number[];
  readonly precision: Precision;
  readonly pieces: AsyncIterable<FloatArray>;
}

/** A vector to write. */
export const vectorOf = (data: NumberArray): ShapedArray => ({ shape: [data.length], data });

/** Array to write; a string is written as a 0-d text array. */
export type ArrayInput = Matrix | ShapedArray | StreamedArray | string;

/** Throws unless the array can be written: numbers of a shape, pieces of them, or a text. */
export function requireArray(who: string, name: string, array: unknown): void {
  if (typeof array === 'string') return;
  const mustBe = 'a matrix {rows, cols, data}, numbers {shape, data}, pieces {shape, precision, pieces} or a text';
  requireObject(who, name, array, mustBe);
  const { shape, data, pieces } = array as Partial<ShapedArray & StreamedArray>;
  if (pieces !== undefined && Array.isArray(shape)) return;
  const dimensions = shape ?? [(array as Matrix).rows, (array as Matrix).cols];
  const isShape = Array.isArray(dimensions) && dimensions.every((size) => Number.isInteger(size) && size >= 0);
  const length = isShape ? dimensions.reduce((product, size) => product * size, 1) : Number.NaN;
  if (!ArrayBuffer.isView(data) || data.length !== length) {
    const got =
      ArrayBuffer.isView(data) && isShape
        ? `${data.length} numbers of shape ${dimensions.join(' × ')}`
        : describeForm(array);
    throw inputError(who, name, mustBe, got);
  }
}

/**
 * Rounds float numbers once to the precision of the samples, for a model. Those
 * that float32 cannot represent stay float64; whole numbers and text are unchanged.
 */
export function inPrecision(
  arrays: Readonly<Record<string, ArrayInput>>,
  precision: Precision,
): Record<string, ArrayInput> {
  const cast = (array: ArrayInput): ArrayInput => {
    if (typeof array === 'string' || 'pieces' in array || !isFloatArray(array.data)) return array;
    if (precision === 'f64') return { ...array, data: Float64Array.from(array.data) };
    return fitsFloat32(array.data) ? { ...array, data: Float32Array.from(array.data) } : array;
  };
  return Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, cast(array)]));
}

/** Reads the arrays of an archive by name: all of them, or those of `names` that it has. */
export async function arraysOf(archive: Bytes, names?: readonly string[]): Promise<Map<string, NpyArray>> {
  const arrays = new Map<string, NpyArray>();
  for (const { array, content } of await openNpz(archive)) {
    if (!names || names.includes(array)) arrays.set(array, await readNpyArray(await content()));
  }
  return arrays;
}

/** Reads one array. The ending of `name` decides the format; `array`: its name in an archive. */
export async function arrayOf(bytes: Bytes, name: string, array?: string): Promise<NpyArray> {
  if (/\.npz$/i.test(name)) return readNpyArray(await pickArray(bytes.name, await openNpz(bytes), array));
  if (/\.npy$/i.test(name)) return readNpyArray(contentOf(bytes));
  if (/\.npy\.gz$/i.test(name)) return readNpyArray(contentOf(bytes, true));
  throw new InputError(`${bytes.name}: the name must end in one of .npy .npz .npy.gz.`);
}

/** Writes the arrays as an .npz file; the same arrays in the same order give the same bytes. */
export async function writeNpz(sink: Sink, arrays: Readonly<Record<string, ArrayInput>>): Promise<void> {
  const outputs = Object.entries(arrays).map(([name, array]) => [name, npyOutput(array)] as const);
  await writeZip(sink, npzEntries(outputs));
}

/** Makes the content of a .npy file. */
export function npyOutput(array: ArrayInput): NpyOutput {
  if (typeof array === 'string') return npyText(array);
  if ('pieces' in array) return npyStream(array.shape, array.precision, array.pieces);
  return npyBytes('shape' in array ? array.shape : [array.rows, array.cols], array.data);
}
