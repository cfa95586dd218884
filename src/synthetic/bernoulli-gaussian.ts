/**
 * The standard model in the analysis of dictionary learning: Y = X D, samples and atoms as rows.
 *
 *     x_ji = Bernoulli(θ) · Normal(0, 1),   D: n×n unit rows, orthogonal (Haar) or of a given condition number
 *
 * plus three kinds of perturbation (Zhai, Mehta, Zhou & Ma, "Understanding ℓ4-based dictionary learning", 2020):
 *
 *     noise        Y + σ N,       N normal
 *     outliers     a share of the samples is dense: Normal(0, θ) entries, E‖y‖² = nθ like the others
 *     corruption   Y + B∘S,       B Bernoulli(β), S = ±1 with equal probability
 */
import { atOnce, breather, type Steps, withPauses } from '../core/breathe.ts';
import { demand, inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, type Precision, row, zeros } from '../core/matrix.ts';
import { defineOptions, number, type SettingsOf } from '../core/options.ts';
import { createRandom } from '../core/random.ts';
import type { GenerateOptions } from './option-types.ts';
import { amount, dataSeed, features, precision, samples, share, theta } from './options.ts';
import { randomDictionary } from './random-dictionary.ts';
import { randomOrder } from './random-order.ts';

/** The options of `generate`. */
export const generateOptions = defineOptions({
  samples,
  features,
  theta,
  noise: amount('S', 'standard deviation of the normal noise on every number', 0),
  // round(p · outliers) samples at random places; their codes are zero, since they are not made of atoms
  outliers: share('share of the samples replaced by dense normal ones of the same expected energy'),
  corruption: share('probability that +1 or -1 is added to a number'),
  condition: number(
    {
      placeholder: 'C',
      default: 1,
      mustBe: 'in [1, 1e12]',
      help: 'condition number of the dictionary (its singular values are in geometric progression); 1: orthogonal',
    },
    (condition) => condition >= 1 && condition <= 1e12,
  ),
  precision,
  // dictionary, codes, noise, outliers and corruption are independent streams
  seed: dataSeed,
});

type Settings = SettingsOf<typeof generateOptions.table>;

/** Samples with the dictionary and the codes that they were made of. */
export interface Generated {
  /** Samples, p×n. */
  readonly samples: Matrix;
  /** Unit atoms as rows, n×n. */
  readonly atoms: Matrix64;
  /** Codes, p×n; samples = codes · atoms, before perturbation. */
  readonly codes: Matrix64;
}

/**
 * Bernoulli-Gaussian samples with their dictionary and codes.
 *
 * @example
 * ```js
 * import { generate } from 'orthodict';
 *
 * const { samples, atoms } = generate({ samples: 1000, features: 10, theta: 0.3, seed: 1 });
 * console.log(samples.rows, samples.cols, atoms.rows); // 1000 10 10
 * ```
 */
export function generate(options: GenerateOptions): Generated {
  return atOnce(generateByRows('generate', options));
}

/**
 * Generates the same numbers as {@link generate}, with pauses in which a page stays responsive. If aborted, it throws the signal's
 * reason.
 *
 * @example
 * ```js
 * import { generateWithPauses } from 'orthodict/extend';
 *
 * const { samples } = await generateWithPauses({ samples: 1000, features: 10, theta: 0.3, seed: 1 });
 * console.log(samples.rows); // 1000
 * ```
 */
export async function generateWithPauses(options: GenerateOptions, signal?: AbortSignal): Promise<Generated> {
  const isSignal = signal === undefined || typeof signal?.throwIfAborted === 'function';
  demand(isSignal, 'generateWithPauses', 'signal', 'an AbortSignal', typeof signal);
  signal?.throwIfAborted();
  return withPauses(generateByRows('generateWithPauses', options), breather(signal));
}

/** Generates the data in small steps, each one row. */
function* generateByRows(who: string, options: GenerateOptions): Steps<Generated> {
  const settings = generateOptions.settle(who, options);
  const { features: n, seed, condition } = settings;
  demand(condition === 1 || n > 1, who, 'condition', '1 for a single feature', condition);
  const atoms = randomDictionary(n, condition, createRandom(seed, 'generate dictionary'));
  const codes = allocate(who, settings);
  yield* drawCodes(codes, settings);
  const outliers = outlierRows(settings);
  for (const j of outliers) row(codes, j).fill(0);
  const spoiled = yield* combine(codes, atoms, settings.precision);
  yield* addOutliers(spoiled, outliers, settings);
  yield* addNoise(spoiled, settings);
  yield* addCorruption(spoiled, settings);
  return { samples: spoiled, atoms, codes };
}

function* drawCodes({ rows, cols, data }: Matrix64, { theta: density, seed }: Settings): Steps<void> {
  const random = createRandom(seed, 'generate codes');
  for (let j = 0; j < rows; j++) {
    for (let at = j * cols; at < (j + 1) * cols; at++) {
      if (random.uniform() < density) data[at] = random.normal();
    }
    yield;
  }
}

function allocate(who: string, { samples: p, features: n }: Settings): Matrix64 {
  try {
    return zeros(p, n);
  } catch {
    throw inputError(who, 'samples × features', 'small enough to fit in memory', `${p} × ${n}`);
  }
}

/** Computes codes · atoms, at a cost of only the non-zero codes. */
function* combine(codes: Matrix64, atoms: Matrix64, wanted: Precision): Steps<Matrix> {
  const { rows, cols } = codes;
  const n = atoms.cols;
  const data = wanted === 'f32' ? new Float32Array(rows * n) : new Float64Array(rows * n);
  const sample = new Float64Array(n);
  for (let j = 0; j < rows; j++) {
    sample.fill(0);
    for (let i = 0; i < cols; i++) {
      const x = codes.data[j * cols + i];
      if (x === 0) continue;
      for (let k = 0, at = i * n; k < n; k++, at++) sample[k] += x * atoms.data[at];
    }
    data.set(sample, j * n);
    yield;
  }
  return { rows, cols: n, data };
}

/** Chooses round(p · outliers) distinct rows. */
function outlierRows({ samples: p, outliers, seed }: Settings): Int32Array {
  const count = Math.round(p * outliers);
  const order = randomOrder(p, count, createRandom(seed, 'generate outlier rows'));
  return Int32Array.from(order.slice(0, count)).sort();
}

function* addOutliers(to: Matrix, rows: Int32Array, { theta: density, seed }: Settings): Steps<void> {
  const random = createRandom(seed, 'generate outliers');
  for (const j of rows) {
    const sample = row(to, j);
    for (let k = 0; k < sample.length; k++) sample[k] = Math.sqrt(density) * random.normal();
    yield;
  }
}

function* addNoise({ rows, cols, data }: Matrix, { noise, seed }: Settings): Steps<void> {
  if (noise === 0) return;
  const random = createRandom(seed, 'generate noise');
  for (let j = 0; j < rows; j++) {
    for (let at = j * cols; at < (j + 1) * cols; at++) data[at] += noise * random.normal();
    yield;
  }
}

function* addCorruption({ rows, cols, data }: Matrix, { corruption, seed }: Settings): Steps<void> {
  if (corruption === 0) return;
  const random = createRandom(seed, 'generate corruption');
  for (let j = 0; j < rows; j++) {
    for (let at = j * cols; at < (j + 1) * cols; at++) {
      if (random.uniform() < corruption) data[at] += random.uniform() < 0.5 ? -1 : 1;
    }
    yield;
  }
}
