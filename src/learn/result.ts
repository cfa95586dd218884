/** Result of `learn`: a model that can be saved as it is. */
import type { Precision } from '../core/matrix.ts';
import { MODEL_FORMAT, type Model, type ModelMeta, roundedShares } from '../dictionaries/model.ts';
import type { PatchShape } from '../engine/source/source.ts';
import type { Status } from '../engine/stop.ts';
import type { Agreement } from '../metrics/agreement.ts';
import type { Evaluation } from '../metrics/evaluate.ts';
import { type Certainty, certaintyWords } from './certificate/certainty.ts';
import type { LearnSettings } from './methods/method.ts';
import { describeOptions } from './options.ts';
import type { PathStep } from './pipeline.ts';
import type { Remark } from './remarks.ts';
import type { StartReport } from './run-starts.ts';

/** A model, and the report of the run that learned it. */
export interface LearnResult extends Model {
  readonly settings: LearnSettings;
  readonly status: Status;
  /** Why the run ended, as text for the user. */
  readonly reason: string;
  readonly iterations: number;
  /** Passes over the data, including preparation and refinement. A pass over a part counts by its share. Rounded up. */
  readonly passes: number;
  /**
   * ‖X‖_q^q in the units of the samples (with `zca`: of the whitened samples) when exploring ended. If exploring used
   * only part of the samples: of the refined dictionary. NaN for methods without an objective.
   */
  readonly objective: number;
  /**
   * Divisor of the samples for which the objective is reported: 1, or a power of two if the objective of the samples
   * themselves could overflow or underflow.
   */
  readonly objectiveUnit: number;
  readonly refined: boolean;
  /** What the refinement did, or why it was skipped. */
  readonly refinement: string;
  /** The phases that the run took, in their order, with why each ended and what it cost. */
  readonly path: readonly PathStep[];
  /** Certainty of the atoms: certified by exact zeros, reproducible from two starts, or neither; absent: not checked. */
  readonly certainty?: Certainty | undefined;
  /** Remarks for the user on the result. */
  readonly remarks: readonly Remark[];
  /** The method in a few words. */
  readonly description: string;
  /** The share of the samples' energy (about the offset, if one is subtracted) in the codes of every atom, if known. */
  readonly energies?: Float64Array | undefined;
  /** Numbers that only this method reports. */
  readonly details: Readonly<Record<string, unknown>>;
  /** How each start ended, if there were several; the first is that of `seed`. */
  readonly starts?: readonly StartReport[] | undefined;
  /** Which of the learned atoms the starts agree on, if there were several. */
  readonly agreement?: Agreement | undefined;
  /** How well few codes describe the samples held out, if any; absent if the run was aborted. */
  readonly holdout?: Evaluation | undefined;
  /** Number of samples learned from. */
  readonly samples: number;
  readonly features: number;
  /** Precision of the saved model and of its codes: that of the samples, unless the option `precision` is f32 or f64. */
  readonly precision: Precision;
  /** Names of the features, if the samples have any. */
  readonly names?: readonly string[] | undefined;
  /** Shape of the patches, if the samples are patches of pictures. */
  readonly patch?: PatchShape | undefined;
  readonly seconds: number;
  readonly backend: string;
  readonly threads: number;
}

/** Returns the metadata of the run that a model stores. */
export function metaOf(result: Omit<LearnResult, 'meta'>): ModelMeta {
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

type Answers = Pick<LearnResult, 'certainty' | 'starts' | 'agreement' | 'holdout'>;

/**
 * Returns results beyond the run: whether atoms are certified, whether other starts find them, and how well they describe other
 * samples.
 */
export function answersOf({ certainty, starts, agreement, holdout }: Answers): Record<string, unknown> {
  const { atomUse, ...judged } = holdout ?? {};
  const sure = certainty && { certainty: certaintyWords(certainty), certified: certainty.certified };
  return { ...sure, ...(starts && { starts }), ...(agreement && { agreement }), ...(holdout && { holdout: judged }) };
}
