/**
 * Clusters of samples, as a mixture of Gaussians. Expectation maximisation starts from the likeliest of several starts
 * (starts.ts), one of them by moments (moments.ts), if they determine the mixture (doubt.ts): their tensor is decomposed by
 * plane rotations. If several numbers of clusters are given, the one with the smallest BIC is kept (choose-clusters.ts).
 */
import { inputError } from '../../core/errors.ts';
import type { Matrix, Precision } from '../../core/matrix.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import { sourceOf } from '../../engine/source/memory.ts';
import type { Source } from '../../engine/source/source.ts';
import { type Status, stopAfterIterations, stopWhenChangeBelow } from '../../engine/stop.ts';
import { decomposeTensor } from '../tensor/learn-tensor.ts';
import { tensorDefaults } from '../tensor/options.ts';
import { chooseClusters, type TriedClusters } from './choose-clusters.ts';
import { LEAST_INDEPENDENCE, LEAST_WEIGHT, strayWords } from './doubt.ts';
import { type MixtureData, mixtureAt } from './expectation-maximisation.ts';
import { labelPass } from './expectation-pass.ts';
import { type FramedData, framed, meanAndCovariance } from './frame.ts';
import { type Assigned, gathered } from './membership.ts';
import { whitenedMixture } from './moments.ts';
import type { MixtureOptions } from './option-types.ts';
import { type MixtureSettings, mixtureOptions, requireClusters } from './options.ts';
import { lastLoop, likeliestStart, type Part, partOf, type TriedStart } from './starts.ts';
import { byWeight, type Mixture, mapped, meanVarianceOf, naturalOf, parametersOf } from './statistics.ts';

/** A mixture, the clusters of the samples, and how they were learned. */
export interface MixtureResult extends Mixture, Assigned {
  /** The mean variance of a feature about the mean of its cluster: σ² if the covariance is `common`. */
  readonly variance: number;
  /** Bayesian information criterion, −2 ln p(samples) + (number of parameters) ln(number of samples); smaller is better. */
  readonly bic: number;
  /** The estimate by moments, with one variance for all; undefined if the moments do not determine it. */
  readonly byMoments?: Mixture | undefined;
  /** The starts of expectation maximisation, of which the likeliest is kept; empty for the estimate by moments. */
  readonly starts: readonly TriedStart[];
  /** Number of clusters that were moved to where one was missing, in the start that is kept. */
  readonly repaired: number;
  /** `exhausted`: the clusters still moved in the last step. */
  readonly status: Status;
  readonly reason: string;
  /** Steps of expectation maximisation over all samples, each one pass. */
  readonly iterations: number;
  /** All numbers of clusters that were tried, if there were several. */
  readonly tried?: readonly TriedClusters[] | undefined;
  readonly samples: number;
  readonly features: number;
  /** Precision of the samples, and of the model in a file. */
  readonly precision: Precision;
  readonly seconds: number;
}

type Settings = MixtureSettings & { readonly clusters: number };
type Fit = Omit<MixtureResult, 'tried' | 'precision' | 'seconds'>;

/**
 * Learns a mixture of Gaussians by maximum likelihood, from the likeliest of several starts.
 * An abort before there is an estimate throws the signal's reason.
 *
 * @example
 * ```js
 * import { generateMixture, learnMixture, metrics } from 'orthodict';
 *
 * const data = generateMixture({ samples: 2000, features: 10, clusters: 3, spread: 4, seed: 1 });
 * const { labels } = await learnMixture(data.samples, { clusters: 3 });
 * console.log(metrics.compareLabels(labels, data.labels).agreement); // 1
 * ```
 */
export async function learnMixture(
  samples: Matrix | Source,
  options: MixtureOptions,
  runOptions: RunOptions = {},
): Promise<MixtureResult> {
  const who = 'learnMixture';
  const settings = mixtureOptions.settle(who, options);
  const source = sourceOf(who, samples);
  const numbers = typeof settings.clusters === 'number' ? [settings.clusters] : settings.clusters;
  for (const clusters of numbers) requireClusters(who, clusters, settings, source);
  const run = await Run.start(who, runOptions);
  run.begin('moments');
  const moments = await meanAndCovariance(source, run);
  const data = framed(source, moments, settings.covariance, run);
  const part = await partOf(data, settings.covariance, Math.max(...numbers), run);
  await run.open({ data: moments.hash, options: { model: 'mixture', ...settings, clusters: numbers.join() } });
  const learnFor = (clusters: number) => fitMixture(data, part, { ...settings, clusters }, run);
  const found = numbers.length === 1 ? await learnFor(numbers[0]) : await chooseClusters(numbers, learnFor);
  return { ...found, precision: source.precision, seconds: run.seconds };
}

async function fitMixture(data: FramedData, part: Part, settings: Settings, run: Run): Promise<Fit> {
  const { decomposed, byMoments } = await estimateByMoments(data, part, settings, run);
  const { mixture, ...end } =
    settings.refine === 'none'
      ? { mixture: byMoments!, ...decomposed!, iterations: 0, repaired: 0, starts: [] }
      : await maximise(data, part, byMoments, settings, run);
  const empty = Array.from(mixture.weights).filter((w) => !(w * data.source.rows >= LEAST_WEIGHT)).length;
  if (empty > 0 && end.status !== 'aborted') {
    const words = `${empty} of ${settings.clusters} clusters had no samples, or a mean outside all samples`;
    throw inputError(run.who, 'clusters', `fewer, because ${words}`, settings.clusters);
  }
  const kept = part.whole ? part.data : data;
  const found = await assigned(kept, byWeight(mixture), data);
  return { ...found, byMoments: byMoments && outside(data, byMoments), ...end };
}

/** Estimates the mixture by moments. If they do not determine the means, returns none, or throws if nothing else was requested. */
async function estimateByMoments(data: FramedData, part: Part, settings: Settings, run: Run) {
  const { clusters, starts, seed, refine } = settings;
  const whitened = clusters <= data.source.cols ? await whitenedMixture(data, clusters) : undefined;
  if (refine === 'none' && !whitened) {
    throw inputError(run.who, 'clusters', 'fewer, because the means span too few dimensions', clusters);
  }
  const determined = whitened !== undefined && whitened.independence >= LEAST_INDEPENDENCE;
  if (!whitened || (refine !== 'none' && !determined)) return {};
  const tries = determined ? 1 : starts; // then there are no false maxima
  const decomposition = { ...tensorDefaults, starts: tries, seed, start: undefined };
  const found = await decomposeTensor(whitened.third, decomposition, run);
  run.signal?.throwIfAborted();
  const byMoments = whitened.unwhiten(found.factors, found.weights);
  const strays = strayWords(part.X, byMoments);
  if (strays && refine !== 'none') return {};
  if (strays) throw inputError(run.who, 'refine', `auto, because by moments ${strays}`, 'none');
  const { status, reason } = found;
  return { decomposed: { status, reason }, byMoments };
}

async function maximise(data: FramedData, part: Part, byMoments: Mixture | undefined, settings: Settings, run: Run) {
  const { covariance, maxIterations, tolerance } = settings;
  const start = await likeliestStart(part, byMoments, settings, run);
  const solver = await lastLoop(data, part, start, run);
  const stop = [stopWhenChangeBelow(tolerance), stopAfterIterations(maxIterations)];
  const loop = { stop, samplesPerStep: data.source.rows };
  const { state, status, reason, iterations } = await run.drive(solver, loop);
  const { repaired } = start;
  const starts = start.starts.map((one) => ({ ...one, logLikelihood: one.logLikelihood - logVolume(data.scales) }));
  return { mixture: mixtureAt(state, covariance, data), status, reason, iterations, repaired, starts };
}

/** The change of ln p from the frame to the coordinates of the samples. */
const logVolume = (scales: Float64Array): number => scales.reduce((sum, scale) => sum + Math.log(scale), 0);

/** The mixture in the coordinates of the samples, heaviest cluster first. */
const outside = ({ frame, scales }: FramedData, mixture: Mixture): Mixture =>
  byWeight(mapped(mixture, frame.offset, scales));

/** The mixture in the coordinates of the samples, with their clusters and their likelihood. */
async function assigned(data: MixtureData, mixture: Mixture, { frame: { offset }, scales }: FramedData) {
  const { source, executor, frame, scatter, described } = data;
  const { eta, restOf } = naturalOf(mixture);
  const parts = [];
  const params = { ...frame, covariance: mixture.covariance, eta, described: described !== undefined };
  for await (const part of executor.map(labelPass, params, source)) parts.push(part);
  const { labels, logSum } = gathered(parts);
  const logLikelihood = logSum / source.rows + restOf(scatter) - logVolume(scales);
  const given = mapped(mixture, offset, scales);
  return {
    ...given,
    variance: meanVarianceOf(given),
    labels,
    logLikelihood,
    bic: -2 * source.rows * logLikelihood + parametersOf(given) * Math.log(source.rows),
    samples: source.rows,
    features: mixture.means.cols,
  };
}
