/**
 * The score ψ = −f′/f of every atom's codes, fitted to a histogram of them. Over functions g_k, ψ̂ = Σ c_k g_k has the least
 * E (ψ̂ − ψ)² where
 *
 *     E[g gᵀ] c = E[g′],      as E[ψ g] = E[g′] for the score of any density
 *
 * (Pham and Garat 1997): ψ itself need not be known. Light tails, heavy tails, several peaks and skewness are all one
 * case. The first function of g is x, the ψ of the normal distribution, and the fit is of the difference from it; a penalty
 * that fades with the number of samples keeps it small where the data is too weak.
 */
import { fromRows, type Matrix64, row, zeros } from '../../../core/matrix.ts';
import type { Kernels } from '../../../kernels/kernels.ts';
import { solveSymmetric } from '../../../linalg/cholesky.ts';
import { GRID, INTERVALS, WIDTH } from './score-correlation.ts';

const clipped = (x: number, most: number): number => Math.min(Math.max(x, -most), most);
const bell = (x: number): number => Math.exp((-x * x) / 2);

/** Functions g: odd ones for the tails and the peak, even ones for skewness. */
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

/** Weight of the penalty in samples; its least share of E g². */
const PENALTY = { samples: 5, least: 1e-8 };

/** Evaluates a function on the grid, constant in the outermost intervals. */
const onGrid = (g: (x: number) => number): Float64Array =>
  GRID.map((_, b) => g(GRID[Math.min(Math.max(b, 1), INTERVALS - 1)]));

const SIZE = FUNCTIONS.length;
/** Index of the moment E[g_k g_l], l ≤ k, among those of an atom; the E[g_k′] follow them. */
const productAt = (k: number, l: number): number => (k * (k + 1)) / 2 + l;
const SLOPES_AT = productAt(SIZE, 0);

interface Tables {
  /** g on the grid, a row per function. */
  readonly values: Matrix64;
  /** Contribution of every interval to every moment: counts × this. */
  readonly moments: Matrix64;
}

let made: Tables | undefined;

/** Makes the tables on first use: they take a few milliseconds. */
function tables(): Tables {
  if (made) return made;
  const values = fromRows(FUNCTIONS.map(onGrid));
  const rows = FUNCTIONS.map((_, k) => row(values, k));
  const moments = zeros(SLOPES_AT + SIZE, INTERVALS);
  for (let b = 0; b < INTERVALS; b++) {
    const middle = rows.map((g) => (g[b] + g[b + 1]) / 2);
    for (let k = 0; k < SIZE; k++) {
      moments.data[(SLOPES_AT + k) * INTERVALS + b] = (rows[k][b + 1] - rows[k][b]) / WIDTH;
      for (let l = 0; l <= k; l++) moments.data[productAt(k, l) * INTERVALS + b] = middle[k] * middle[l];
    }
  }
  made = { values, moments };
  return made;
}

/** Returns the same score for all atoms. */
export function commonScores(atoms: number, g: (x: number) => number): Matrix64 {
  return fromRows(new Array<Float64Array>(atoms).fill(onGrid(g)));
}

/** Returns ψ̂ of every atom on the grid. `counts`: codes in every interval, K×INTERVALS. */
export function fitScores(counts: Float64Array, samples: number, kernels: Kernels): Matrix64 {
  const atoms = counts.length / INTERVALS;
  const { values, moments: ofIntervals } = tables();
  const inIntervals = { rows: atoms, cols: INTERVALS, data: counts };
  const moments = kernels.multiply(inIntervals, ofIntervals, 'nt', undefined, 1 / samples);
  const coefficients = zeros(atoms, SIZE);
  for (let i = 0; i < atoms; i++) row(coefficients, i).set(scoreCoefficients(row(moments, i), samples));
  return kernels.multiply(coefficients, values);
}

/** Solves for c from the moments of an atom. */
function scoreCoefficients(moments: Float64Array, samples: number): Float64Array {
  const products = zeros(SIZE, SIZE);
  const right = zeros(SIZE, 1);
  const penalty = Math.max(PENALTY.samples / samples, PENALTY.least);
  for (let k = 0; k < SIZE; k++) {
    // the unknown is the difference from c = (1, 0, …, 0)
    right.data[k] = moments[SLOPES_AT + k] - moments[productAt(k, 0)];
    for (let l = 0; l <= k; l++) {
      const product = moments[productAt(k, l)];
      products.data[k * SIZE + l] = product;
      products.data[l * SIZE + k] = product;
    }
    products.data[k * SIZE + k] += penalty * (moments[productAt(k, k)] + penalty);
  }
  const c = solveSymmetric(products, right)?.data ?? new Float64Array(SIZE);
  c[0] += 1;
  return c;
}

/** Returns E ψ′ of every atom. */
export function meanSlopes(scores: Matrix64, counts: Float64Array, samples: number): Float64Array {
  return Float64Array.from({ length: scores.rows }, (_, i) => {
    const score = row(scores, i);
    let sum = 0;
    for (let b = 0; b < INTERVALS; b++) sum += counts[i * INTERVALS + b] * (score[b + 1] - score[b]);
    return sum / WIDTH / samples;
  });
}

/** Distance of the codes from normal: Σ_i h(N(0,1)) − h(x_i), with the entropies h of the histograms. */
export function negentropy(counts: Float64Array, samples: number): number {
  let sum = 0;
  for (const count of counts) if (count > 0) sum += (count / samples) * Math.log(count / samples / WIDTH);
  return sum + ((counts.length / INTERVALS) * Math.log(2 * Math.PI * Math.E)) / 2;
}
