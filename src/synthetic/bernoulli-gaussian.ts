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
import { inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, type Precision, row, zeros } from '../core/matrix.ts';
import { createRandom } from '../core/random.ts';
import { randomDictionary } from './random-dictionary.ts';

export interface GenerateOptions {
  /** Number of samples p. */
  readonly samples: number;
  /** Number of features n, and of atoms. */
  readonly features: number;
  /** Probability θ that a code is non-zero, in (0, 1]. */
  readonly theta: number;
  /** Determines every random number; dictionary, codes, noise, outliers and corruption are independent streams. */
  readonly seed: number;
  /** Standard deviation of the normal noise added to every entry of samples. */
  readonly noise?: number;
  /**
   * Share of the samples replaced by dense normal vectors of the same expected energy: round(p · outliers) of them, at
   * random places. Their codes are zero, since they are not made of atoms.
   */
  readonly outliers?: number;
  /** Probability that ±1 (equally likely) is added to an entry of samples. */
  readonly corruption?: number;
  /**
   * Condition number of the dictionary, ≥ 1. 1: orthogonal, Haar distributed; above 1: unit atoms, singular values in
   * geometric progression.
   */
  readonly condition?: number;
  /** Precision of `samples`. */
  readonly precision?: Precision;
}

export const generateDefaults = Object.freeze({
  noise: 0,
  outliers: 0,
  corruption: 0,
  condition: 1,
  precision: 'f64',
} as const satisfies Partial<GenerateOptions>);

export interface GeneratedData {
  /** p×n. */
  readonly samples: Matrix;
  /** n×n, unit atoms as rows. */
  readonly atoms: Matrix64;
  /** p×n; samples = codes · atoms, before perturbation. */
  readonly codes: Matrix64;
}

type Settings = Required<GenerateOptions>;

/** Bernoulli-Gaussian samples with their dictionary and codes. */
export function generate(options: GenerateOptions): GeneratedData {
  const settings: Settings = { ...generateDefaults, ...options };
  validate(settings);
  const { features, seed, condition } = settings;
  const atoms = randomDictionary(features, condition, createRandom(seed, 'generate dictionary'));
  const codes = sparseCodes(settings);
  const outliers = outlierRows(settings);
  for (const j of outliers) row(codes, j).fill(0);
  const samples = combine(codes, atoms, settings.precision);
  addOutliers(samples, outliers, settings);
  addNoise(samples, settings);
  addCorruption(samples, settings);
  return { samples, atoms, codes };
}

function sparseCodes({ samples, features, theta, seed }: Settings): Matrix64 {
  const codes = allocate(samples, features);
  const random = createRandom(seed, 'generate codes');
  for (let at = 0; at < codes.data.length; at++) {
    if (random.uniform() < theta) codes.data[at] = random.normal();
  }
  return codes;
}

function allocate(samples: number, features: number): Matrix64 {
  try {
    return zeros(samples, features);
  } catch {
    throw inputError('generate', 'samples × features', 'small enough to fit in memory', `${samples} × ${features}`);
  }
}

/** Codes · atoms; costs only the non-zero codes. */
function combine(codes: Matrix64, atoms: Matrix64, precision: Precision): Matrix {
  const { rows, cols } = codes;
  const n = atoms.cols;
  const data = precision === 'f32' ? new Float32Array(rows * n) : new Float64Array(rows * n);
  const sample = new Float64Array(n);
  for (let j = 0; j < rows; j++) {
    sample.fill(0);
    for (let i = 0; i < cols; i++) {
      const x = codes.data[j * cols + i];
      if (x === 0) continue;
      for (let k = 0, at = i * n; k < n; k++, at++) sample[k] += x * atoms.data[at];
    }
    data.set(sample, j * n);
  }
  return { rows, cols: n, data };
}

/** round(p · outliers) distinct rows: the head of a random permutation. */
function outlierRows({ samples, outliers, seed }: Settings): Int32Array {
  const count = Math.round(samples * outliers);
  const random = createRandom(seed, 'generate outlier rows');
  const order = Int32Array.from({ length: samples }, (_, j) => j);
  for (let i = 0; i < count; i++) {
    const other = i + random.integer(samples - i);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order.subarray(0, count).sort();
}

function addOutliers(samples: Matrix, rows: Int32Array, { theta, seed }: Settings): void {
  const random = createRandom(seed, 'generate outliers');
  for (const j of rows) {
    const sample = row(samples, j);
    for (let k = 0; k < sample.length; k++) sample[k] = Math.sqrt(theta) * random.normal();
  }
}

function addNoise({ data }: Matrix, { noise, seed }: Settings): void {
  if (noise === 0) return;
  const random = createRandom(seed, 'generate noise');
  for (let at = 0; at < data.length; at++) data[at] += noise * random.normal();
}

function addCorruption({ data }: Matrix, { corruption, seed }: Settings): void {
  if (corruption === 0) return;
  const random = createRandom(seed, 'generate corruption');
  for (let at = 0; at < data.length; at++) {
    if (random.uniform() < corruption) data[at] += random.uniform() < 0.5 ? -1 : 1;
  }
}

function validate(settings: Settings): void {
  const { samples, features, theta, seed, noise, outliers, corruption, condition, precision } = settings;
  const demand = (ok: boolean, parameter: string, mustBe: string, got: unknown) => {
    if (!ok) throw inputError('generate', parameter, mustBe, got);
  };
  demand(Number.isSafeInteger(samples) && samples > 0, 'samples', 'a positive whole number', samples);
  demand(Number.isSafeInteger(features) && features > 0, 'features', 'a positive whole number', features);
  demand(theta > 0 && theta <= 1, 'theta', 'in (0, 1]', theta);
  demand(Number.isSafeInteger(seed), 'seed', 'a whole number', seed);
  demand(noise >= 0 && noise < Infinity, 'noise', 'a finite number ≥ 0', noise);
  demand(outliers >= 0 && outliers <= 1, 'outliers', 'in [0, 1]', outliers);
  demand(corruption >= 0 && corruption <= 1, 'corruption', 'in [0, 1]', corruption);
  demand(condition >= 1 && condition <= 1e12, 'condition', 'in [1, 1e12]', condition);
  demand(condition === 1 || features > 1, 'condition', '1 for a single feature', condition);
  demand(precision === 'f32' || precision === 'f64', 'precision', 'f32 or f64', precision);
}
