/** Provides `updateDictionary` for Node: a model and a file of new samples, read piece by piece. */

import { InputError } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import { requireObject } from '../core/require-matrix.ts';
import { type Model, type ModelMeta, requireFitting, roundedShares } from '../dictionaries/model.ts';
import type { Source } from '../engine/source/source.ts';
import type { UpdateOptions } from '../learn/option-types.ts';
import { type UpdatedDictionary, updateDictionary } from '../learn/stream/update-dictionary.ts';
import { type NodeRunOptions, openSamples, runOnNode } from './run.ts';

/** A model improved with new samples, and what changed. */
export interface UpdatedModel extends Model, Omit<UpdatedDictionary, 'dictionary'> {}

/**
 * Improves a model of `learn` with samples that arrived since, in one pass over them. `samples`: a matrix, a source, or
 * the name of a file, of which only a piece at a time is in memory.
 *
 * @example
 * ```js
 * import { loadModel, saveModel, updateModel } from 'orthodict/node';
 *
 * const model = await loadModel('model.npz');
 * const updated = await updateModel(model, 'data.npz');
 * await saveModel('updated.npz', updated);
 * console.log(updated.meta.samples); // 8000
 * ```
 */
export async function updateModel(
  model: Model,
  samples: Matrix | Source | string,
  options: UpdateOptions = {},
  run: NodeRunOptions = {},
): Promise<UpdatedModel> {
  requireObject('updateModel', 'model', model, 'a model {dictionary, meta}', ['dictionary', 'meta']);
  const { dictionary, meta } = model;
  const known = { dictionary, ...requireUpdatable(meta) };
  const updated = await runOnNode(
    (onShape, reading) => openSamples(samples, onShape, reading),
    { ...run, memoryLimit: 0, threads: 1 },
    async (data, inner) => {
      requireFitting('updateModel', meta, 'read' in data ? data : {});
      return updateDictionary(known, data, options, inner);
    },
    'updateModel',
  );
  return { ...updated, meta: updatedMeta(meta, updated, options) };
}

/** Keeps the metadata of a model that an update leaves true, and adds its own; the rest was of the run that learned it. */
function updatedMeta(meta: ModelMeta, updated: UpdatedDictionary, { window }: UpdateOptions): ModelMeta {
  const { format, method, options, seed, features, precision, patch } = meta;
  const { samples, refined, added, energies } = updated;
  const before = (name: string, otherwise = 0) => (typeof meta[name] === 'number' ? meta[name] : otherwise);
  return {
    format,
    method,
    options,
    ...(seed !== undefined && { seed }),
    reason: `updated with ${added} samples`,
    refined,
    samples,
    seen: before('seen', before('samples')) + added,
    updates: before('updates') + 1,
    ...(window !== undefined && Number.isFinite(window) && { window }),
    ...(features !== undefined && { features }),
    ...(precision && { precision }),
    ...(patch && { patch }),
    ...(energies && { energies: roundedShares(energies) }),
  };
}

/** Returns the metadata that a stream needs; throws if the model was not learned by the l4 norm, which the stream continues. */
function requireUpdatable({ method, options, samples, refined }: ModelMeta) {
  const { norm = 4 } = options;
  const refuse = (got: string) =>
    new InputError(`updateModel: the model must be of method msp with norm 4; got ${got}.`, 'updateModel');
  if (method !== 'msp') throw refuse(method === undefined ? 'one without a method' : `method ${method}`);
  if (norm !== 4) throw refuse(`norm ${norm}`);
  if (typeof samples !== 'number' || !(samples > 0)) throw refuse('one that does not tell its number of samples');
  return { samples, refined: refined === true };
}
