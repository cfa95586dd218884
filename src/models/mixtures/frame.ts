/**
 * The coordinates in which mixtures are fitted: the mean sample is the origin, and a unit is the standard deviation, of
 * each feature if the covariances allow separate units, otherwise the root mean square over all features. A constant
 * feature has this common unit.
 *
 * No variance falls below a floor in these units. Clusters of their own variance could otherwise shrink to a single
 * sample, with infinite likelihood; one covariance for all is only kept from vanishing where samples repeat.
 */
import { hashNumbers } from '../../core/hash.ts';
import { type Matrix64, zeros } from '../../core/matrix.ts';
import { requireScale } from '../../core/scale.ts';
import type { Run } from '../../engine/run.ts';
import type { Source } from '../../engine/source/source.ts';
import { secondMomentsPass } from '../../passes/second-moments.ts';
import { surveyFinite } from '../../passes/survey.ts';
import type { MixtureData } from './expectation-maximisation.ts';
import { type Covariance, families } from './families.ts';

/** Least variance, relative to that of all samples. */
export const FLOOR = { shared: 1e-12, own: 1e-6 };
/** A deviation below this share of the mean, or of the common unit, is rounding. */
const CONSTANT = 1e-12;

/** Mean and covariance of all samples. */
export interface SampleMoments {
  readonly mean: Float64Array;
  /** d×d */
  readonly covariance: Matrix64;
  /** Identifies the samples: their shape and these moments. */
  readonly hash: string;
}

export async function meanAndCovariance(source: Source, { who, executor, signal }: Run): Promise<SampleMoments> {
  const { sum, largest } = await surveyFinite(who, source, executor, { signal });
  requireScale(who, 'samples', largest, 2);
  const mean = sum.map((value) => value / source.rows);
  const scale = 1 / (largest || 1);
  const { gram } = await executor.sum(secondMomentsPass, { conditioning: { offset: mean, scale } }, source, signal);
  const covariance = { ...gram, data: gram.data.map((value) => value / scale / scale / source.rows) };
  return { mean, covariance, hash: `${source.rows}x${source.cols}-${hashNumbers([mean, covariance.data])}` };
}

/** The data of a mixture with its frame; `scales` are the units of the features. */
export interface FramedData extends MixtureData {
  readonly scales: Float64Array;
}

export function framed(source: Source, moments: SampleMoments, kind: Covariance, run: Run): FramedData {
  const { shared, freeUnits } = families[kind];
  const { mean, covariance } = moments;
  const d = mean.length;
  const scales = unitsOf(moments, freeUnits);
  const scatter = zeros(d, d);
  for (let at = 0; at < d * d; at++) {
    scatter.data[at] = covariance.data[at] / scales[Math.floor(at / d)] / scales[at % d];
  }
  return {
    source,
    executor: run.executor,
    signal: run.signal,
    frame: { offset: mean, inverse: scales.map((scale) => 1 / scale) },
    scales,
    scatter,
    floor: shared ? FLOOR.shared : FLOOR.own,
  };
}

function unitsOf({ mean, covariance }: SampleMoments, freeUnits: boolean): Float64Array {
  const d = mean.length;
  const deviations = mean.map((_, c) => Math.sqrt(Math.max(0, covariance.data[c * d + c])));
  const rounding = mean.map((m) => CONSTANT * Math.abs(m));
  const varied = deviations.map((deviation, c) => (deviation > rounding[c] ? deviation : 0));
  const common = Math.sqrt(varied.reduce((sum, deviation) => sum + deviation ** 2, 0) / d);
  const unit = common || Math.max(...mean.map(Math.abs)) || 1;
  return varied.map((deviation) => (freeUnits && deviation > CONSTANT * unit ? deviation : unit));
}
