/**
 * A dictionary in an .npz file that `numpy.load` reads without pickle: `atoms` (K×n), `encoder` (K×n) if it differs
 * from the atoms, `mean` (n) if used, and `meta`, JSON text. Atoms alone that are not orthonormal, of another program, are encoded
 * by their pseudo-inverse or by a pursuit. An overcomplete dictionary adds `pursuit`: the maximum
 * number of atoms per sample and the residual to reach. A product of reflectors has `reflectors` (M×n), one of
 * rotations `rotations` (G×4), `order` (n) and `signs` (n); both write atoms only on request. The file holds no times
 * and no machine name: the same run writes the same bytes.
 */

import * as v from 'valibot';
import { InputError } from '../core/errors.ts';
import type { Precision } from '../core/matrix.ts';
import { quoted } from '../core/printable.ts';
import { requireObject } from '../core/require-matrix.ts';
import { denseDictionary } from '../dictionaries/dense.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import { type DictionaryOfAtoms, dictionaryOfAtoms, restoredEncoder } from '../dictionaries/given-atoms.ts';
import { givensDictionary } from '../dictionaries/givens.ts';
import { householderDictionary } from '../dictionaries/householder.ts';
import { overcompleteDictionary } from '../dictionaries/overcomplete.ts';
import type { PatchShape } from '../engine/source/source.ts';
import { certaintyWords } from '../learn/certificate/certainty.ts';
import type { LearnResult } from '../learn/learn.ts';
import { describeOptions } from '../learn/options.ts';
import type { PursuitLimits } from '../passes/pursue.ts';
import { type ArrayInput, arraysOf, inPrecision } from './arrays.ts';
import type { Bytes } from './bytes/bytes.ts';
import { parseJson } from './codecs/json.ts';
import type { NpyArray } from './codecs/npy/npy.ts';
import { openNpz } from './codecs/npy/npz.ts';
import { StoredArrays } from './stored-arrays.ts';

export const MODEL_FORMAT = 1;

const metaSchema = v.looseObject({
  format: v.optional(v.number(), MODEL_FORMAT),
  method: v.optional(v.string()),
  options: v.optional(v.record(v.string(), v.unknown()), {}),
  status: v.optional(v.string()),
  // of the numbers in the file
  precision: v.optional(v.picklist(['f32', 'f64'])),
  // how many there are, or their names
  features: v.optional(v.union([v.number(), v.array(v.string())])),
  // the share of the samples' energy in the codes of every atom
  energies: v.optional(v.array(v.number())),
  // of atoms that are patches of pictures
  patch: v.optional(v.object({ width: v.number(), height: v.number(), channels: v.picklist([1, 3]) })),
});
/** What a model file says about the run that made it. */
export type ModelMeta = v.InferOutput<typeof metaSchema>;

/** A dictionary, and how it was learned. */
export interface Model {
  readonly dictionary: Dictionary;
  readonly meta: ModelMeta;
  /** How samples are encoded, where the file holds atoms that are not orthonormal and no encoder. */
  readonly remark?: string | undefined;
}

/** What a model file says about the run that made it. */
export function modelMeta(result: LearnResult): ModelMeta {
  requireObject('modelMeta', 'result', result, 'what learn returned', ['settings']);
  const { settings, status, reason, iterations, passes, objective, refined, refinement } = result;
  const { samples, features, precision, backend } = result;
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
    ...(result.objectiveUnit !== 1 && { objectiveUnit: result.objectiveUnit }),
    refined,
    refinement,
    samples,
    features: result.names ? [...result.names] : features,
    precision,
    ...(result.patch && { patch: result.patch }),
    ...(result.energies && { energies: roundedShares(result.energies) }),
    backend,
    ...result.details,
    ...answersOf(result),
  };
}

/** Energies as a model file holds them. */
export const roundedShares = (energies: Float64Array): number[] =>
  Array.from(energies, (share) => Number(share.toPrecision(6)));

/** What is known about the atoms beyond the run: whether they are certified, whether other starts find them, and how well they describe other samples. */
export function answersOf({ certainty, starts, agreement, holdout }: LearnResult): Record<string, unknown> {
  const { atomUse, ...judged } = holdout ?? {};
  const sure = certainty && { certainty: certaintyWords(certainty), certified: certainty.certified };
  return { ...sure, ...(starts && { starts }), ...(agreement && { agreement }), ...(holdout && { holdout: judged }) };
}

/** The names of the features; feature1, feature2, … where the samples had none. */
export function featureNames({ features }: Dictionary, meta: ModelMeta): readonly string[] {
  const names = Array.isArray(meta.features) && meta.features.length === features ? meta.features : undefined;
  return Array.from({ length: features }, (_, k) => names?.[k] || `feature${k + 1}`);
}

/** Throws if the samples have other columns, or are patches of another shape, than those that the model was learned from. */
export function requireFitting(
  who: string,
  { features, patch }: ModelMeta,
  samples: { readonly names?: readonly string[] | undefined; readonly patch?: PatchShape | undefined },
): void {
  const refuse = (what: string, got: string) =>
    new InputError(`${who}: ${what} must be those of the model; got ${got}.`, who);
  const { names, patch: own } = samples;
  if (names && Array.isArray(features) && names.length === features.length) {
    const k = names.findIndex((name, i) => name !== features[i]);
    if (k >= 0) throw refuse('the columns', `${quoted(names[k])} where the model has ${quoted(features[k])}`);
  }
  const shape = ({ width, height, channels }: PatchShape) => `${width}×${height}${channels === 3 ? ' in colour' : ''}`;
  if (own && patch && shape(own) !== shape(patch))
    throw refuse('the patches', `${shape(own)} where it has ${shape(patch)}`);
}

/** What a model file holds. */
export interface SaveOptions {
  /** Of the stored numbers; default: that of the model, which is that of the samples unless `learn` was told another. */
  readonly precision?: Precision | undefined;
  /** Also write the atoms of a structured dictionary. */
  readonly atoms?: boolean | undefined;
}

/** A model as it is, or what is saved of the result of a run. */
function asModel(who: string, given: Model | LearnResult): Model {
  const mustBe = 'a model {dictionary, meta}, or what learn returned';
  requireObject(who, 'model', given, mustBe, ['dictionary']);
  requireObject(who, 'model', given.dictionary, mustBe, ['transform']);
  if ('meta' in given) return given;
  requireObject(who, 'model', given, mustBe, ['settings']);
  return { dictionary: given.dictionary, meta: modelMeta(given) };
}

/** The arrays of the file, in its order. */
export function modelArrays(
  model: Model | LearnResult,
  { precision: wanted, atoms = false }: SaveOptions = {},
  who = 'saveModel',
): Record<string, ArrayInput> {
  const { dictionary, meta } = asModel(who, model);
  const { transform, mean } = dictionary;
  const precision = wanted ?? meta.precision ?? 'f64';
  const arrays: Record<string, ArrayInput> = {};
  if (transform.kind === 'reflectors') arrays.reflectors = transform.reflectors;
  if (transform.kind === 'rotations') {
    const { rotations, order, signs } = transform;
    arrays.rotations = rotations;
    arrays.order = { shape: [order.length], data: order };
    arrays.signs = { shape: [signs.length], data: signs };
  }
  if (transform.kind === 'dense' || transform.kind === 'pursuit' || atoms) arrays.atoms = dictionary.atoms;
  if (transform.kind === 'dense' && transform.encoder !== dictionary.atoms) arrays.encoder = transform.encoder;
  if (mean) arrays.mean = { shape: [mean.length], data: mean };
  return {
    ...(transform.kind === 'pursuit' && { pursuit: limitsArray(transform) }),
    ...inPrecision(arrays, precision),
    meta: JSON.stringify({ ...meta, precision }),
  };
}

/** In float64 whatever the precision: these are settings, which stay as they were given. */
const limitsArray = ({ keep = Number.POSITIVE_INFINITY, residual = 0 }: PursuitLimits): ArrayInput => ({
  shape: [2],
  data: Float64Array.of(keep, residual),
});

/** Everything a model can hold; other arrays of the file are not read. */
const ARRAYS = ['atoms', 'encoder', 'mean', 'pursuit', 'reflectors', 'rotations', 'order', 'signs', 'meta'];

/** The model in an open file. Damaged files are an `InputError`. */
export async function readModel(bytes: Bytes): Promise<Model> {
  const { name } = bytes;
  const arrays = await arraysOf(bytes, ARRAYS);
  const stored = new StoredArrays(name, arrays);
  const found = await dictionaryOf(name, stored);
  if (found) return { ...found, meta: { ...parseMeta(name, stored), precision: storedPrecision(arrays) } };
  const names = (await openNpz(bytes)).map(({ array }) => array).join(', ');
  throw new InputError(`${name}: a model must have the array "atoms", "reflectors" or "rotations"; got ${names}.`);
}

/** Whatever the meta says, for models of other programs. */
function storedPrecision(arrays: ReadonlyMap<string, NpyArray>): Precision {
  const learned = ['reflectors', 'rotations', 'atoms'].find((name) => arrays.has(name))!;
  return arrays.get(learned)!.data instanceof Float32Array ? 'f32' : 'f64';
}

/** Factors take precedence over atoms if both are present. K: atoms, n: features. */
async function dictionaryOf(file: string, stored: StoredArrays): Promise<DictionaryOfAtoms | undefined> {
  const reflectors = stored.matrix('reflectors', 'M', 'n');
  const rotations = stored.matrix('rotations', 'G', 4);
  const order = rotations && stored.vector('order', 'n');
  const signs = rotations && stored.vector('signs', 'n');
  const atoms = stored.matrix('atoms', 'K', 'n');
  const encoder = stored.matrix('encoder', 'K', 'n');
  const mean = stored.vector('mean', 'n');
  const pursuit = stored.limits('pursuit', 2);
  try {
    if (reflectors) return { dictionary: householderDictionary({ reflectors, mean }) };
    if (rotations && order && signs) return { dictionary: givensDictionary({ rotations, order, signs, mean }) };
    if (rotations) throw new InputError('a model of rotations must have the arrays "order" and "signs" too.');
    if (!atoms) return undefined;
    if (atoms.data.length === 0) throw new InputError(`atoms must be at least one; got ${atoms.rows} × ${atoms.cols}.`);
    if (pursuit) return { dictionary: overcompleteDictionary({ atoms, ...pursuitOf(pursuit), mean }) };
    if (encoder)
      return { dictionary: denseDictionary({ atoms, encoder: await restoredEncoder(atoms, encoder), mean }) };
    return await dictionaryOfAtoms({ atoms, mean });
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${file}: ${error.message}`) : error;
  }
}

/** Infinity and 0 mean no limit. */
function pursuitOf([keep, residual]: Float64Array): PursuitLimits {
  if (!(keep >= 1 && (Number.isInteger(keep) || keep === Number.POSITIVE_INFINITY) && residual >= 0 && residual < 1)) {
    const got = `${keep} and ${residual}`;
    throw new InputError(`pursuit must be the most atoms a sample may use, and the residual to reach; got ${got}.`);
  }
  return { ...(Number.isFinite(keep) && { keep }), ...(residual > 0 && { residual }) };
}

/** Meta is optional, for atoms saved by another program; if present, it must be what this program writes. */
function parseMeta(file: string, stored: StoredArrays): ModelMeta {
  const text = stored.text('meta');
  const meta = text === undefined ? {} : parseJson(`${file}:meta`, text);
  if (Array.isArray(meta)) throw new InputError(`${file}:meta must describe a model; got a list.`);
  const parsed = v.safeParse(metaSchema, meta);
  if (!parsed.success) throw new InputError(`${file}:meta must describe a model; got ${parsed.issues[0].message}.`);
  if (parsed.output.format > MODEL_FORMAT) {
    throw new InputError(`${file}: the model must be of format ${MODEL_FORMAT} or older; got ${parsed.output.format}.`);
  }
  return parsed.output;
}
