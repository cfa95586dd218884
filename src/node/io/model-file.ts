/** Reads and writes models on disk; src/io/model.ts defines the format. */

import { InputError } from '../../core/errors.ts';
import { requireFileName } from '../../core/require-matrix.ts';
import type { Model } from '../../dictionaries/model.ts';
import { modelArrays, readModel, type SaveOptions } from '../../io/model.ts';
import { withBytes, writeArrays } from './arrays.ts';

/**
 * Writes a model, such as `learn` returns, to an .npz file that `numpy.load` reads without pickle. The old file stays
 * until the new one is complete.
 *
 * @example
 * ```js
 * import { learn, saveModel } from 'orthodict/node';
 *
 * await saveModel('saved.npz', await learn('data.npz'));
 * ```
 */
export async function saveModel(path: string, model: Model, options: SaveOptions = {}): Promise<void> {
  requireFileName('saveModel', path);
  await writeArrays(path, modelArrays(model, options, 'saveModel'));
}

/**
 * Reads a model that `saveModel` wrote. Damaged files are an `InputError`.
 *
 * @example
 * ```js
 * import { loadModel, readMatrix } from 'orthodict/node';
 *
 * const { dictionary, meta } = await loadModel('model.npz');
 * const codes = await dictionary.encode(await readMatrix('data.npz'), { keep: 8 });
 * console.log(meta.method, codes.rows, codes.cols); // msp 4000 20
 * ```
 */
export async function loadModel(path: string): Promise<Model> {
  requireFileName('loadModel', path);
  if (!/\.npz$/i.test(path)) throw new InputError(`${path}: a model must be an .npz file.`);
  return withBytes(path, {}, readModel);
}
