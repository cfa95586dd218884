/** Reads and writes whole arrays, for models and results: .npy and .npz files that NumPy reads without pickle. */

import type { Matrix } from '../../core/matrix.ts';
import { requireFileName, requireObject } from '../../core/require-matrix.ts';
import { type ArrayInput, arrayOf, arraysOf, npyOutput, requireArray, writeNpz } from '../../io/arrays.ts';
import { type ReadOptions, readLimits } from '../../io/bytes/budget.ts';
import type { Bytes } from '../../io/bytes/bytes.ts';
import { fileName, parseSpec } from '../../io/bytes/spec.ts';
import { allocateOrRefuse } from '../../io/codecs/npy/dtype.ts';
import type { NpyArray } from '../../io/codecs/npy/npy.ts';
import { openNpz } from '../../io/codecs/npy/npz.ts';
import { writeAtomically } from './atomic-write.ts';
import { type FileSourceOptions, openTable } from './file-source.ts';
import { openBytes } from './open-bytes.ts';

/**
 * Reads the arrays of an .npz file by name: all of them, or those of `names` that it has.
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
  requireReading('readArrays', path, options);
  return withBytes(path, options, (bytes) => arraysOf(bytes, names));
}

/** Lists the names of the arrays in an .npz file without reading them. */
export async function arrayNames(path: string): Promise<string[]> {
  return withBytes(path, {}, async (bytes) => (await openNpz(bytes)).map(({ array }) => array));
}

/**
 * Reads one array of any shape: `file.npy`, `file.npz:name`, or the default array of `file.npz`.
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
  requireReading('readArray', spec, options);
  const { path, array } = parseSpec(spec);
  return withBytes(path, options, (bytes) => arrayOf(bytes, fileName(path), array));
}

/**
 * Reads a 2-d array of numbers from a file in any format that `openSource` reads.
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
  requireReading('readMatrix', spec, options);
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
  requireFileName('writeArrays', path);
  requireObject('writeArrays', 'arrays', arrays, 'an object of arrays by their names');
  for (const [name, array] of Object.entries(arrays)) requireArray('writeArrays', name, array);
  await writeAtomically(path, (sink) => writeNpz(sink, arrays));
}

/** Writes a .npy file. */
export async function writeArray(path: string, array: ArrayInput): Promise<void> {
  requireFileName('writeArray', path);
  requireArray('writeArray', 'array', array);
  await writeAtomically(path, npyOutput(array).chunks);
}

/** Checks the arguments of a function that reads. */
export function requireReading(who: string, path: unknown, options: unknown): void {
  requireFileName(who, path);
  requireObject(who, 'options', options, 'an object');
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
