/**
 * Clusters of samples, as Gaussians of equal variance. Means, weights and variance come from moments (moments.ts),
 * whose tensor is decomposed by plane rotations. If they do not determine the mixture (doubt.ts), it is repaired with
 * the samples (repair.ts). Expectation maximisation then finds the nearest maximum of the likelihood.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix, type Matrix64, selectRows } from '../../core/matrix.ts';
import { requireFiniteMatrix } from '../../core/require-matrix.ts';
import { largestMagnitude, requireScale } from '../../core/scale.ts';
import { sourceOf } from '../../engine/memory.ts';
import { readAll } from '../../engine/read-all.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import type { Source } from '../../engine/source.ts';
import type { Status } from '../../engine/stop.ts';
import { decomposeTensor } from '../tensor/learn-tensor.ts';
import { tensorDefaults } from '../tensor/options.ts';
import { doubtAbout, strayWords } from './doubt.ts';
import { maximiseLikelihood } from './expectation-maximisation.ts';
import { type Assigned, assign, type Mixture } from './membership.ts';
import { whitenedMixture } from './moments.ts';
import { type MixtureOptions, type MixtureSettings, mixtureOptions, requireClusters } from './options.ts';
import { repairMixture } from './repair.ts';

/** A mixture, the clusters of the samples, and how they were learned. */
export interface MixtureResult extends Mixture, Assigned {
  /** The estimate by moments, before it was repaired and the likelihood was maximised. */
  readonly byMoments: Mixture;
  /** Clusters that were moved because the moments did not determine them. */
  readonly repaired: number;
  /** What the repair did and why, or that it was not needed. */
  readonly repair: string;
  /** `exhausted`: the means still moved in the last step. */
  readonly status: Status;
  readonly reason: string;
  /** Steps of expectation maximisation. */
  readonly iterations: number;
  readonly samples: number;
  readonly features: number;
  readonly seconds: number;
}

/**
 * Learns a mixture of spherical Gaussians: by moments, then by maximum likelihood.
 * An abort before the moments gave an estimate throws the signal's reason.
 */
export async function learnMixture(
  samples: Matrix | Source,
  options: MixtureOptions,
  runOptions: RunOptions = {},
): Promise<MixtureResult> {
  const who = 'learnMixture';
  const settings = mixtureOptions.settle(who, options);
  const source = sourceOf(who, samples);
  requireClusters(who, settings, source);
  const run = await Run.start(who, runOptions);
  run.begin('moments');
  const X = await readAll(source, run.signal, who);
  requireFiniteMatrix(who, 'samples', X);
  requireScale(who, 'samples', largestMagnitude(X.data), 2);
  const { third, unwhiten, independence, hash } = whitenedMixture(who, X, settings.clusters, run.kernels);
  await run.open({ data: hash, options: { model: 'mixture', ...settings } });
  const { starts, seed, refine } = settings;
  const found = await decomposeTensor(third, { ...tensorDefaults, starts, seed, start: undefined }, run);
  run.signal?.throwIfAborted();
  const byMoments = unwhiten(found.factors, found.weights);
  const { status, reason } = found;
  const doubt = doubtAbout(X, byMoments, independence);
  const strays = refine === 'none' ? strayWords(X, byMoments) : undefined;
  if (strays) throw inputError(who, 'refine', `auto, because by moments ${strays}`, 'none');
  const { mixture, ...end } =
    refine === 'none'
      ? { mixture: byMoments, status, reason, iterations: 0, ...withoutRepair(doubt) }
      : await maximise(X, byMoments, doubt, settings, run);
  const lost = end.status === 'aborted' ? undefined : strayWords(X, mixture);
  if (lost) throw inputError(who, 'clusters', `fewer, because ${lost}`, settings.clusters);
  const ordered = byWeight(mixture);
  return {
    ...ordered,
    ...assign(X, ordered),
    byMoments: byWeight(byMoments),
    ...end,
    samples: X.rows,
    features: X.cols,
    seconds: run.seconds,
  };
}

type Maximised = Pick<MixtureResult, 'status' | 'reason' | 'iterations' | 'repaired' | 'repair'> & {
  readonly mixture: Mixture;
};

/** `doubt`: why the start may be wrong, if there is a reason. */
async function maximise(
  X: Matrix64,
  start: Mixture,
  doubt: string | undefined,
  settings: MixtureSettings,
  run: Run,
): Promise<Maximised> {
  const { mixture, ...repair } = doubt ? await repaired(X, start, doubt, run) : { mixture: start, ...withoutRepair() };
  const { state, status, reason, iterations } = await maximiseLikelihood(X, mixture, settings.maxIterations, run);
  const { means, weights, variance } = state;
  const end = { means, weights, variance };
  const lost = doubt === undefined ? doubtAbout(X, end) : undefined;
  if (lost && status !== 'aborted') return maximise(X, end, lost, settings, run);
  return { mixture: end, status, reason, iterations, ...repair };
}

async function repaired(X: Matrix64, start: Mixture, doubt: string, run: Run) {
  const { mixture, repaired } = await repairMixture(X, start, run);
  const moved = repaired === 0 ? 'no cluster moved' : `${repaired} ${repaired === 1 ? 'cluster' : 'clusters'} moved`;
  return { mixture, repaired, repair: `${moved}: ${doubt}` };
}

const withoutRepair = (doubt?: string) => ({ repaired: 0, repair: doubt ? `not asked for: ${doubt}` : 'not needed' });

function byWeight({ means, weights, variance }: Mixture): Mixture {
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  return { means: selectRows(means, order), weights: Float64Array.from(order, (i) => weights[i]), variance };
}
