/**
 * One feature's coefficients from the entries where its codes are zero: y_j = a·c_j + noise of variance λ, j ∈ Z, with
 * the prior a ~ N(0, I), which is ridge regression:
 *
 *     T Tᵀ = Σ_Z c_j c_jᵀ + λI,   a = a₀ + (T Tᵀ)⁻¹ Σ_Z c_j (y_j − a₀·c_j),   leverage h_j = c_jᵀ (T Tᵀ)⁻¹ c_j
 *
 * As λ → 0 it becomes least squares that keeps a₀ in directions Z does not determine. For j ∈ Z the residual and its
 * variance with entry j left out are r/(1 − h) and λ/(1 − h); for other j they are r and λ(1 + h).
 */
import { codeSumEvidence, type Features, SLAB_WIDTH, type ZeroMask } from './features.ts';

/** Least 1 − h: an entry that alone determines a direction of the coefficients says nothing about itself. */
const LEAST_FREEDOM = 1e-6;

export class FeatureFit {
  readonly coefficients: Float64Array;
  readonly #factor: Float64Array;
  readonly #work: Float64Array;
  readonly #zeros: Int32Array;
  #zeroCount = 0;
  #ridge = 1;

  constructor(
    readonly features: Features,
    /** Loadings, p×r. */
    readonly loadings: Float64Array,
    readonly rank: number,
  ) {
    this.coefficients = new Float64Array(rank);
    this.#factor = new Float64Array(rank * rank);
    this.#work = new Float64Array(rank);
    this.#zeros = new Int32Array(features.samples);
  }

  /** Number of entries the last fit used. */
  get zeroCount(): number {
    return this.#zeroCount;
  }

  /** Fits feature i; `at`: where its mask begins (a trial mask has another place than the feature's own). */
  fit(i: number, mask: ZeroMask, ridge: number, from?: Float64Array, at = i * this.features.samples): void {
    const { rank: r, loadings, coefficients: a } = this;
    const { samples: p, values } = this.features;
    const right = this.#work;
    const T = this.#factor;
    if (from) a.set(from);
    else a.fill(0);
    right.fill(0);
    T.fill(0);
    this.#ridge = ridge;
    this.#zeroCount = 0;
    for (let j = 0; j < p; j++) if (mask[at + j]) this.#zeros[this.#zeroCount++] = j;
    for (let z = 0; z < this.#zeroCount; z++) {
      const j = this.#zeros[z];
      const c = j * r;
      const residual = values[i * p + j] - (from ? this.#predict(c) : 0);
      for (let k = 0; k < r; k++) {
        const ck = loadings[c + k];
        right[k] += ck * residual;
        for (let l = 0; l <= k; l++) T[k * r + l] += ck * loadings[c + l];
      }
    }
    this.#factorise();
    this.#solveLower(right);
    for (let k = r - 1; k >= 0; k--) {
      let sum = right[k];
      for (let l = k + 1; l < r; l++) sum -= T[l * r + k] * right[l];
      right[k] = sum / T[k * r + k];
      a[k] += right[k];
    }
  }

  /** Predicts y_j as a·c_j. */
  prediction(j: number): number {
    return this.#predict(j * this.rank);
  }

  /** The leverage h_j = ‖T⁻¹ c_j‖². */
  leverage(j: number): number {
    const { rank: r, loadings } = this;
    const w = this.#work;
    for (let k = 0; k < r; k++) w[k] = loadings[j * r + k];
    this.#solveLower(w);
    let sum = 0;
    for (let k = 0; k < r; k++) sum += w[k] * w[k];
    return sum;
  }

  /**
   * Marks the entries whose codes are more likely zero than not (call `fit` with the mask at `at` first),
   * each judged by a fit without it; returns how many changed. `theta`: share of codes that are not zero.
   */
  markZeros(i: number, mask: ZeroMask, theta: number, at = i * this.features.samples): number {
    const { samples: p, values } = this.features;
    const odds = Math.log(((1 - theta) * SLAB_WIDTH) / (theta * Math.sqrt(2 * Math.PI)));
    let changes = 0;
    for (let j = 0; j < p; j++) {
      const residual = values[i * p + j] - this.prediction(j);
      const h = this.leverage(j);
      const freedom = mask[at + j] ? Math.max(1 - h, LEAST_FREEDOM) : 1;
      const variance = mask[at + j] ? this.#ridge / freedom : this.#ridge * (1 + h);
      const zero = odds - 0.5 * Math.log(variance) - (0.5 * (residual / freedom) ** 2) / variance > 0 ? 1 : 0;
      if (zero !== mask[at + j]) changes++;
      mask[at + j] = zero;
    }
    return changes;
  }

  /** Log-likelihood of feature i with the mask of the last fit, coefficients integrated out. */
  evidence(i: number, theta: number): number {
    const { rank: r, coefficients: a } = this;
    const { samples: p, values } = this.features;
    let squares = 0;
    let codeSum = 0;
    for (let j = 0; j < p; j++) codeSum += values[i * p + j] - this.prediction(j);
    for (let z = 0; z < this.#zeroCount; z++) {
      const j = this.#zeros[z];
      squares += (values[i * p + j] - this.prediction(j)) ** 2;
    }
    let prior = 0;
    let determinant = (this.#zeroCount - r) * Math.log(this.#ridge);
    for (let k = 0; k < r; k++) {
      prior += a[k] ** 2;
      determinant += 2 * Math.log(this.#factor[k * r + k]);
    }
    const zero = Math.log((1 - theta) / Math.sqrt(2 * Math.PI));
    const other = Math.log(theta / SLAB_WIDTH);
    const likelihood = this.#zeroCount * zero + (p - this.#zeroCount) * other;
    return likelihood - 0.5 * (squares / this.#ridge + prior + determinant) + codeSumEvidence(this.features, codeSum);
  }

  #predict(at: number): number {
    const { rank: r, loadings, coefficients: a } = this;
    let sum = 0;
    for (let k = 0; k < r; k++) sum += a[k] * loadings[at + k];
    return sum;
  }

  /** Overwrites the lower half of Σ c cᵀ with T. */
  #factorise(): void {
    const r = this.rank;
    const T = this.#factor;
    for (let k = 0; k < r; k++) {
      for (let l = 0; l <= k; l++) {
        let sum = T[k * r + l] + (k === l ? this.#ridge : 0);
        for (let q = 0; q < l; q++) sum -= T[k * r + q] * T[l * r + q];
        // rounding error of a direction that only the ridge determines
        T[k * r + l] = k === l ? Math.sqrt(Math.max(sum, this.#ridge)) : sum / T[l * r + l];
      }
    }
  }

  /** x ← T⁻¹ x. */
  #solveLower(x: Float64Array): void {
    const r = this.rank;
    const T = this.#factor;
    for (let k = 0; k < r; k++) {
      let sum = x[k];
      for (let l = 0; l < k; l++) sum -= T[k * r + l] * x[l];
      x[k] = sum / T[k * r + k];
    }
  }
}
