/**
 * A coreset: few weighted samples on which ‖X‖_q^q is nearly that of all samples, for every A. Early steps need no more.
 *
 *     score_s = (Σ_j z_sj²/√λ_j)^(q/2)        in principal directions j, λ the eigenvalues of ZᵀZ/p
 *     π_s = min(1, c·score_s),  Σπ = k        the share of sample s; k samples are wanted
 *     kept: y_s π_s^(−1/q)                    where the running sum of π passes a whole number
 *
 * so that Σ|x|^q keeps its expectation, and samples that matter to it, or to directions of little energy, are kept more
 * often. c is found from some of the samples. The rows kept are in memory, conditioned. Scores are divided by a common
 * unit, which keeps their powers in range.
 */
import { breather } from '../core/breathe.ts';
import { identity, type Matrix, type Matrix64, type Precision, scaleRows, stackRows } from '../core/matrix.ts';
import { shareMatrix } from '../core/shared-memory.ts';
import { definePass } from '../engine/pass.ts';
import { memorySource } from '../engine/source/memory.ts';
import type { Conditioning, Kernels } from '../kernels/kernels.ts';
import { eighWithPauses } from '../linalg/eigh.ts';
import { conditioned } from '../passes/conditioned.ts';
import type { Problem } from './problem.ts';

/** Shares of the samples in the coresets, smallest first; each has at least LEAST samples per atom. */
const SHARES = [1 / 16, 1 / 4] as const;
const LEAST = 8;
/** A coreset larger than this fraction of the next one, or of all samples, is not worth drawing. */
const LARGEST = 0.6;
/** Fewest samples per atom: below this the principal directions cost more than the coresets save. */
const WORTH = 20;
/** Most numbers in a coreset, so that it fits into memory however large the data is. */
const MOST_NUMBERS = 1 << 24;
/** Samples from which c is found. */
const SCORED = 2048;
/** Most samples that a chunk may contribute, as a multiple of its share of the samples wanted. */
const MOST_OF_WISH = 4;

/** Returns the numbers of samples wanted, ascending; none if coresets do not pay. */
export function coresetSizes({ samples, size, input }: Problem): number[] {
  if (samples < WORTH * size) return [];
  const most = Math.floor(MOST_NUMBERS / input.source.cols);
  const wishes = SHARES.map((share) => Math.min(most, Math.max(Math.ceil(share * samples), LEAST * size)));
  return wishes.filter((rows, k) => rows >= LEAST * size && rows <= LARGEST * (wishes[k + 1] ?? samples));
}

export interface CoresetParams {
  /** λ_j^(−1/4) times principal direction j, K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** q */
  readonly norm: number;
}

/** The score of every sample, p×1. */
export const scoresPass = definePass<CoresetParams, Matrix64>(import.meta.url, {
  name: 'coreset-scores',
  contribute: ({ samples }, params, kernels) => {
    const scores = scoresOf(samples, params, kernels);
    return { rows: scores.length, cols: 1, data: scores };
  },
  add: stackRows,
  example: (samples) => ({ params: example(samples) }),
});

/** The samples kept, weighted and conditioned. */
export const coresetPass = definePass<
  CoresetParams & {
    /** c */
    readonly factor: number;
    /** Largest share of the samples of a chunk that may be kept: c may be wrong for it. */
    readonly most: number;
    readonly precision: Precision;
  },
  Matrix
>(import.meta.url, {
  name: 'coreset',
  contribute({ samples, index }, params, kernels) {
    const { norm, factor, most, conditioning, precision } = params;
    const wishes = scoresOf(samples, params, kernels).map((score) => Math.min(1, factor * score));
    const fit = Math.min(1, (most * samples.rows) / wishes.reduce((sum, wish) => sum + wish, 0));
    const shares = wishes.map((wish) => fit * wish);
    const kept = passingWholeNumbers(shares, (index * GOLDEN) % 1);
    const Y = conditioned(samples, conditioning);
    const data = precision === 'f32' ? new Float32Array(kept.length * Y.cols) : new Float64Array(kept.length * Y.cols);
    kept.forEach((s, row) => {
      const weight = shares[s] ** (-1 / norm);
      for (let j = 0; j < Y.cols; j++) data[row * Y.cols + j] = Y.data[s * Y.cols + j] * weight;
    });
    return { rows: kept.length, cols: Y.cols, data };
  },
  add: stackRows,
  example: (samples) => ({ params: { ...example(samples), factor: 0.01, most: 0.5, precision: 'f32' } }),
});

const example = ({ cols }: Matrix): CoresetParams => ({ atoms: identity(cols), conditioning: { scale: 1 }, norm: 4 });

/**
 * Distance (mod 1) between the starts of the running sum of successive chunks: spread evenly over [0, 1), so that no chunk is always
 * rounded down.
 */
const GOLDEN = 0.6180339887498949;

function scoresOf(samples: Matrix, { atoms, conditioning, norm }: CoresetParams, kernels: Kernels): Float64Array {
  const X = kernels.project(samples, atoms, conditioning, 'f64');
  return Float64Array.from({ length: X.rows }, (_, s) => {
    let sum = 0;
    for (let at = s * X.cols; at < (s + 1) * X.cols; at++) sum += X.data[at] * X.data[at];
    return sum ** (norm / 2);
  });
}

function passingWholeNumbers(shares: Float64Array, start: number): number[] {
  const kept: number[] = [];
  let sum = start;
  shares.forEach((share, s) => {
    const next = sum + share;
    if (Math.floor(next) > Math.floor(sum)) kept.push(s);
    sum = next;
  });
  return kept;
}

/** Draws the problem on coresets of these sizes, in their order, each from the next larger one. */
export async function coresets(
  problem: Problem,
  sizes: readonly number[],
  norm: number,
  precision: Precision,
): Promise<Problem[]> {
  const atoms = await directions(problem);
  const drawn: Problem[] = [];
  let from = problem;
  for (const rows of sizes.toReversed()) {
    from = await draw(from, atoms, rows, norm, precision);
    drawn.unshift(from);
  }
  return drawn;
}

/** λ_j^(−1/4) v_j as rows, in working coordinates, in units that make the sum of squares 1 on average. */
async function directions({ gram, kernels, samples, input }: Problem): Promise<Matrix64> {
  const { values, vectors } = await eighWithPauses(gram, kernels, breather(input.signal));
  const least = Number.EPSILON * values[0];
  const deviations = values.map((value) => Math.sqrt(Math.max(value, least) / samples));
  const unit = deviations.reduce((sum, deviation) => sum + deviation, 0); // the mean of Σ z²/√λ
  return scaleRows(
    vectors,
    deviations.map((deviation) => 1 / Math.sqrt(deviation * unit)),
  );
}

async function draw(
  problem: Problem,
  atoms: Matrix64,
  rows: number,
  norm: number,
  precision: Precision,
): Promise<Problem> {
  const some = problem.spread(SCORED);
  const { data: scores } = await some.sum(scoresPass, atoms, { norm });
  const share = rows / problem.samples;
  const factor = factorFor(scores, share * scores.length);
  const kept = await problem.sum(coresetPass, atoms, { norm, factor, most: MOST_OF_WISH * share, precision });
  if (kept.rows < LEAST * problem.size) return problem; // one sample outweighs all others
  return problem.on(memorySource(shareMatrix(kept)));
}

/** Returns c with Σ min(1, c·score) = wanted; the sum is smaller if most scores are zero. */
function factorFor(scores: Float64Array, wanted: number): number {
  const largest = scores.reduce((most, score) => Math.max(most, score), 0);
  if (largest === 0) return 0;
  let [low, high] = [0, 1 / largest];
  const reached = (factor: number) => scores.reduce((sum, score) => sum + Math.min(1, factor * score), 0);
  for (let step = 0; step < DOUBLINGS && reached(high) < wanted; step++) [low, high] = [high, 2 * high];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (reached(middle) < wanted) low = middle;
    else high = middle;
  }
  return high;
}

const DOUBLINGS = 200;
const HALVINGS = 40;
