/**
 * A dictionary in an .npz file that `numpy.load` reads without pickle: `atoms` (K×n), `encoder` (K×n) if it differs
 * from the atoms, `mean` (n) if used, and `meta`, JSON text. An overcomplete dictionary adds `pursuit`: the maximum
 * number of atoms per sample and the residual to reach. A product of reflectors has `reflectors` (M×n), one of
 * rotations `rotations` (G×4), `order` (n) and `signs` (n); both write atoms only on request. The file holds no times
 * and no machine name: the same run writes the same bytes.
 */

import * as v from 'valibot';
import { InputError } from '../../core/errors.ts';
import type { Matrix, Precision } from '../../core/matrix.ts';
import { firstNotFinite, placeOf } from '../../core/require-matrix.ts';
import { denseDictionary } from '../../dictionaries/dense.ts';
import type { Dictionary } from '../../dictionaries/dictionary.ts';
import { givensDictionary } from '../../dictionaries/givens.ts';
import { householderDictionary } from '../../dictionaries/householder.ts';
import { overcompleteDictionary } from '../../dictionaries/overcomplete.ts';
import type { LearnResult } from '../../learn/learn.ts';
import { describeOptions } from '../../learn/options.ts';
import type { PursuitLimits } from '../../linalg/pursuit.ts';
import { type ArrayInput, readArrays, writeArrays } from '../formats/arrays.ts';
import type { NpyArray } from '../formats/npy.ts';

export const MODEL_FORMAT = 1;

const metaSchema = v.looseObject({
  format: v.optional(v.number(), MODEL_FORMAT),
  method: v.optional(v.string()),
  options: v.optional(v.record(v.string(), v.unknown()), {}),
  status: v.optional(v.string()),
});
/** What a model file says about the run that made it. */
export type ModelMeta = v.InferOutput<typeof metaSchema>;

/** A dictionary, and how it was learned. */
export interface Model {
  readonly dictionary: Dictionary;
  readonly meta: ModelMeta;
}

/** What a model file says about the run that made it. */
export function modelMeta(result: LearnResult): ModelMeta {
  const { settings, status, reason, iterations, passes, objective, refined, refinement, samples, features, backend } =
    result;
  return {
    format: MODEL_FORMAT,
    method: settings.method,
    options: describeOptions(settings),
    seed: settings.seed,
    status,
    reason,
    iterations,
    passes,
    objective: Number.isNaN(objective) ? null : objective,
    refined,
    refinement,
    samples,
    features,
    backend,
    ...result.details,
  };
}

/** What a model file holds. */
export interface SaveOptions {
  /** Precision of the stored matrices. */
  readonly precision?: Precision | undefined;
  /** Also write the atoms of a structured dictionary. */
  readonly atoms?: boolean | undefined;
}

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
export async function saveModel(
  path: string,
  { dictionary, meta }: Model,
  { precision = 'f64', atoms = false }: SaveOptions = {},
): Promise<void> {
  const { transform, mean } = dictionary;
  const stored = (matrix: Matrix): Matrix =>
    precision === 'f32' ? { ...matrix, data: Float32Array.from(matrix.data) } : matrix;
  const arrays: Record<string, ArrayInput> = {};
  if (transform.kind === 'reflectors') arrays.reflectors = stored(transform.reflectors);
  if (transform.kind === 'rotations') {
    const { rotations, order, signs } = transform;
    arrays.rotations = stored(rotations);
    arrays.order = { shape: [order.length], data: order };
    arrays.signs = { shape: [signs.length], data: signs };
  }
  if (transform.kind === 'pursuit') {
    const { keep = Number.POSITIVE_INFINITY, residual = 0 } = transform;
    arrays.pursuit = { shape: [2], data: Float64Array.of(keep, residual) };
  }
  if (transform.kind === 'dense' || transform.kind === 'pursuit' || atoms) arrays.atoms = stored(dictionary.atoms);
  if (transform.kind === 'dense' && transform.encoder !== dictionary.atoms) arrays.encoder = stored(transform.encoder);
  if (mean) arrays.mean = { shape: [mean.length], data: mean };
  arrays.meta = JSON.stringify(meta);
  await writeArrays(path, arrays);
}

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
  const arrays = await readArrays(path);
  return { dictionary: dictionaryOf(path, arrays), meta: parseMeta(path, arrays.get('meta')) };
}

/** Factors take precedence over atoms if both are present. */
function dictionaryOf(path: string, arrays: Map<string, NpyArray>): Dictionary {
  const mean = vectorNamed(path, arrays, 'mean');
  const reflectors = matrixNamed(path, arrays, 'reflectors');
  if (reflectors) return householderDictionary({ reflectors, mean });
  const rotations = matrixNamed(path, arrays, 'rotations');
  if (rotations) {
    const order = vectorNamed(path, arrays, 'order');
    const signs = vectorNamed(path, arrays, 'signs');
    if (order && signs) return givensDictionary({ rotations, order, signs, mean });
    throw new InputError(`${path}: a model of rotations must have the arrays "order" and "signs" too.`);
  }
  const atoms = matrixNamed(path, arrays, 'atoms');
  const pursuit = arrays.get('pursuit');
  if (atoms && pursuit) return overcompleteDictionary({ atoms, ...pursuitOf(path, pursuit), mean });
  if (atoms) return denseDictionary({ atoms, encoder: matrixNamed(path, arrays, 'encoder'), mean });
  const names = [...arrays.keys()].join(', ') || 'no arrays';
  throw new InputError(`${path}: a model must have the array "atoms", "reflectors" or "rotations"; got ${names}.`);
}

/** Infinity and 0 mean no limit. */
function pursuitOf(path: string, { shape, data }: NpyArray): PursuitLimits {
  const [keep, residual] = Array.from(data, Number);
  if (shape.length !== 1 || !(data.length === 2 && keep >= 1 && residual >= 0 && residual < 1)) {
    throw new InputError(`${path}:pursuit must be the most atoms a sample may use, and the residual to reach.`);
  }
  return { ...(Number.isFinite(keep) && { keep }), ...(residual > 0 && { residual }) };
}

function matrixNamed(path: string, arrays: Map<string, NpyArray>, name: string): Matrix | undefined {
  const array = arrays.get(name);
  if (!array) return undefined;
  const { shape, data } = array;
  if (shape.length !== 2 || Array.isArray(data)) {
    throw new InputError(
      `${path}:${name} must be a matrix of numbers; got ${array.dtype} of shape (${shape.join(', ')}).`,
    );
  }
  const matrix = { rows: shape[0], cols: shape[1], data };
  const bad = firstNotFinite(data);
  if (bad >= 0) throw new InputError(`${path}:${name} must be finite; got ${placeOf(matrix, bad)}.`);
  return matrix;
}

function vectorNamed(path: string, arrays: Map<string, NpyArray>, name: string): Float64Array | undefined {
  const array = arrays.get(name);
  if (!array) return undefined;
  const { shape, data } = array;
  if (shape.length !== 1 || Array.isArray(data)) {
    throw new InputError(
      `${path}:${name} must be a vector of numbers; got ${array.dtype} of shape (${shape.join(', ')}).`,
    );
  }
  const bad = firstNotFinite(data);
  if (bad >= 0) throw new InputError(`${path}:${name} must be finite; got ${data[bad]} at ${bad}.`);
  return Float64Array.from(data);
}

/** Meta is optional, for atoms saved by another program; if present, it must be what this program writes. */
function parseMeta(path: string, array: NpyArray | undefined): ModelMeta {
  if (!array) return v.parse(metaSchema, {});
  let meta: unknown;
  try {
    meta = JSON.parse(String(array.data[0]));
  } catch {
    throw new InputError(`${path}:meta must be JSON text; got something else.`);
  }
  const parsed = v.safeParse(metaSchema, meta);
  if (!parsed.success) throw new InputError(`${path}:meta must describe a model; got ${parsed.issues[0].message}.`);
  if (parsed.output.format > MODEL_FORMAT) {
    throw new InputError(`${path}: the model must be of format ${MODEL_FORMAT} or older; got ${parsed.output.format}.`);
  }
  return parsed.output;
}
