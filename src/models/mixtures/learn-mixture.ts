/**
 * Clusters of samples, as Gaussians of equal variance. Means, weights and variance come from moments (moments.ts),
 * whose tensor is decomposed by plane rotations; expectation maximisation then finds the nearest maximum of the
 * likelihood.
 */
import { type Matrix, type Matrix64, selectRows } from '../../core/matrix.ts';
import { requireFiniteMatrix } from '../../core/require-matrix.ts';
import { sourceOf } from '../../engine/memory.ts';
import { readAll } from '../../engine/read-all.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import type { Source } from '../../engine/source.ts';
import type { Status } from '../../engine/stop.ts';
import { decomposeTensor } from '../tensor/learn-tensor.ts';
import { tensorDefaults } from '../tensor/options.ts';
import { maximiseLikelihood } from './expectation-maximisation.ts';
import { type Assigned, assign, type Mixture } from './membership.ts';
import { whitenedMixture } from './moments.ts';
import { type MixtureOptions, type MixtureSettings, mixtureOptions, requireClusters } from './options.ts';

/** A mixture, the clusters of the samples, and how they were learned. */
export interface MixtureResult extends Mixture, Assigned {
  /** The estimate by moments, before the likelihood was maximised. */
  readonly byMoments: Mixture;
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
  const { third, unwhiten, hash } = whitenedMixture(who, X, settings.clusters, run.kernels);
  await run.open({ data: hash, options: { model: 'mixture', ...settings } });
  const { starts, seed, refine } = settings;
  const found = await decomposeTensor(third, { ...tensorDefaults, starts, seed, start: undefined }, run);
  run.signal?.throwIfAborted();
  const byMoments = unwhiten(found.factors, found.weights);
  const { status, reason } = found;
  const { mixture, ...end } =
    refine === 'none'
      ? { mixture: byMoments, status, reason, iterations: 0 }
      : await maximise(X, byMoments, settings, run);
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

async function maximise(X: Matrix64, start: Mixture, { maxIterations }: MixtureSettings, run: Run) {
  const { state, status, reason, iterations } = await maximiseLikelihood(X, start, maxIterations, run);
  const { means, weights, variance } = state;
  return { mixture: { means, weights, variance }, status, reason, iterations };
}

function byWeight({ means, weights, variance }: Mixture): Mixture {
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  return { means: selectRows(means, order), weights: Float64Array.from(order, (i) => weights[i]), variance };
}
