/**
 * Estimates from the histogram of an atom's code sizes z: the size of its zeros, the size of its non-zeros, and whether the
 * two can be distinguished at all.
 *
 *     level   s = 1.4826 · median of the z below 3s, iterated from the plain median: noise level of the zero entries
 *     signal  σ = root mean square of the z above 3s
 *     spike and slab   (1−θ) N(0, s²) + θ N(0, σ²), fitted by expectation-maximisation
 *     one shape        generalised Gaussian c·exp(−|z/a|^q), the best q of a grid: heavy tails without a gap
 *
 * Codes of a sparse model prefer the spike and slab by a wide margin; codes of photographs or digits do not.
 */
import { HISTOGRAM_BINS, histogramEdge } from '../../kernels/kernels.ts';

const NORMAL_CONSISTENCY = 1.4826;
const ZERO_CUT = 3;
const EXACT_CUT = 0.01;

const EDGES = Float64Array.from({ length: HISTOGRAM_BINS + 1 }, (_, bin) => (bin === 0 ? 0 : histogramEdge(bin)));
/** Representative size of every bin; next: its square. */
const SIZE = Float64Array.from({ length: HISTOGRAM_BINS }, (_, bin) => (EDGES[bin] + EDGES[bin + 1]) / 2);
const SQUARE = SIZE.map((z) => z * z);

/** The occupied bins of a histogram, with their counts. */
interface Bins {
  readonly index: Uint16Array;
  readonly count: Float64Array;
  readonly total: number;
}

export interface AtomDistribution {
  /** s, noise level of the zeros. */
  readonly level: number;
  /** σ, size of the non-zeros. */
  readonly signal: number;
  /** Share of the non-zeros among all codes. */
  readonly share: number;
  /** Threshold below which codes are zeros. */
  readonly cut: number;
}

/** Describes the codes of every atom. `first`: see `zeroLevel`. */
export function describeAtoms(counts: Float64Array, first?: number): AtomDistribution[] {
  return histograms(counts).map((histogram) => {
    const level = zeroLevel(cumulated(histogram), first);
    const { signal } = nonZeros(histogram, ZERO_CUT * level);
    // exact zeros leave only rounding errors, whose tails are long
    const cut = Math.max(ZERO_CUT * level, EXACT_CUT * signal);
    return { level, signal, cut, share: nonZeros(histogram, cut).share };
  });
}

/** Returns s of every atom; `first`: see `zeroLevel`. */
export function zeroLevels(counts: Float64Array, first?: number): Float64Array {
  const levels = new Float64Array(counts.length / HISTOGRAM_BINS);
  const below = new Float64Array(HISTOGRAM_BINS + 1);
  for (let i = 0; i < levels.length; i++) {
    levels[i] = zeroLevel(cumulated(counts.subarray(i * HISTOGRAM_BINS, (i + 1) * HISTOGRAM_BINS), below), first);
  }
  return levels;
}

export interface Credibility {
  /** Mean log-likelihood of a code under the spike and slab, in nats. */
  readonly likelihood: number;
  /** Excess of that likelihood over that of the best single shape. */
  readonly advantage: number;
}

/** Most atoms to fit: more cost time and add little. */
const MOST_ASSESSED = 32;

/** Averages the fits of atoms with energy, at most MOST_ASSESSED of them, spread evenly. */
export function assessSparsity(counts: Float64Array): Credibility {
  let likelihood = 0;
  let advantage = 0;
  let atoms = 0;
  const all = histograms(counts);
  const every = Math.max(1, all.length / MOST_ASSESSED);
  for (let k = 0; k < all.length; k += every) {
    const bins = occupiedBins(all[Math.floor(k)]);
    if (bins.index.length < 2) continue;
    const spikeSlab = spikeSlabLikelihood(bins);
    likelihood += spikeSlab;
    advantage += spikeSlab - singleShapeLikelihood(bins);
    atoms++;
  }
  return { likelihood: likelihood / atoms, advantage: advantage / atoms };
}

function histograms(counts: Float64Array): Float64Array[] {
  const atoms = counts.length / HISTOGRAM_BINS;
  return Array.from({ length: atoms }, (_, i) => counts.subarray(i * HISTOGRAM_BINS, (i + 1) * HISTOGRAM_BINS));
}

/** Returns in entry b the number of sizes below the lower edge of bin b; uses the given memory. */
function cumulated(histogram: Float64Array, below = new Float64Array(HISTOGRAM_BINS + 1)): Float64Array {
  for (let bin = 0; bin < HISTOGRAM_BINS; bin++) below[bin + 1] = below[bin] + histogram[bin];
  return below;
}

/** Returns s of an atom. `first`: the quantile of its sizes that the iteration starts from. */
function zeroLevel(below: Float64Array, first = 0.5): number {
  let level = NORMAL_CONSISTENCY * quantileBelow(below, Number.POSITIVE_INFINITY, first);
  for (let i = 0; i < 50; i++) {
    const next = NORMAL_CONSISTENCY * quantileBelow(below, ZERO_CUT * level, 0.5);
    if (Math.abs(next - level) <= 1e-3 * level) return next;
    level = next;
  }
  return level;
}

/** Returns a quantile of the sizes below `cut`, linear within bins; 0.5: their median. */
function quantileBelow(below: Float64Array, cut: number, quantile: number): number {
  const last = Math.min(lastAtMost(EDGES, cut), HISTOGRAM_BINS - 1);
  const share = Math.min(1, (cut - EDGES[last]) / (EDGES[last + 1] - EDGES[last]));
  const rank = (below[last] + share * (below[last + 1] - below[last])) * quantile;
  if (rank === 0) return 0;
  const bin = lastAtMost(below, rank);
  const inside = below[bin + 1] - below[bin];
  return EDGES[bin] + (EDGES[bin + 1] - EDGES[bin]) * ((rank - below[bin]) / inside);
}

/** Returns the index of the last entry that is at most x; entries ascend from 0. */
function lastAtMost(ascending: Float64Array, x: number): number {
  let low = 0;
  let high = ascending.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= x) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns root mean square and share of the sizes above `cut`. */
function nonZeros(histogram: Float64Array, cut: number): { signal: number; share: number } {
  let sum = 0;
  let count = 0;
  let bin = HISTOGRAM_BINS - 1;
  for (; bin >= 0 && EDGES[bin] >= cut; bin--) {
    sum += histogram[bin] * SQUARE[bin];
    count += histogram[bin];
  }
  let total = count;
  for (; bin >= 0; bin--) total += histogram[bin];
  return count > 0 ? { signal: Math.sqrt(sum / count), share: count / total } : { signal: 0, share: 0 };
}

function occupiedBins(histogram: Float64Array): Bins {
  const index: number[] = [];
  let total = 0;
  for (let bin = 0; bin < HISTOGRAM_BINS; bin++) {
    if (histogram[bin] === 0) continue;
    index.push(bin);
    total += histogram[bin];
  }
  return { index: Uint16Array.from(index), count: Float64Array.from(index, (bin) => histogram[bin]), total };
}

/** EM limits: steps, and the relative change of the parameters at which it ends; the likelihood then differs by its square. */
const ROUGH_FIT = { steps: 60, tolerance: 1e-3 };
/** EM limits close to the maximum: EM is slow where spike and slab overlap. */
const FINE_FIT = { steps: 2000, tolerance: 1e-5 };
const LOG_SQRT_2_OVER_PI = 0.5 * Math.log(2 / Math.PI);

/** Parameters of (1−θ) N(0, spike) + θ N(0, slab). */
export interface SpikeSlabFit {
  readonly theta: number;
  readonly spike: number;
  readonly slab: number;
}

/** Fits the spike and slab to the codes of all atoms together; undefined if they are all of one size. */
export function fitPooled(counts: Float64Array): SpikeSlabFit | undefined {
  const bins = occupiedBins(pool(counts));
  return bins.index.length < 2 ? undefined : fitSpikeSlab(bins, FINE_FIT);
}

/**
 * Measures the distance of the codes of all atoms together from normal ones, 2 Σ c log(c/e) over bins with counts c, e those of a normal
 * distribution of the same mean square. It is about `bins` if they are normal, and more by about one for every parameter
 * that was fitted.
 */
export function departureFromNormal(counts: Float64Array): { statistic: number; bins: number; codes: number } {
  const { index, count, total } = occupiedBins(pool(counts));
  let sum = 0;
  for (let i = 0; i < index.length; i++) sum += SQUARE[index[i]] * count[i];
  const variance = sum / total;
  let statistic = 0;
  for (let i = 0; i < index.length; i++) {
    statistic += 2 * count[i] * (Math.log(count[i] / total) - Math.log(normalShare(index[i], variance)));
  }
  return { statistic, bins: index.length, codes: total };
}

/** Returns the excess kurtosis of every atom's codes: 0 for normal ones, 3/θ − 3 for normal ones of which a share θ is not zero. */
export function excessKurtosis(counts: Float64Array): Float64Array {
  return Float64Array.from(histograms(counts), (histogram) => {
    let [total, second, fourth] = [0, 0, 0];
    for (let bin = 0; bin < HISTOGRAM_BINS; bin++) {
      total += histogram[bin];
      second += histogram[bin] * SQUARE[bin];
      fourth += histogram[bin] * SQUARE[bin] ** 2;
    }
    return second > 0 ? (fourth * total) / second ** 2 - 3 : 0;
  });
}

/** Returns the share of normal codes that fall into a bin, by Simpson's rule. */
function normalShare(bin: number, variance: number): number {
  const [from, to] = [EDGES[bin], EDGES[bin + 1]];
  const density = (z: number) => Math.exp(-(z * z) / (2 * variance));
  const sum = density(from) + 4 * density(SIZE[bin]) + density(to);
  return Math.max((Math.sqrt(2 / (Math.PI * variance)) * (to - from) * sum) / 6, Number.MIN_VALUE);
}

/** Sums the histograms of all atoms, without codes that vanish: samples without energy have no others. */
function pool(counts: Float64Array): Float64Array {
  const pooled = new Float64Array(HISTOGRAM_BINS);
  counts.forEach((count, at) => {
    pooled[at % HISTOGRAM_BINS] += count;
  });
  pooled[0] = 0;
  return pooled;
}

/** Returns the mean log density of the sizes under (1−θ)|N(0,s²)| + θ|N(0,σ²)|, after EM. */
function spikeSlabLikelihood(bins: Bins): number {
  const { theta, spike, slab } = fitSpikeSlab(bins, ROUGH_FIT);
  const square = Float64Array.from(bins.index, (bin) => SQUARE[bin]);
  return sumOfLogDensities(square, bins.count, theta, spike, slab) / bins.total + LOG_SQRT_2_OVER_PI;
}

function fitSpikeSlab({ index, count, total }: Bins, { steps, tolerance }: typeof ROUGH_FIT): SpikeSlabFit {
  const square = Float64Array.from(index, (bin) => SQUARE[bin]);
  let sum = 0;
  for (let i = 0; i < square.length; i++) sum += square[i] * count[i];
  const mean = sum / total;
  let theta = 0.3;
  let slab = 2 * mean;
  let spike = Math.max(medianSquare(square, count, total), 1e-32 * mean);
  for (let step = 0; step < steps; step++) {
    // log odds of the spike: linear in z²
    const constant = logOdds(theta, spike, slab);
    const slope = 0.5 / slab - 0.5 / spike;
    let weight = 0;
    let slabSum = 0;
    let spikeSum = 0;
    for (let i = 0; i < square.length; i++) {
      const inSlab = count[i] / (1 + Math.exp(constant + slope * square[i]));
      weight += inSlab;
      slabSum += inSlab * square[i];
      spikeSum += (count[i] - inSlab) * square[i];
    }
    const previous = [theta, slab, spike];
    theta = Math.min(Math.max(weight / total, 1e-6), 1 - 1e-6);
    slab = Math.max(slabSum / Math.max(weight, 1e-300), 1e-32 * mean);
    spike = Math.max(spikeSum / Math.max(total - weight, 1e-300), 1e-32 * mean);
    if ([theta, slab, spike].every((value, k) => Math.abs(value - previous[k]) <= tolerance * value)) break;
  }
  return { theta, spike, slab };
}

const logOdds = (theta: number, spike: number, slab: number): number =>
  Math.log((1 - theta) / theta) + 0.5 * Math.log(slab / spike);

function sumOfLogDensities(
  square: Float64Array,
  count: Float64Array,
  theta: number,
  spike: number,
  slab: number,
): number {
  const constant = logOdds(theta, spike, slab);
  let sum = 0;
  for (let i = 0; i < square.length; i++) {
    const slabDensity = Math.log(theta) - 0.5 * Math.log(slab) - square[i] / (2 * slab);
    const odds = constant + (0.5 / slab - 0.5 / spike) * square[i];
    sum += count[i] * (slabDensity + (odds > 0 ? odds + Math.log1p(Math.exp(-odds)) : Math.log1p(Math.exp(odds))));
  }
  return sum;
}

function medianSquare(square: Float64Array, count: Float64Array, total: number): number {
  let below = 0;
  for (let i = 0; i < square.length; i++) {
    below += count[i];
    if (below >= total / 2) return square[i];
  }
  return square[square.length - 1];
}

/** The competing generalised Gaussians: shape q, z^q for every bin, and the terms that do not depend on the data. */
const SHAPES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1, 1.25, 1.5, 2, 3, 5].map((q) => ({
  q,
  powers: SIZE.map((z) => z ** q),
  constant: Math.log(q) - logGamma(1 / q) - 1 / q,
}));

/**
 * Returns the mean log density of the sizes under the best generalised Gaussian; for shape q the best scale is a^q = q·mean(z^q).
 */
function singleShapeLikelihood({ index, count, total }: Bins): number {
  let best = Number.NEGATIVE_INFINITY;
  for (const { q, powers, constant } of SHAPES) {
    let moment = 0;
    for (let i = 0; i < index.length; i++) moment += count[i] * powers[index[i]];
    best = Math.max(best, constant - Math.log((q * moment) / total) / q);
  }
  return best;
}

/** Computes log Γ(x) by Stirling's series after shifting the argument above 8. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 8) shift -= Math.log(z++);
  const r = 1 / (z * z);
  return (
    shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + (1 / z) * (1 / 12 - r * (1 / 360 - r / 1260))
  );
}
