/**
 * Algorithm 5 of Shalit & Chechik 2014 exactly as listed, with rows for the paper's columns: B = (AU)ᵀ, m×n, starts
 * as the first m samples (U_0 = I). Then, and after every further sample,
 *
 *     L times: a pair i < j, uniformly at random; rotate B_i and B_j by the θ that maximises
 *              Σ_k [|cos θ B_ik + sin θ B_jk| − γ]₊² + [|−sin θ B_ik + cos θ B_jk| − γ]₊²
 *     the next sample takes the place of the row of smallest norm
 *
 * γ is fixed and in the units of the samples, while the rows grow as √t. The sum has period π/2 in θ, which exchanges
 * the two rows; of the equal maxima the one in (−π/4, π/4] is taken.
 *
 * At the end Z = solveForZ(AU, γ), "Algorithm 6 of Journée et al. (2010)": their post-processing, which keeps the
 * pattern |P_ik| > γ of P = X A, X = U at its start, and fills in its values by maximising Σ_i x_i A z_iᵀ over
 * orthonormal rows X and unit rows z_i within the pattern, in turns:
 *
 *     z_i = P_i/‖P_i‖ within the pattern,  P = X A          X = polar(Z Aᵀ)
 *
 * It asks for A only through Z Aᵀ. A stream has B alone, and takes it for A, with X = I at its start. Where no sample
 * has been dropped that is the same, because B = Uᵀ A with U orthogonal. Otherwise it fits what B has kept.
 */
import type { Matrix64 } from 'orthodict';
import {
  copy,
  createRandom,
  describeLoadings,
  identity,
  norm,
  PairSearch,
  powerAscent,
  Run,
  type RunOptions,
  rotateRows,
  row,
  shrunkEnergy,
  sparsePcaDefaults,
  unitRows,
  zeros,
} from 'orthodict/extend';

export interface PublishedOptions {
  /** m, at least 2: a pair to rotate. */
  readonly components: number;
  /** γ, in the units of the samples. */
  readonly gamma: number;
  /** L: rotations after every sample. */
  readonly rotations: number;
  readonly seed?: number | undefined;
}

/** The rows B of the algorithm, sample after sample. Samples are taken as they are, without a mean. */
export class PublishedStream {
  readonly #options: PublishedOptions;
  readonly #random;
  readonly #squares: Float64Array;
  readonly #search = new PairSearch();
  /** B, m×n; samples seen; Σ‖v‖² over all of them. */
  rows: Matrix64;
  seen = 0;
  energy = 0;

  constructor(options: PublishedOptions) {
    const { components: m, seed = 0 } = options;
    this.#options = options;
    this.#random = createRandom(seed, 'sparse-pca stream');
    this.#squares = new Float64Array(m);
    this.rows = zeros(m, 0);
  }

  partialFit(samples: Matrix64): this {
    for (let j = 0; j < samples.rows; j++) this.#add(row(samples, j));
    return this;
  }

  #add(sample: Float64Array): void {
    const { components: m, rotations } = this.#options;
    if (this.seen === 0) this.rows = zeros(m, sample.length);
    const at = this.seen < m ? this.seen : this.#squares.indexOf(Math.min(...this.#squares));
    row(this.rows, at).set(sample);
    this.#measure(at);
    this.seen++;
    this.energy += this.#squares[at];
    for (let l = 0; this.seen >= m && l < rotations; l++) this.#turnPair();
  }

  #turnPair(): void {
    const { components: m, gamma } = this.#options;
    const { cols: n, data } = this.rows;
    const one = this.#random.integer(m);
    const other = (one + 1 + this.#random.integer(m - 1)) % m;
    const [i, j] = [Math.min(one, other), Math.max(one, other)];
    const { angle } = this.#search.best(data, i * n, j * n, n, gamma, gamma, Math.PI / 4);
    if (angle === 0) return;
    rotateRows(this.rows, i, j, Math.cos(angle), Math.sin(angle));
    this.#measure(i);
    this.#measure(j);
  }

  #measure(i: number): void {
    this.#squares[i] = row(this.rows, i).reduce((sum, value) => sum + value * value, 0);
  }

  /** The components of AU; variances and objective are per sample. `kept`: the share of the variance that B still has. */
  async result(runOptions: RunOptions = {}) {
    const { components, gamma, seed = 0 } = this.#options;
    const { rows: B, seen, energy } = this;
    const { maxIterations, tolerance } = sparsePcaDefaults;
    const run = await Run.start('PublishedStream', runOptions);
    const gammas = new Float64Array(components).fill(gamma);
    const within = (P: Matrix64) => withinPattern(P, B, gamma);
    const total = (P: Matrix64) => sumOfNorms(within(P));
    const limits = { run, maxIterations, tolerance, seed };
    const fit = await powerAscent(B, identity(components), (P) => unitRows(within(P)), total, limits);
    const R = { ...B, data: B.data.map((value) => value / Math.sqrt(seen)) };
    const found = describeLoadings(R, unitRows(within(fit.projections)), gammas, 1);
    const objective = shrunkEnergy(B, gammas) / seen;
    return { ...found, objective, kept: found.totalVariance / (energy / seen) };
  }
}

/** Keeps P where |B| > γ, and sets it to zero elsewhere. */
function withinPattern(P: Matrix64, B: Matrix64, gamma: number): Matrix64 {
  const out = copy(P);
  for (let at = 0; at < out.data.length; at++) if (!(Math.abs(B.data[at]) > gamma)) out.data[at] = 0;
  return out;
}

function sumOfNorms(P: Matrix64): number {
  let sum = 0;
  for (let i = 0; i < P.rows; i++) sum += norm(row(P, i));
  return sum;
}
