/**
 * Sparse principal components of samples: m unit loadings with few non-zeros that explain much of the variance.
 *
 *     samples -> R, few rows of the same second moments (moments.ts) -> U maximising F (givens.ts, gpower.ts; γ: choose-gamma.ts)
 *             -> loadings and what they explain (components.ts) -> scores
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix, type Matrix64, row, zeros } from '../../core/matrix.ts';
import type { Executor } from '../../engine/executor.ts';
import { inlineExecutor } from '../../engine/inline.ts';
import { memorySource } from '../../engine/memory.ts';
import type { Source } from '../../engine/source.ts';
import type { Progress, Status } from '../../engine/stop.ts';
import { selectKernels } from '../../kernels/select.ts';
import { fitNonzeros } from './choose-gamma.ts';
import { type Components, componentsOf, describeLoadings, loadingsOf } from './components.ts';
import type { Fit, FitRun, Fitter } from './fit.ts';
import { fitByGivens } from './givens.ts';
import { deflate, fitByGPower } from './gpower.ts';
import { sampleMoments } from './moments.ts';
import {
  requireShape,
  type SparsePcaMethod,
  type SparsePcaOptions,
  type SparsePcaSettings,
  settleSparsePcaOptions,
  WHO,
} from './options.ts';
import { scoreChunks } from './scores.ts';

export interface SparsePcaRun {
  /** Default: the calling thread with the fastest kernels there are. */
  readonly executor?: Executor | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface SparsePcaResult extends Components {
  /** p×m. */
  readonly scores: Matrix64;
  /** Subtracted from the samples; zeros with `center: 'none'`. */
  readonly mean: Float64Array;
  /**
   * At the end, what was maximised: F, or Σ‖top_K(P_i)‖² with `nonzeros`; with deflation the sum over components, each of its own
   * deflated samples.
   */
  readonly objective: number;
  readonly method: SparsePcaMethod;
  readonly status: Status;
  readonly reason: string;
  /** Of all thresholds that were tried. */
  readonly iterations: number;
  readonly samples: number;
  readonly features: number;
  readonly seconds: number;
}

export async function sparsePca(
  samples: Matrix | Source,
  options: SparsePcaOptions,
  run: SparsePcaRun = {},
): Promise<SparsePcaResult> {
  const started = performance.now();
  const settings = settleSparsePcaOptions(options);
  const source = 'data' in samples ? memorySource(samples) : samples;
  const { rows, cols } = source;
  const { components, method, center, maxIterations, tolerance, seed } = settings;
  requireShape(settings, cols);
  if (components > rows) throw inputError(WHO, 'components', `at most the number of samples, ${rows}`, components);
  const executor = run.executor ?? inlineExecutor(await selectKernels('auto'));
  const { R, unit, mean } = await sampleMoments(source, center === 'mean', components, executor, run.signal);
  const { signal } = run;
  const onProgress = run.onProgress && inUnits(run.onProgress, unit);
  const fitRun = { kernels: executor.kernels, maxIterations, tolerance, seed, signal, onProgress };
  const found =
    method === 'gpower-deflation'
      ? await fitDeflating(R, unit, settings, fitRun)
      : await fitTogether(method === 'givens' ? fitByGivens : fitByGPower, R, unit, settings, fitRun);
  const scores = zeros(rows, components);
  let filled = 0;
  for await (const chunk of scoreChunks(source, mean, found.components.loadings)) {
    scores.data.set(chunk.data, filled);
    filled += chunk.data.length;
  }
  const { objective, status, reason, iterations } = found.fit;
  return {
    ...found.components,
    scores,
    mean,
    objective: objective * unit ** 2,
    method,
    status,
    reason,
    iterations,
    samples: rows,
    features: cols,
    seconds: (performance.now() - started) / 1000,
  };
}

/** Objectives as the samples have them, not divided by the square of `unit`. */
function inUnits(report: (progress: Progress) => void, unit: number): (progress: Progress) => void {
  return (progress) => report({ ...progress, objective: progress.objective * unit ** 2 });
}

interface Found {
  readonly fit: Pick<Fit, 'objective' | 'status' | 'reason' | 'iterations'>;
  readonly components: Components;
}

async function fitTogether(
  fitter: Fitter,
  R: Matrix64,
  unit: number,
  settings: SparsePcaSettings,
  run: FitRun,
): Promise<Found> {
  const fit = await fitFor(fitter, R, settings.components, unit, settings, run);
  return { fit, components: componentsOf(R, fit, unit) };
}

async function fitDeflating(R: Matrix64, unit: number, settings: SparsePcaSettings, run: FitRun): Promise<Found> {
  const { components } = settings;
  const loadings = zeros(components, R.cols);
  const gammas = new Float64Array(components);
  let rest = R;
  let sum = { objective: 0, status: 'converged' as Status, reason: '', iterations: 0 };
  for (let i = 0; i < components && sum.status !== 'aborted'; i++) {
    const fit = await fitFor(fitByGPower, rest, 1, unit, settings, run);
    loadings.data.set(loadingsOf(fit).data, i * R.cols);
    gammas[i] = fit.gammas[0];
    rest = deflate(rest, row(loadings, i));
    const status = fit.status === 'converged' ? sum.status : fit.status;
    const iterations = sum.iterations + fit.iterations;
    sum = { objective: sum.objective + fit.objective, status, reason: fit.reason, iterations };
  }
  return { fit: sum, components: describeLoadings(R, loadings, gammas, unit) };
}

function fitFor(
  fitter: Fitter,
  R: Matrix64,
  components: number,
  unit: number,
  { gamma, nonzeros }: SparsePcaSettings,
  run: FitRun,
): Promise<Fit> {
  if (nonzeros !== undefined) return fitNonzeros(fitter, R, components, nonzeros, run);
  return fitter(R, new Float64Array(components).fill(gamma! / unit), run);
}
