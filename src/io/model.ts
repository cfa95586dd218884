/**
 * Stores a dictionary in an .npz file that `numpy.load` reads without pickle: `atoms` (K×n), `encoder` (K×n) if it differs
 * from the atoms, `mean` (n) if used, and `meta`, JSON text. Atoms alone that are not orthonormal, of another program, are encoded
 * by their pseudo-inverse or by a pursuit. An overcomplete dictionary adds `pursuit`: the maximum
 * number of atoms per sample and the residual to reach. A product of reflectors has `reflectors` (M×n), one of
 * rotations `rotations` (G×4), `order` (n) and `signs` (n); both write atoms only on request. The file holds no times
 * and no machine name: the same run writes the same bytes.
 */

import * as v from 'valibot';
import { InputError } from '../core/errors.ts';
import type { Precision } from '../core/matrix.ts';
import { requireObject } from '../core/require-matrix.ts';
import { denseDictionary } from '../dictionaries/dense.ts';
import { type DictionaryOfAtoms, dictionaryOfAtoms, restoredEncoder } from '../dictionaries/given-atoms.ts';
import { givensDictionary } from '../dictionaries/givens.ts';
import { householderDictionary } from '../dictionaries/householder.ts';
import { MODEL_FORMAT, type Model, type ModelMeta } from '../dictionaries/model.ts';
import { overcompleteDictionary } from '../dictionaries/overcomplete.ts';
import type { PursuitLimits } from '../passes/pursue.ts';
import { type ArrayInput, arraysOf, inPrecision, vectorOf } from './arrays.ts';
import type { Bytes } from './bytes/bytes.ts';
import { parseJson } from './codecs/json.ts';
import type { NpyArray } from './codecs/npy/npy.ts';
import { openNpz } from './codecs/npy/npz.ts';
import { StoredArrays } from './stored-arrays.ts';

const metaSchema = v.looseObject({
  format: v.optional(v.number(), MODEL_FORMAT),
  method: v.optional(v.string()),
  options: v.optional(v.record(v.string(), v.unknown()), {}),
  status: v.optional(v.string()),
  // precision of the numbers in the file
  precision: v.optional(v.picklist(['f32', 'f64'])),
  // their number, or their names
  features: v.optional(v.union([v.number(), v.array(v.string())])),
  // the share of the samples' energy in the codes of every atom
  energies: v.optional(v.array(v.number())),
  // shape of atoms that are patches of pictures
  patch: v.optional(v.object({ width: v.number(), height: v.number(), channels: v.picklist([1, 3]) })),
});

/** Options for writing a model file. */
export interface SaveOptions {
  /** Precision of the stored numbers; default: that of the model, which is that of the samples unless `learn` had the option. */
  readonly precision?: Precision | undefined;
  /** Also write the atoms of a structured dictionary. */
  readonly atoms?: boolean | undefined;
}

/** Returns the arrays of the file, in its order. */
export function modelArrays(
  model: Model,
  { precision: wanted, atoms = false }: SaveOptions = {},
  who = 'saveModel',
): Record<string, ArrayInput> {
  const mustBe = 'a model {dictionary, meta}, or what learn returned';
  requireObject(who, 'model', model, mustBe, ['dictionary', 'meta']);
  requireObject(who, 'model', model.dictionary, mustBe, ['transform']);
  const { dictionary, meta } = model;
  const { transform, mean } = dictionary;
  const precision = wanted ?? meta.precision ?? 'f64';
  const arrays: Record<string, ArrayInput> = {};
  if (transform.kind === 'reflectors') arrays.reflectors = transform.reflectors;
  if (transform.kind === 'rotations') {
    const { rotations, order, signs } = transform;
    arrays.rotations = rotations;
    arrays.order = vectorOf(order);
    arrays.signs = vectorOf(signs);
  }
  if (transform.kind === 'dense' || transform.kind === 'pursuit' || atoms) arrays.atoms = dictionary.atoms;
  if (transform.kind === 'dense' && transform.encoder !== dictionary.atoms) arrays.encoder = transform.encoder;
  if (mean) arrays.mean = vectorOf(mean);
  return {
    ...(transform.kind === 'pursuit' && { pursuit: limitsArray(transform) }),
    ...inPrecision(arrays, precision),
    meta: JSON.stringify({ ...meta, precision }),
  };
}

/** Stores the limits in float64 whatever the precision: these are settings, which stay as they were given. */
const limitsArray = ({ keep = Number.POSITIVE_INFINITY, residual = 0 }: PursuitLimits): ArrayInput =>
  vectorOf(Float64Array.of(keep, residual));

/** All arrays of a model; others in the file are not read. */
const ARRAYS = ['atoms', 'encoder', 'mean', 'pursuit', 'reflectors', 'rotations', 'order', 'signs', 'meta'];

/** Reads the model of an open file. Damaged files are an `InputError`. */
export async function readModel(bytes: Bytes): Promise<Model> {
  const { name } = bytes;
  const arrays = await arraysOf(bytes, ARRAYS);
  const stored = new StoredArrays(name, arrays);
  const found = await dictionaryOf(name, stored);
  if (found) return { ...found, meta: { ...parseMeta(name, stored), precision: storedPrecision(arrays) } };
  const names = (await openNpz(bytes)).map(({ array }) => array).join(', ');
  throw new InputError(`${name}: a model must have the array "atoms", "reflectors" or "rotations"; got ${names}.`);
}

/** Returns the precision of the arrays, whatever the metadata says, for models of other programs. */
function storedPrecision(arrays: ReadonlyMap<string, NpyArray>): Precision {
  const learned = ['reflectors', 'rotations', 'atoms'].find((name) => arrays.has(name))!;
  return arrays.get(learned)!.data instanceof Float32Array ? 'f32' : 'f64';
}

/** Makes the dictionary. Factors take precedence over atoms if both are present. K: atoms, n: features. */
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

/** Returns the limits of a pursuit; Infinity and 0 mean no limit. */
function pursuitOf([keep, residual]: Float64Array): PursuitLimits {
  if (!(keep >= 1 && (Number.isInteger(keep) || keep === Number.POSITIVE_INFINITY) && residual >= 0 && residual < 1)) {
    const got = `${keep} and ${residual}`;
    throw new InputError(`pursuit must be the most atoms a sample may use, and the residual to reach; got ${got}.`);
  }
  return { ...(Number.isFinite(keep) && { keep }), ...(residual > 0 && { residual }) };
}

/** Parses the metadata, which is optional, for atoms saved by another program; if present, it must be what this program writes. */
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
