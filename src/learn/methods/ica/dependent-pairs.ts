/**
 * Finds pairs of atoms that have come to rest as mixtures of two sources, such as their sum and their difference: a local maximum
 * for some densities. Squares of the codes of such a pair are correlated. So every atom is paired with the one on which its squares
 * depend most, if they do, and if both codes are further from normal after a turn in their plane, the pair is turned.
 */
import { type Matrix64, row, transpose } from '../../../core/matrix.ts';
import type { Kernels } from '../../../kernels/kernels.ts';

export interface PlaneTurn {
  readonly i: number;
  readonly j: number;
  /** Atom i becomes cos·a_i + sin·a_j, atom j becomes cos·a_j − sin·a_i. */
  readonly angle: number;
}

/** Squares are clipped to this, so that outliers do not correlate all. */
const LARGEST_SQUARE = 9;
/** Least correlation of squares of a dependent pair, in units of 1/√p, that of independent codes of p samples. */
const DEPENDENT = 4;
/** Angles to try: a quarter of a turn brings a pair back to itself, up to order and sign. */
const ANGLES = [Math.PI / 8, Math.PI / 4, (3 * Math.PI) / 8];
/** Least gain in negentropy of a turn, in nats: chance gains less. */
const LEAST_GAIN = 0.03;
/** Bins of a histogram, over codes up to REACH. */
const BINS = 96;
const REACH = 6;
/**
 * Weights of neighbouring bins, as if normal noise of a quarter were added to the codes. Codes of few values have no entropy
 * otherwise: the bin edges between them would decide.
 */
const BLUR = Float64Array.from({ length: 13 }, (_, k) => Math.exp(-(((k - 6) / 2) ** 2) / 2));
const BLUR_SUM = BLUR.reduce((sum, weight) => sum + weight, 0);

/** Returns the turns that separate mixed pairs. `codes`: of some samples of white data, a column per atom. */
export function partingTurns(codes: Matrix64, kernels: Kernels): PlaneTurn[] {
  const byAtom = transpose(codes);
  const turns = disjointPairs(squareCorrelations(byAtom, kernels), DEPENDENT / Math.sqrt(codes.rows)).map(([i, j]) => {
    const [x, y] = [row(byAtom, i), row(byAtom, j)];
    let [best, angle] = [negentropyAt(x, y, 0) + LEAST_GAIN, 0];
    for (const candidate of ANGLES) {
      const found = negentropyAt(x, y, candidate);
      if (found > best) [best, angle] = [found, candidate];
    }
    return { i, j, angle };
  });
  return turns.filter(({ angle }) => angle > 0);
}

export function turned(atoms: Matrix64, turns: readonly PlaneTurn[]): Matrix64 {
  const next = { ...atoms, data: atoms.data.slice() };
  for (const { i, j, angle } of turns) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [a, b] = [row(atoms, i), row(atoms, j)];
    row(next, i).set(a.map((value, k) => c * value + s * b[k]));
    row(next, j).set(b.map((value, k) => c * value - s * a[k]));
  }
  return next;
}

/** Correlations of the squares of the codes, K×K. `codes`: a row per atom. */
function squareCorrelations(codes: Matrix64, kernels: Kernels): Matrix64 {
  const squares = { ...codes, data: codes.data.slice() };
  for (let i = 0; i < codes.rows; i++) centreSquares(row(squares, i));
  const gram = kernels.multiply(squares, squares, 'nt');
  const K = gram.rows;
  const sizes = Float64Array.from({ length: K }, (_, i) => Math.sqrt(gram.data[i * K + i]) || 1);
  return { ...gram, data: gram.data.map((g, at) => g / (sizes[Math.floor(at / K)] * sizes[at % K])) };
}

/** Replaces x by min(x², LARGEST_SQUARE) less its mean. */
function centreSquares(codes: Float64Array): void {
  let mean = 0;
  for (let j = 0; j < codes.length; j++) {
    codes[j] = Math.min(codes[j] ** 2, LARGEST_SQUARE);
    mean += codes[j] / codes.length;
  }
  for (let j = 0; j < codes.length; j++) codes[j] -= mean;
}

/** Pairs the atoms, each at most once, the most correlated first; leaves out correlations below `least`. */
function disjointPairs({ rows, data }: Matrix64, least: number): [number, number][] {
  const ranked: { i: number; j: number; size: number }[] = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < i; j++) {
      const size = Math.abs(data[i * rows + j]);
      if (size >= least) ranked.push({ i, j, size });
    }
  }
  ranked.sort((a, b) => b.size - a.size);
  const taken = new Set<number>();
  const pairs: [number, number][] = [];
  for (const { i, j } of ranked) {
    if (taken.has(i) || taken.has(j)) continue;
    taken.add(i).add(j);
    pairs.push([i, j]);
  }
  return pairs;
}

/** Returns the negentropy of both codes after a turn, up to a constant. */
function negentropyAt(x: Float64Array, y: Float64Array, angle: number): number {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const counts = new Float64Array(2 * BINS);
  for (let j = 0; j < x.length; j++) {
    counts[binOf(c * x[j] + s * y[j])]++;
    counts[BINS + binOf(c * y[j] - s * x[j])]++;
  }
  return (sumOfLogs(counts.subarray(0, BINS)) + sumOfLogs(counts.subarray(BINS))) / x.length;
}

/** Returns Σ c log c of blurred counts. */
function sumOfLogs(counts: Float64Array): number {
  const half = (BLUR.length - 1) / 2;
  let sum = 0;
  for (let bin = -half; bin < BINS + half; bin++) {
    let count = 0;
    for (let k = 0; k < BLUR.length; k++) count += BLUR[k] * (counts[bin + k - half] ?? 0);
    if (count > 0) sum += (count / BLUR_SUM) * Math.log(count / BLUR_SUM);
  }
  return sum;
}

const binOf = (code: number): number =>
  Math.min(Math.max(Math.floor((code + REACH) * (BINS / (2 * REACH))), 0), BINS - 1);
