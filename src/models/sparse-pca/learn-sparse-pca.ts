/**
 * Sparse principal components of samples: m unit loadings with few non-zeros that explain much of the variance.
 *
 *     samples -> R, few rows of the same second moments (moments.ts)
 *             -> loadings, by one of the methods (fit-components.ts), and what they explain (components.ts) -> scores
 */
import { demand } from '../../core/errors.ts';
import { hashNumbers } from '../../core/hash.ts';
import type { Matrix, Matrix64, Precision } from '../../core/matrix.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import { sourceOf } from '../../engine/source/memory.ts';
import type { Source } from '../../engine/source/source.ts';
import type { Progress, Status } from '../../engine/stop.ts';
import type { Components } from './components.ts';
import { fitComponents } from './fit-components.ts';
import { sampleMoments } from './moments.ts';
import type { SparsePcaOptions } from './option-types.ts';
import { requireShape, requireSparsity, type SparsePcaMethod, sparsePcaOptions } from './options.ts';
import { inPrecisionOf, scoreChunks } from './scores.ts';

/** Sparse components with their scores, and how they were learned. */
export interface SparsePcaResult extends Components {
  /** Scores, p×m, in the precision of the samples. */
  readonly scores: Matrix;
  /** Mean that was subtracted from the samples; zeros with `center: false`. */
  readonly mean: Float64Array;
  /**
   * What the method maximises. Method variance: the adjusted variance, less γ² per non-zero with `gamma`. The others: F, or
   * Σ‖top_K(P_i)‖² with `nonzeros`; with deflation the sum over components, each for its own deflated samples.
   */
  readonly objective: number;
  readonly method: SparsePcaMethod;
  readonly status: Status;
  readonly reason: string;
  /** Iterations over all thresholds tried. */
  readonly iterations: number;
  readonly samples: number;
  readonly features: number;
  /** Precision of the samples, and of the model in a file. */
  readonly precision: Precision;
  readonly seconds: number;
}

/**
 * Learns sparse principal components: few non-zero loadings each, chosen by a threshold `gamma`, by their number
 * `nonzeros` in every component, or by their number `totalNonzeros` in all together.
 *
 * @example
 * ```js
 * import { generateSparseComponents, learnSparsePca, metrics } from 'orthodict';
 *
 * const data = generateSparseComponents({ samples: 500, features: 40, components: 3, nonzeros: 5, seed: 1 });
 * const { loadings } = await learnSparsePca(data.samples, { components: 3, nonzeros: 5 });
 * console.log(metrics.compareSupports(loadings, data.loadings).exact); // 3
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
  const { rows, cols, precision } = source;
  const { components, method, pairs, maxIterations, tolerance, seed } = settings;
  requireShape(who, settings, cols);
  demand(components <= rows, who, 'components', `at most the number of samples, ${rows}`, components);
  const run = await Run.start(who, runOptions);
  const moments = await sampleMoments(source, settings.center, components, run);
  const data = `${rows}x${cols}-${hashNumbers([moments.mean, moments.R.data])}`;
  await run.open({ data, options: { model: 'sparse-pca', ...settings } });
  const { R, unit } = moments;
  // objectives in the units of the samples
  const translate = (progress: Progress) => ({ ...progress, objective: progress.objective * unit ** 2 });
  const fitRun = { run, pairs, maxIterations, tolerance, seed, translate };
  const { fit, found } = await fitComponents(R, unit, settings, fitRun);
  const { status, reason, iterations } = fit;
  return {
    ...found,
    scores: await scoresOfAll(source, moments.mean, found.loadings),
    mean: moments.mean,
    objective: fit.objective * unit ** 2,
    method,
    status,
    reason,
    iterations,
    samples: rows,
    features: cols,
    precision,
    seconds: run.seconds,
  };
}

async function scoresOfAll(source: Source, mean: Float64Array, loadings: Matrix64): Promise<Matrix> {
  const [rows, cols] = [source.rows, loadings.rows];
  const scores = new Float64Array(rows * cols);
  let filled = 0;
  for await (const chunk of scoreChunks(source, mean, loadings)) {
    scores.set(chunk.data, filled);
    filled += chunk.data.length;
  }
  return inPrecisionOf(source.precision, { rows, cols, data: scores });
}
