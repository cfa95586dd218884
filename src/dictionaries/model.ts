/** A model: a dictionary, and how it was learned. Files hold models, and so does the result of `learn`. */
import { InputError } from '../core/errors.ts';
import type { Precision } from '../core/matrix.ts';
import { quoted } from '../core/printable.ts';
import type { PatchShape } from '../engine/source/source.ts';
import type { Dictionary } from './dictionary.ts';

/** Version of the metadata in a model file. */
export const MODEL_FORMAT = 1;

/** Metadata of the run that made a model. */
export interface ModelMeta {
  readonly format: number;
  readonly method?: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly status?: string | undefined;
  /** Precision of the numbers in a file. */
  readonly precision?: Precision | undefined;
  /** Number of features, or their names. */
  readonly features?: number | readonly string[] | undefined;
  /** Share of the samples' energy in the codes of every atom. */
  readonly energies?: readonly number[] | undefined;
  /** Shape of the patches, if the atoms are patches of pictures. */
  readonly patch?: PatchShape | undefined;
  readonly [detail: string]: unknown;
}

/** A dictionary, and how it was learned. */
export interface Model {
  readonly dictionary: Dictionary;
  readonly meta: ModelMeta;
  /** Remark on how samples are encoded, if the file holds atoms that are not orthonormal and no encoder. */
  readonly remark?: string | undefined;
}

/** Rounds energies to six digits, as a model stores them. */
export const roundedShares = (energies: Float64Array): number[] =>
  Array.from(energies, (share) => Number(share.toPrecision(6)));

/** Returns the names of the features; feature1, feature2, … if the samples had none. */
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
