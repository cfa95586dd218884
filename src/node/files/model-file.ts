/** Models on disk; what such a file holds is in src/formats/model.ts. */
import { InputError } from '../../core/errors.ts';
import { type Model, modelArrays, readModel, type SaveOptions } from '../../formats/model.ts';
import { withBytes, writeArrays } from '../formats/arrays.ts';

/**
 * Writes a dictionary to an .npz file that `numpy.load` reads without pickle. The old file stays until the new one is
 * complete.
 *
 * @example
 * ```js
 * import { learn, modelMeta, saveModel } from 'orthodict/node';
 *
 * const result = await learn('data.npz');
 * await saveModel('saved.npz', { dictionary: result.dictionary, meta: modelMeta(result) });
 * ```
 */
export const saveModel = (path: string, model: Model, options: SaveOptions = {}): Promise<void> =>
  writeArrays(path, modelArrays(model, options));

/**
 * Reads what `saveModel` wrote. Damaged files are an `InputError`.
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
  if (!/\.npz$/i.test(path)) throw new InputError(`${path}: a model must be an .npz file.`);
  return withBytes(path, {}, readModel);
}
