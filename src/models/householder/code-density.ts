/**
 * The density of the codes with their noise: f = Σ_k π_k N(μ_k, s_k²) with μ_0 = 0.
 *
 * Component 0 is the codes that are zero, s_0 the noise; the others describe the codes that are not. Fits evaluate it
 * millions of times, so it is tabulated, and what it is fitted to is a histogram over the same cells.
 */

/** Normal components of the codes that are not zero. */
const SLABS = 2;
const K = SLABS + 1;
/** Least variance of a component, relative to the unit mean square of the samples. */
const LEAST_VARIANCE = 1e-7;
/** Least variance of a slab beyond the noise: a narrower one would take the place of the zeros. */
const SLAB_VARIANCE = 0.02;
/** Steps from the rough guess; more would fit the errors of the first residuals. */
const FIRST_STEPS = 5;
/** Size of the table: cells per least deviation, reach in deviations, and most cells. */
const TABLE = { fineness: 6, reach: 8, most: 1 << 18 };
/** Least value of f far from every component, so that no entry decides alone. */
const FLOOR = 1e-12;

/** `sparse`: zeros and others; `normal`: one normal distribution. */
export type CodeFamily = 'sparse' | 'normal';

export class CodeDensity {
  /** Weight of the x in each cell: what `fitted` fits. */
  readonly histogram: Float64Array;
  readonly #low: number;
  readonly #perUnit: number;
  readonly #logs: Float64Array;
  /** Σ_k γ_k/s_k² and Σ_k γ_k μ_k/s_k²; γ_k: how likely x is of component k. */
  readonly precisions: Float64Array;
  readonly pulls: Float64Array;

  private constructor(
    readonly weights: readonly number[],
    readonly means: readonly number[],
    readonly variances: readonly number[],
  ) {
    const used = range(K).filter((k) => weights[k] > 0);
    const reaches = used.map((k) => TABLE.reach * Math.sqrt(variances[k]));
    this.#low = Math.min(...used.map((k, at) => means[k] - reaches[at]));
    const width = Math.max(...used.map((k, at) => means[k] + reaches[at])) - this.#low;
    const cells = Math.ceil((width * TABLE.fineness * TABLE.reach) / Math.min(...reaches));
    const count = Math.min(cells, TABLE.most);
    this.#perUnit = (count - 1) / width;
    this.histogram = new Float64Array(count);
    this.#logs = new Float64Array(count);
    this.precisions = new Float64Array(count);
    this.pulls = new Float64Array(count);
    const shares = new Float64Array(K);
    for (let cell = 0; cell < count; cell++) {
      const f = this.#shares(this.#centre(cell), shares);
      this.#logs[cell] = Math.log(f);
      for (const k of used) {
        this.precisions[cell] += shares[k] / f / variances[k];
        this.pulls[cell] += (shares[k] / f / variances[k]) * means[k];
      }
    }
  }

  /** The density of given codes, whose root mean square is about 1. */
  static of(values: readonly number[], codeMean: number | undefined, family: CodeFamily): CodeDensity {
    const sign = (codeMean ?? 0) < 0 ? -1 : 1;
    const weights = family === 'normal' ? [0, 1, 0] : [0.5, 0.25, 0.25];
    let density = new CodeDensity(weights, [0, 0.7 * sign, 1.4 * sign], [0.05, 0.3, 0.3]);
    for (let step = 0; step < FIRST_STEPS; step++) {
      for (const x of values) density.histogram[density.cell(x)]++;
      density = density.fitted(codeMean);
    }
    return density;
  }

  get variance(): number {
    const { weights, means, variances } = this;
    const mean = range(K).reduce((sum, k) => sum + weights[k] * means[k], 0);
    return range(K).reduce((sum, k) => sum + weights[k] * (means[k] ** 2 + variances[k]), -(mean ** 2));
  }

  /** The cell of x; the outermost cells include everything beyond them. */
  cell(x: number): number {
    const at = (x - this.#low) * this.#perUnit + 0.5;
    const last = this.#logs.length - 1;
    return at < 0 ? 0 : at > last ? last : Math.trunc(at);
  }

  /** log f, linear between cells. */
  log(x: number): number {
    const at = (x - this.#low) * this.#perUnit;
    const last = this.#logs.length - 1;
    if (!(at > 0)) return this.#logs[0];
    if (at >= last) return this.#logs[last];
    const cell = Math.trunc(at);
    return this.#logs[cell] + (at - cell) * (this.#logs[cell + 1] - this.#logs[cell]);
  }

  /** The density of greatest likelihood for the histogram; θμ counts as an observation of the mean of all codes. */
  fitted(codeMean: number | undefined): CodeDensity {
    const [counts, firsts, seconds, shares] = range(4).map(() => new Float64Array(K));
    for (let cell = 0; cell < this.histogram.length; cell++) {
      const count = this.histogram[cell];
      if (count === 0) continue;
      const x = this.#centre(cell);
      const f = this.#shares(x, shares);
      for (let k = 0; k < K; k++) {
        const gamma = (count * shares[k]) / f;
        counts[k] += gamma;
        firsts[k] += gamma * x;
        seconds[k] += gamma * x * x;
      }
    }
    const total = counts.reduce((sum, count) => sum + count, 0);
    const weights = Array.from(counts, (count) => (count > 1e-6 * total ? count / total : 0));
    const means = [...this.means];
    const variances = [...this.variances];
    const precision = codeMean === undefined ? 0 : total / this.variance;
    variances[0] = weights[0] > 0 ? Math.max(seconds[0] / counts[0], LEAST_VARIANCE) : LEAST_VARIANCE;
    for (let k = 1; k < K; k++) {
      if (weights[k] === 0) continue;
      const others = range(K).reduce((sum, l) => (l === k ? sum : sum + weights[l] * means[l]), 0);
      const pull = precision * weights[k];
      const v = variances[k];
      means[k] = (firsts[k] / v + pull * ((codeMean ?? 0) - others)) / (counts[k] / v + pull * weights[k]);
      const spread = seconds[k] / counts[k] - (2 * means[k] * firsts[k]) / counts[k] + means[k] ** 2;
      variances[k] = Math.max(spread, variances[0] + SLAB_VARIANCE);
    }
    return new CodeDensity(weights, means, variances);
  }

  #centre(cell: number): number {
    return this.#low + cell / this.#perUnit;
  }

  /** π_k N(x; μ_k, s_k²) of every component; returns their sum. */
  #shares(x: number, shares: Float64Array): number {
    let f = FLOOR;
    for (let k = 0; k < K; k++) {
      const v = this.variances[k];
      const weight = this.weights[k];
      shares[k] =
        weight > 0 ? (weight * Math.exp((-0.5 * (x - this.means[k]) ** 2) / v)) / Math.sqrt(2 * Math.PI * v) : 0;
      f += shares[k];
    }
    return f;
  }
}

const range = (count: number) => Array.from({ length: count }, (_, k) => k);
