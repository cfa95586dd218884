/** Whole arrays, for models and results: .npy and .npz files that NumPy reads without pickle. */
import { InputError } from '../../core/errors.ts';
import type { FloatArray, Matrix, Precision } from '../../core/matrix.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { type ReadOptions, readLimits } from './budget.ts';
import type { Bytes } from './bytes.ts';
import { allocateOrRefuse } from './dtype.ts';
import { type FileSourceOptions, openTable } from './file-source.ts';
import type { NpyArray } from './npy.ts';
import { gzippedNpyFile, npyFile, readNpyArray } from './npy.ts';
import type { NpyOutput, NumberArray } from './npy-write.ts';
import { npyBytes, npyStream, npyText } from './npy-write.ts';
import { npzEntries, openNpz, pickArray } from './npz.ts';
import { openBytes } from './open-bytes.ts';
import { fileName, parseSpec } from './spec.ts';
import { writeZip } from './zip-write.ts';

/** Numbers of any shape in C order; the type of `data` is the type stored: float32, float64, int32, int64 or uint8. */
export interface ShapedArray {
  readonly shape: readonly number[];
  readonly data: NumberArray;
}

/** Numbers produced while they are written, row after row in pieces of any length. */
export interface StreamedArray {
  readonly shape: readonly number[];
  readonly precision: Precision;
  readonly pieces: AsyncIterable<FloatArray>;
}

/** A string is written as a 0-d text array. */
export type ArrayInput = Matrix | ShapedArray | StreamedArray | string;

/**
 * The arrays of an .npz file by name: all of them, or those of `names` that it has.
 *
 * @example
 * ```js
 * import { readArrays } from 'orthodict/node';
 *
 * const arrays = await readArrays('data.npz');
 * console.log([...arrays.keys()].join(' ')); // samples atoms codes
 * ```
 */
export async function readArrays(
  path: string,
  names?: readonly string[],
  options: ReadOptions = {},
): Promise<Map<string, NpyArray>> {
  return withBytes(path, options, (bytes) => arraysOf(bytes, names));
}

/** The same for an open archive. */
export async function arraysOf(archive: Bytes, names?: readonly string[]): Promise<Map<string, NpyArray>> {
  const arrays = new Map<string, NpyArray>();
  for (const { array, content } of await openNpz(archive)) {
    if (!names || names.includes(array)) arrays.set(array, await readNpyArray(await content()));
  }
  return arrays;
}

/** Names of the arrays in an .npz file; reads none of them. */
export async function arrayNames(path: string): Promise<string[]> {
  return withBytes(path, {}, async (bytes) => (await openNpz(bytes)).map(({ array }) => array));
}

/**
 * One array of any shape: `file.npy`, `file.npz:name`, or the default array of `file.npz`.
 *
 * @example
 * ```js
 * import { readArray } from 'orthodict/node';
 *
 * const { shape } = await readArray('data.npz:atoms');
 * console.log(shape.join(' ')); // 20 20
 * ```
 */
export async function readArray(spec: string, options: ReadOptions = {}): Promise<NpyArray> {
  const { path, array } = parseSpec(spec);
  return withBytes(path, options, async (bytes) => {
    const name = fileName(path);
    if (/\.npz$/i.test(name)) return readNpyArray(await pickArray(bytes.name, await openNpz(bytes), array));
    if (/\.npy$/i.test(name)) return readNpyArray(npyFile(bytes));
    if (/\.npy\.gz$/i.test(name)) return readNpyArray(gzippedNpyFile(bytes));
    throw new InputError(`${bytes.name}: the name must end in one of .npy .npz .npy.gz.`);
  });
}

/**
 * A 2-d array of numbers from a file in any format that `openSource` reads.
 *
 * @example
 * ```js
 * import { readMatrix } from 'orthodict/node';
 *
 * const { rows, cols } = await readMatrix('data.npz:samples');
 * console.log(rows, cols); // 4000 20
 * ```
 */
export async function readMatrix(
  spec: string,
  options: Pick<FileSourceOptions, 'limits' | 'table' | 'pictures'> = {},
): Promise<Matrix> {
  const table = await openTable(spec, options);
  try {
    const { rows, cols } = table;
    const data = allocateOrRefuse(table, table.precision, [rows, cols]);
    await table.load(data);
    return { rows, cols, data };
  } finally {
    await table.close();
  }
}

/**
 * Writes an .npz file; the same arrays in the same order give the same bytes.
 *
 * @example
 * ```js
 * import { writeArrays } from 'orthodict/node';
 *
 * const samples = { rows: 2, cols: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6) };
 * await writeArrays('small.npz', { samples, note: 'two samples' });
 * ```
 */
export async function writeArrays(path: string, arrays: Readonly<Record<string, ArrayInput>>): Promise<void> {
  const outputs = Object.entries(arrays).map(([name, array]) => [name, output(array)] as const);
  await writeAtomically(path, (file) => writeZip(file, npzEntries(outputs)));
}

/** Writes a .npy file. */
export async function writeArray(path: string, array: ArrayInput): Promise<void> {
  await writeAtomically(path, output(array).chunks);
}

function output(array: ArrayInput): NpyOutput {
  if (typeof array === 'string') return npyText(array);
  if ('pieces' in array) return npyStream(array.shape, array.precision, array.pieces);
  return npyBytes('shape' in array ? array.shape : [array.rows, array.cols], array.data);
}

/** Opens a file, uses it and closes it. */
export async function withBytes<T>(path: string, options: ReadOptions, use: (bytes: Bytes) => Promise<T>): Promise<T> {
  const bytes = await openBytes(path, readLimits(options.limits));
  try {
    return await use(bytes);
  } finally {
    await bytes.close();
  }
}
