/**
 * Sparse principal components of samples: m unit loadings with few non-zeros that explain much of the variance.
 *
 *     samples -> R, few rows of the same second moments (moments.ts) -> U maximising F (givens.ts, gpower.ts; γ: choose-gamma.ts)
 *             -> loadings and what they explain (components.ts) -> scores
 */
import { demand } from '../../core/errors.ts';
import { hashNumbers } from '../../core/hash.ts';
import { type Matrix, type Matrix64, row, zeros } from '../../core/matrix.ts';
import { sourceOf } from '../../engine/memory.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import type { Source } from '../../engine/source.ts';
import type { Progress, Status } from '../../engine/stop.ts';
import { fitNonzeros } from './choose-gamma.ts';
import { type Components, componentsOf, describeLoadings, loadingsOf } from './components.ts';
import type { Fit, FitRun, Fitter } from './fit.ts';
import { fitByGivens } from './givens.ts';
import { deflate, fitByGPower } from './gpower.ts';
import { type Moments, sampleMoments } from './moments.ts';
import {
  requireShape,
  requireSparsity,
  type SparsePcaMethod,
  type SparsePcaOptions,
  type SparsePcaSettings,
  type Sparsity,
  sparsePcaOptions,
} from './options.ts';
import { scoreChunks } from './scores.ts';

/** Sparse components with their scores, and how they were learned. */
export interface SparsePcaResult extends Components {
  /** p×m. */
  readonly scores: Matrix64;
  /** Subtracted from the samples; zeros with `center: false`. */
  readonly mean: Float64Array;
  /**
   * The final objective: F, or Σ‖top_K(P_i)‖² with `nonzeros`; with deflation the sum over components, each for its own
   * deflated samples.
   */
  readonly objective: number;
  readonly method: SparsePcaMethod;
  readonly status: Status;
  readonly reason: string;
  /** Iterations over all thresholds tried. */
  readonly iterations: number;
  readonly samples: number;
  readonly features: number;
  readonly seconds: number;
}

/**
 * Learns sparse principal components: few non-zero loadings each, chosen by a threshold `gamma` or by their number
 * `nonzeros`.
 *
 * @example
 * ```js
 * import { compareSupports, generateSparseComponents, learnSparsePca } from 'orthodict';
 *
 * const data = generateSparseComponents({ samples: 500, features: 40, components: 3, nonzeros: 5, seed: 1 });
 * const { loadings } = await learnSparsePca(data.samples, { components: 3, nonzeros: 5 });
 * console.log(compareSupports(loadings, data.loadings).exact); // 3
 * ```
 */
export async function learnSparsePca(
  samples: Matrix | Source,
  options: SparsePcaOptions,
  runOptions: RunOptions = {},
): Promise<SparsePcaResult> {
  const who = 'learnSparsePca';
  const settings = sparsePcaOptions.settle(who, options);
  requireSparsity(who, settings);
  const source = sourceOf(who, samples);
  const { rows, cols } = source;
  const { components, method } = settings;
  requireShape(who, settings, cols);
  demand(components <= rows, who, 'components', `at most the number of samples, ${rows}`, components);
  const run = await Run.start(who, runOptions);
  const moments = await sampleMoments(source, settings.center, components, run);
  const data = `${rows}x${cols}-${hashNumbers([moments.mean, moments.R.data])}`;
  await run.open({ data, options: { model: 'sparse-pca', ...settings } });
  const { fit, found } = await fitComponents(moments, settings, run);
  const { status, reason, iterations } = fit;
  return {
    ...found,
    scores: await scoresOfAll(source, moments.mean, found.loadings),
    mean: moments.mean,
    objective: fit.objective * moments.unit ** 2,
    method,
    status,
    reason,
    iterations,
    samples: rows,
    features: cols,
    seconds: run.seconds,
  };
}

export interface Found {
  readonly fit: Pick<Fit, 'objective' | 'status' | 'reason' | 'iterations'>;
  readonly found: Components;
}

function fitComponents({ R, unit }: Moments, settings: SparsePcaSettings, run: Run): Promise<Found> {
  const { method, pairs, maxIterations, tolerance, seed } = settings;
  // objectives in the units of the samples
  const translate = (progress: Progress) => ({ ...progress, objective: progress.objective * unit ** 2 });
  const fitRun = { run, pairs, maxIterations, tolerance, seed, translate };
  if (method === 'gpower-deflation') return fitDeflating(R, unit, settings, fitRun);
  return fitTogether(method === 'givens' ? fitByGivens : fitByGPower, R, unit, settings, fitRun);
}

async function fitTogether(
  fitter: Fitter,
  R: Matrix64,
  unit: number,
  settings: SparsePcaSettings,
  run: FitRun,
): Promise<Found> {
  const fit = await fitFor(fitter, R, unit, settings, run);
  return { fit, found: componentsOf(R, fit, unit) };
}

async function fitDeflating(R: Matrix64, unit: number, settings: SparsePcaSettings, run: FitRun): Promise<Found> {
  const { components } = settings;
  const loadings = zeros(components, R.cols);
  const gammas = new Float64Array(components);
  let rest = R;
  let sum = { objective: 0, status: 'converged' as Status, reason: '', iterations: 0 };
  for (let i = 0; i < components && sum.status !== 'aborted'; i++) {
    const fit = await fitFor(fitByGPower, rest, unit, { ...settings, components: 1 }, run);
    loadings.data.set(loadingsOf(fit).data, i * R.cols);
    gammas[i] = fit.gammas[0];
    rest = deflate(rest, row(loadings, i));
    const status = fit.status === 'converged' ? sum.status : fit.status;
    const iterations = sum.iterations + fit.iterations;
    sum = { objective: sum.objective + fit.objective, status, reason: fit.reason, iterations };
  }
  return { fit: sum, found: describeLoadings(R, loadings, gammas, unit) };
}

/** R is in units of `unit`. */
export function fitFor(
  fitter: Fitter,
  R: Matrix64,
  unit: number,
  { components, gamma, nonzeros }: Sparsity,
  run: FitRun,
): Promise<Fit> {
  if (nonzeros !== undefined) return fitNonzeros(fitter, R, components, nonzeros, run);
  return fitter(R, new Float64Array(components).fill(gamma! / unit), run);
}

async function scoresOfAll(source: Source, mean: Float64Array, loadings: Matrix64): Promise<Matrix64> {
  const scores = zeros(source.rows, loadings.rows);
  let filled = 0;
  for await (const chunk of scoreChunks(source, mean, loadings)) {
    scores.data.set(chunk.data, filled);
    filled += chunk.data.length;
  }
  return scores;
}
