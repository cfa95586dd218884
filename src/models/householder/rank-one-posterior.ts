/**
 * Estimates one reflector from noisy samples. No code is taken for zero: every reading counts by its likelihood.
 *
 *     y_ij = a_i c_j + x_ij,   x_ij ~ f,   a_i ~ N(m, v),   E x_ij = θμ
 *
 * with f a spike of zeros and their noise, plus the other codes (code-density.ts). Expectation maximisation fits f, c,
 * m and v. With one normal component for f, a is the moment estimate, shrunk: so the mean of the codes counts for as
 * much as it is worth, and so do their zeros. The posterior of an a_i has as many peaks as its codes have readings; it is
 * integrated (quadrature.ts), and a_i is the a of least mean fourth power of the error, since both the sum of squares
 * and the worst entry count. Samples that were not read count by their mean, a normal observation of variance
 * Var f/number.
 */

import type { Pause } from '../../core/breathe.ts';
import { CodeDensity, type CodeFamily } from './code-density.ts';
import type { Features } from './features.ts';
import { Quadrature } from './quadrature.ts';

export interface RankOne {
  /** Coefficients a, n numbers. */
  readonly coefficients: Float64Array;
  /** Loadings c, p numbers. */
  readonly loadings: Float64Array;
}

export interface RankOnePosterior extends RankOne {
  /** Share of codes that are zero. */
  readonly zeroShare: number;
  /** Standard deviation of the noise, in units of the root mean square. */
  readonly noise: number;
  /** Log-likelihood of the samples. */
  readonly evidence: number;
  readonly iterations: number;
}

/** The mean of the samples that are not among the features' own, in their units, and the number of these samples. */
export interface RestOfSamples {
  readonly mean: Float64Array;
  readonly count: number;
}

const MAX_ITERATIONS = 30;
/** Settled when the log-likelihood grows by less than this per entry. */
const SETTLED = 1e-4;
/**
 * f, c, m and v are first fitted to some features (at least this many entries and features), then to all of them,
 * `last` times.
 */
const LEARNING = { entries: 5000, features: 60, last: 2 };
/** Nodes of the integration: `even` ones over ±`reach` deviations of the prior, and peaks where entries are read as zeros. */
const NODES = { even: 20, reach: 4, readings: 24 };
/** A node with less of the posterior does not count in the sums. */
const LEAST_SHARE = 0.02;
/** Least variance of a, relative to its mean square. */
const LEAST_VARIANCE = 1e-9;

export async function rankOnePosterior(
  features: Features,
  start: RankOne,
  rest: RestOfSamples | undefined,
  family: CodeFamily,
  pause: Pause,
): Promise<RankOnePosterior> {
  const fit = new Posterior(features, start, rest, family);
  const { count: n, samples: p } = features;
  const stride = learningStride(features);
  let iterations = 0;
  // its own loop, not `iterate`: it runs for a fraction of a second
  for (let last = Number.NEGATIVE_INFINITY; iterations < MAX_ITERATIONS; iterations++) {
    await pause();
    const evidence = fit.expect(stride);
    fit.maximise();
    if (evidence - last < (SETTLED * n * p) / stride) break;
    last = evidence;
  }
  for (let round = 0; stride > 1 && round < LEARNING.last; round++, iterations++) {
    await pause();
    fit.expect(1);
    fit.maximise();
  }
  await pause();
  const evidence = fit.expect(1);
  const { coefficients, loadings, density } = fit;
  const [zeroShare, noise] = [density.weights[0], Math.sqrt(density.variances[0])];
  return { coefficients, loadings, zeroShare, noise, evidence, iterations };
}

const learningStride = ({ count, samples }: Features) =>
  Math.max(1, Math.floor(count / Math.max(LEARNING.features, LEARNING.entries / samples)));

class Posterior {
  /** Coefficients a. */
  readonly coefficients: Float64Array;
  /** Loadings c. */
  readonly loadings: Float64Array;
  /** Density f of the codes. */
  density: CodeDensity;
  #prior: { readonly mean: number; readonly variance: number };
  readonly #rest: RestOfSamples | undefined;
  /** Loading c of the mean of the remaining samples. */
  #restLoading: number;
  #sums: Sums;
  /** The feature being estimated. */
  #feature = 0;
  readonly #quadrature = new Quadrature((a) => this.#logJoint(a));

  constructor(
    readonly features: Features,
    { coefficients: a, loadings: c }: RankOne,
    rest: RestOfSamples | undefined,
    family: CodeFamily,
  ) {
    const { count: n, samples: p, values, codeMean } = features;
    this.coefficients = a.slice();
    this.loadings = c.slice();
    this.#rest = codeMean === undefined ? undefined : rest;
    const sums = newSums(p);
    const codes: number[] = [];
    for (let i = 0; i < n; i++) addCoefficient(sums, a[i], a[i] ** 2, this.#restValue(i));
    for (let i = 0; i < n; i += learningStride(features)) {
      for (let j = 0; j < p; j++) codes.push(values[i * p + j] - a[i] * c[j]);
    }
    this.#sums = sums;
    this.#prior = priorOf(sums);
    this.#restLoading = sums.restCross / sums.squareSum;
    this.density = CodeDensity.of(codes, codeMean, family);
  }

  /** Estimates every `stride`-th feature, and the sums that `maximise` needs; returns the log-likelihood. */
  expect(stride: number): number {
    this.#sums = newSums(this.features.samples);
    let evidence = 0;
    for (let i = 0; i < this.features.count; i += stride) evidence += this.#expectFeature(i);
    return evidence;
  }

  /** Fits c, f and the prior. */
  maximise(): void {
    const { crosses, squares, restCross, squareSum } = this.#sums;
    for (let j = 0; j < crosses.length; j++) if (squares[j] > 0) this.loadings[j] = crosses[j] / squares[j];
    this.#restLoading = restCross / squareSum;
    this.#prior = priorOf(this.#sums);
    this.density = this.density.fitted(this.features.codeMean);
  }

  #expectFeature(i: number): number {
    this.#feature = i;
    const nodes = this.#quadrature;
    nodes.clear();
    this.#placeNodes(i);
    const evidence = nodes.integrate() - 0.5 * Math.log(2 * Math.PI * this.#prior.variance);
    let [share, first, second] = [0, 0, 0];
    for (let g = 0; g < nodes.count; g++) {
      const q = nodes.shares[g];
      if (q < LEAST_SHARE) continue;
      const a = nodes.at[g];
      share += q;
      first += q * a;
      second += q * a * a;
      this.#addCodes(i, a, q);
    }
    first /= share;
    this.coefficients[i] = nodes.centre(first);
    addCoefficient(this.#sums, first, second / share, this.#restValue(i));
    return evidence;
  }

  /** Places nodes where the posterior of a_i may be large: over the whole prior, and where an entry would be a zero. */
  #placeNodes(i: number): void {
    const { samples: p, values } = this.features;
    const { mean, variance } = this.#prior;
    const { weights, variances } = this.density;
    const nodes = this.#quadrature;
    const reach = NODES.reach * Math.sqrt(variance);
    for (let g = 0; g <= NODES.even; g++) nodes.add(mean - reach + (2 * reach * g) / NODES.even);
    if (weights[0] === 0) return;
    const narrow = Math.sqrt(variances[0] / Math.max(1, p * weights[0]));
    const stride = Math.max(1, Math.floor(p / NODES.readings));
    for (let j = i % stride; j < p; j += stride) {
      const width = narrow / Math.abs(this.loadings[j]);
      const a = values[i * p + j] / this.loadings[j];
      if (Math.abs(a - mean) < 2 * reach && width * NODES.even < reach) nodes.addPeak(a, width);
    }
  }

  /** Log of the prior of a times the likelihood of the present feature. */
  #logJoint(a: number): number {
    const { samples: p, values } = this.features;
    const { loadings: c, density } = this;
    const { mean, variance } = this.#prior;
    const at = this.#feature * p;
    let log = (-0.5 * (a - mean) ** 2) / variance;
    if (this.#rest) {
      const code = this.#restValue(this.#feature) - a * this.#restLoading;
      log -= (0.5 * code ** 2 * this.#rest.count) / density.variance;
    }
    for (let j = 0; j < p; j++) log += density.log(values[at + j] - a * c[j]);
    return log;
  }

  /** Adds the codes of feature i for the coefficient a, with weight q. */
  #addCodes(i: number, a: number, q: number): void {
    const { samples: p, values } = this.features;
    const { loadings: c, density } = this;
    const { histogram, precisions, pulls } = density;
    const { crosses, squares } = this.#sums;
    for (let j = 0; j < p; j++) {
      const y = values[i * p + j];
      const cell = density.cell(y - a * c[j]);
      histogram[cell] += q;
      crosses[j] += q * a * (y * precisions[cell] - pulls[cell]);
      squares[j] += q * a * a * precisions[cell];
    }
  }

  #restValue(i: number): number {
    return this.#rest ? this.#rest.mean[i] - this.features.codeMean! : 0;
  }
}

interface Sums {
  /** Numerator and denominator of every c_j. */
  readonly crosses: Float64Array;
  readonly squares: Float64Array;
  restCross: number;
  count: number;
  sum: number;
  squareSum: number;
}

function newSums(p: number): Sums {
  const [crosses, squares] = [new Float64Array(p), new Float64Array(p)];
  return { crosses, squares, restCross: 0, count: 0, sum: 0, squareSum: 0 };
}

function addCoefficient(sums: Sums, mean: number, square: number, restValue: number): void {
  sums.count++;
  sums.sum += mean;
  sums.squareSum += square;
  sums.restCross += mean * restValue;
}

function priorOf({ count, sum, squareSum }: Sums) {
  const mean = sum / count;
  return { mean, variance: Math.max(squareSum / count - mean ** 2, (LEAST_VARIANCE * squareSum) / count) };
}
