/**
 * Other masks for features that may have settled on a wrong one: with few zeros, codes that happen to agree can pass for them.
 *
 * Masks are tried from every ratio y_ij/w_j (w the largest loading) as in the rank-one start; the one of greatest evidence is taken.
 */
import type { Matrix64 } from '../../core/matrix.ts';
import { FeatureFit } from './feature-fit.ts';
import { type Features, type ZeroMask, zeroCount } from './features.ts';

/** A feature with this many zeros more than coefficients does not agree by chance. */
const SAFE_EXCESS = 3;
/** Width of the first trial around a ratio, and least standard deviation while a trial mask settles. */
const TRIAL = { width: 0.25, deviation: 1e-3, rounds: 3 };
/** Evidence, in nats, that another mask must have more. */
const CLEARLY = 1;
const CANDIDATES = 32;

export class MaskSearch {
  readonly #fit: FeatureFit;
  readonly #trial: ZeroMask;
  readonly #best: ZeroMask;

  constructor(
    readonly features: Features,
    /** p×r, the largest column first. */
    readonly loadings: Matrix64,
    readonly ridge: number,
    readonly theta: number,
  ) {
    this.#fit = new FeatureFit(features, loadings.data, loadings.cols);
    this.#trial = new Uint8Array(features.samples);
    this.#best = new Uint8Array(features.samples);
  }

  /** Tries again all features that could agree by chance; returns how many changed. */
  improveDoubtful(mask: ZeroMask): number {
    const { count, samples: p } = this.features;
    const safe = this.loadings.cols + SAFE_EXCESS;
    let changed = 0;
    for (let i = 0; i < count; i++) if (zeroCount(mask, i, p) < safe && this.improve(i, mask)) changed++;
    return changed;
  }

  /** Puts the best mask of feature i in place; true if that is another one. */
  improve(i: number, mask: ZeroMask): boolean {
    const { samples: p, values } = this.features;
    const { data: C, cols: r } = this.loadings;
    const stride = Math.max(1, Math.floor(p / CANDIDATES));
    const trial = this.#trial;
    trial.set(mask.subarray(i * p, (i + 1) * p));
    let bestEvidence = this.#evidence(i) + CLEARLY;
    let found = false;
    for (let k = i % stride; k < p; k += stride) {
      const a = values[i * p + k] / C[k * r];
      for (let j = 0; j < p; j++) trial[j] = Math.abs(values[i * p + j] - a * C[j * r]) < TRIAL.width ? 1 : 0;
      this.#settle(i);
      const evidence = this.#evidence(i);
      if (evidence <= bestEvidence) continue;
      bestEvidence = evidence;
      this.#best.set(trial);
      found = true;
    }
    if (found) mask.set(this.#best, i * p);
    return found;
  }

  #settle(i: number): void {
    const ridge = Math.max(this.ridge, TRIAL.deviation ** 2);
    for (let round = 0; round < TRIAL.rounds; round++) {
      this.#fit.fit(i, this.#trial, ridge, undefined, 0);
      if (this.#fit.markZeros(i, this.#trial, this.theta, 0) === 0) return;
    }
  }

  #evidence(i: number): number {
    this.#fit.fit(i, this.#trial, this.ridge, undefined, 0);
    return this.#fit.evidence(i, this.theta);
  }
}
