/**
 * Orthogonal decomposition of the third moment of samples, without forming it:
 *
 *     T = 1/p Σ_l z_l ⊗ z_l ⊗ z_l,     z = y, y − mean, or W (y − mean) with W = S^(−1/2) of the covariance S
 *
 * With whitening its factors are the unmixing directions of skewed independent components. Needs memory for two copies
 * of the samples in float64, 16 bytes per number.
 */
import { inputError } from '../../core/errors.ts';
import { rowsHash } from '../../core/hash.ts';
import { type Matrix, type Matrix64, type Precision, transpose } from '../../core/matrix.ts';
import { requireFiniteMatrix } from '../../core/require-matrix.ts';
import { largestMagnitude, requireScale } from '../../core/scale.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import { readAll, sourceOf } from '../../engine/source/memory.ts';
import type { Source } from '../../engine/source/source.ts';
import { eigh, symmetricPower } from '../../linalg/eigh.ts';
import { onThreadsOf } from '../../rotations/rotate-groups.ts';
import { type Decomposition, decomposeObjective } from './learn-tensor.ts';
import { momentObjective } from './moment-objective.ts';
import type { MomentsOptions } from './option-types.ts';
import { describeSettings, momentsOptions, requireStartMatrix } from './options.ts';

/** Factors of third moments, and the whitening they belong to. */
export interface MomentsResult extends Decomposition {
  /** Mean that was subtracted from the samples, with `center` or `whiten`. */
  readonly mean?: Float64Array | undefined;
  /** The whitening W, d×d, with `whiten`. */
  readonly whitening?: Matrix64 | undefined;
  readonly samples: number;
  readonly features: number;
  /** Precision of the samples, and of the model in a file. */
  readonly precision: Precision;
  readonly seconds: number;
}

/** A covariance whose smallest eigenvalue is below this share of the largest has no inverse. */
const SINGULAR = 1e-12;

/**
 * Orthogonal factors of the third moment of samples, which is never formed; with `whiten`, skewed independent
 * components.
 *
 * @example
 * ```js
 * import { learnMoments } from 'orthodict';
 *
 * const skewed = (i) => -Math.log(1 - ((i * 0.6180339887) % 1)) - 1; // an exponential distribution
 * const data = Float64Array.from({ length: 3000 * 2 }, (_, i) => skewed(i + 1));
 * const { factors } = await learnMoments({ rows: 3000, cols: 2, data }, { whiten: true });
 * console.log(factors.rows, factors.cols); // 2 2
 * ```
 */
export async function learnMoments(
  samples: Matrix | Source,
  options: MomentsOptions = {},
  runOptions: RunOptions = {},
): Promise<MomentsResult> {
  const who = 'learnMoments';
  const settings = momentsOptions.settle(who, options);
  const source = sourceOf(who, samples);
  requireStartMatrix(who, settings, source.cols);
  const run = await Run.start(who, runOptions);
  run.begin('moments');
  const { components, hash } = await componentMajor(source, run);
  const mean = settings.center || settings.whiten ? subtractMeans(components) : undefined;
  const whitening = settings.whiten ? inverseRoot(components, run) : undefined;
  const x = whitening ? run.kernels.multiply(whitening, components) : components;
  await run.open({ data: hash, options: { model: 'moments', ...describeSettings(settings) } });
  const threads = onThreadsOf(run.executor, run.signal);
  const objective = momentObjective(x, 1 / source.rows, run.kernels, threads);
  const found = await decomposeObjective(objective, settings, run);
  const { rows, cols, precision } = source;
  return { ...found, mean, whitening, samples: rows, features: cols, precision, seconds: run.seconds };
}

/** The samples as columns, and their hash. */
async function componentMajor(source: Source, run: Run): Promise<{ components: Matrix64; hash: string }> {
  const samples = await readAll(source, run.signal, run.who);
  requireFiniteMatrix(run.who, 'samples', samples);
  requireScale(run.who, 'samples', largestMagnitude(samples.data), 3);
  const rows = rowsHash();
  rows.add(samples);
  return { components: transpose(samples), hash: `${source.rows}x${source.cols}-${rows.text}` };
}

/** Subtracts the means in place; returns them. */
function subtractMeans({ rows, cols, data }: Matrix64): Float64Array {
  return Float64Array.from({ length: rows }, (_, k) => {
    const component = data.subarray(k * cols, (k + 1) * cols);
    const mean = component.reduce((sum, value) => sum + value, 0) / cols;
    for (let l = 0; l < cols; l++) component[l] -= mean;
    return mean;
  });
}

function inverseRoot(components: Matrix64, { who, kernels }: Run): Matrix64 {
  const covariance = kernels.multiply(components, components, 'nt');
  const data = covariance.data.map((value) => value / components.cols);
  const eigen = eigh({ ...covariance, data }, kernels);
  const rank = eigen.values.filter((value) => value > SINGULAR * eigen.values[0]).length;
  if (rank < components.rows) {
    throw inputError(who, 'samples', `of full rank ${components.rows} to be whitened`, `rank ${rank}`);
  }
  return symmetricPower(eigen, -0.5);
}
