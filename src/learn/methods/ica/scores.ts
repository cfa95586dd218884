/**
 * The score ψ = −f′/f of every atom's codes, fitted to a histogram of them. Over functions g_k, ψ̂ = Σ c_k g_k has the least
 * E (ψ̂ − ψ)² where
 *
 *     E[g gᵀ] c = E[g′],      as E[ψ g] = E[g′] for the score of any density
 *
 * (Pham and Garat 1997): nothing of ψ itself need be known. Light tails, heavy tails, several peaks and skewness are all one
 * case. g has ψ of the normal distribution, x, as its first function, and what is fitted is the difference from it; a penalty
 * that fades with the number of samples keeps it small where they tell little.
 */
import { type Matrix64, row, zeros } from '../../../core/matrix.ts';
import { solveSymmetric } from '../../../linalg/cholesky.ts';
import { GRID, INTERVALS, WIDTH } from './score-correlation.ts';

const clipped = (x: number, most: number): number => Math.min(Math.max(x, -most), most);
const bell = (x: number): number => Math.exp((-x * x) / 2);

/** g: odd functions for the tails and the peak, even ones for what is skewed. */
const FUNCTIONS: ReadonlyArray<(x: number) => number> = [
  (x) => x,
  (x) => clipped(x, 4) ** 3,
  (x) => clipped(x, 3) ** 5,
  Math.tanh,
  (x) => Math.tanh(3 * x),
  (x) => x * bell(x),
  () => 1,
  (x) => clipped(x, 4) ** 2,
  bell,
  Math.abs,
];

/** Weight of the penalty in samples, and its least share of E g². */
const PENALTY = { samples: 5, least: 1e-8 };

/** A function on the grid, constant in the outermost intervals. */
const onGrid = (g: (x: number) => number): Float64Array =>
  GRID.map((_, b) => g(GRID[Math.min(Math.max(b, 1), INTERVALS - 1)]));

const VALUES = FUNCTIONS.map(onGrid);
const MIDDLES = VALUES.map((g) => Float64Array.from({ length: INTERVALS }, (_, b) => (g[b] + g[b + 1]) / 2));
const SLOPES = VALUES.map((g) => Float64Array.from({ length: INTERVALS }, (_, b) => (g[b + 1] - g[b]) / WIDTH));

/** The same score for all atoms. */
export function commonScores(atoms: number, g: (x: number) => number): Matrix64 {
  const scores = zeros(atoms, INTERVALS + 1);
  for (let i = 0; i < atoms; i++) row(scores, i).set(onGrid(g));
  return scores;
}

/** ψ̂ of every atom on the grid. `counts`: codes in every interval, K×INTERVALS. */
export function fitScores(counts: Float64Array, samples: number): Matrix64 {
  const atoms = counts.length / INTERVALS;
  const scores = zeros(atoms, INTERVALS + 1);
  for (let i = 0; i < atoms; i++) {
    const difference = differenceFromNormal(counts.subarray(i * INTERVALS, (i + 1) * INTERVALS), samples);
    const score = row(scores, i);
    score.set(VALUES[0]);
    for (let k = 0; k < VALUES.length; k++) addMultiple(score, difference[k], VALUES[k]);
  }
  return scores;
}

/** c − (1, 0, …, 0). */
function differenceFromNormal(counts: Float64Array, samples: number): Float64Array {
  const m = VALUES.length;
  const isOccupied = (count: number) => count > 0;
  const range = [counts.findIndex(isOccupied), counts.findLastIndex(isOccupied) + 1] as const;
  const products = zeros(m, m);
  const right = zeros(m, 1);
  const weighted = new Float64Array(INTERVALS);
  for (let k = 0; k < m; k++) {
    right.data[k] = sumOver(range, counts, SLOPES[k]) / samples;
    for (let b = range[0]; b < range[1]; b++) weighted[b] = counts[b] * MIDDLES[k][b];
    for (let l = 0; l <= k; l++) {
      const product = sumOver(range, weighted, MIDDLES[l]) / samples;
      products.data[k * m + l] = product;
      products.data[l * m + k] = product;
    }
  }
  const penalty = Math.max(PENALTY.samples / samples, PENALTY.least);
  for (let k = 0; k < m; k++) {
    right.data[k] -= products.data[k * m];
    products.data[k * m + k] += penalty * (products.data[k * m + k] + penalty);
  }
  return solveSymmetric(products, right)?.data ?? new Float64Array(m);
}

/** Σ g h over the intervals [start, end). */
function sumOver([start, end]: readonly [number, number], g: Float64Array, h: Float64Array): number {
  let sum = 0;
  for (let b = start; b < end; b++) sum += g[b] * h[b];
  return sum;
}

/** x ← x + c y */
function addMultiple(x: Float64Array, c: number, y: Float64Array): void {
  for (let b = 0; b < x.length; b++) x[b] += c * y[b];
}

/** E ψ′ of every atom. */
export function meanSlopes(scores: Matrix64, counts: Float64Array, samples: number): Float64Array {
  return Float64Array.from({ length: scores.rows }, (_, i) => {
    const score = row(scores, i);
    let sum = 0;
    for (let b = 0; b < INTERVALS; b++) sum += counts[i * INTERVALS + b] * (score[b + 1] - score[b]);
    return sum / WIDTH / samples;
  });
}

/** How far the codes are from normal: Σ_i h(N(0,1)) − h(x_i), with the entropies h of the histograms. */
export function negentropy(counts: Float64Array, samples: number): number {
  let sum = 0;
  for (const count of counts) if (count > 0) sum += (count / samples) * Math.log(count / samples / WIDTH);
  return sum + ((counts.length / INTERVALS) * Math.log(2 * Math.PI * Math.E)) / 2;
}
