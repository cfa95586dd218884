/**
 * Tries other masks for features that may have settled on a wrong one: with few zeros, codes that agree by chance can
 * pass for zeros.
 *
 * It tries a mask for every ratio y_ij/w_j (w the largest loading), as the rank-one start does, and keeps the one of
 * greatest evidence.
 */
import type { Matrix64 } from '../../core/matrix.ts';
import { FeatureFit } from './feature-fit.ts';
import { type Features, type ZeroMask, zeroCount } from './features.ts';

/** With this many more zeros than coefficients, a feature's zeros do not agree by chance. */
const SAFE_EXCESS = 3;
/** Width of the first trial around a ratio, and least standard deviation while a trial mask settles. */
const TRIAL = { width: 0.25, deviation: 1e-3, rounds: 3 };
/** How much more evidence, in nats, another mask must have. */
const CLEARLY = 1;
const CANDIDATES = 32;

export class MaskSearch {
  readonly #fit: FeatureFit;
  readonly #trial: ZeroMask;
  readonly #best: ZeroMask;

  constructor(
    readonly features: Features,
    /** Loadings, p×r, the largest column first. */
    readonly loadings: Matrix64,
    readonly ridge: number,
    readonly theta: number,
  ) {
    this.#fit = new FeatureFit(features, loadings.data, loadings.cols);
    this.#trial = new Uint8Array(features.samples);
    this.#best = new Uint8Array(features.samples);
  }

  /** Tries again all features whose zeros could agree by chance; returns how many changed. */
  improveDoubtful(mask: ZeroMask): number {
    const { count, samples: p } = this.features;
    const safe = this.loadings.cols + SAFE_EXCESS;
    let changed = 0;
    for (let i = 0; i < count; i++) if (zeroCount(mask, i, p) < safe && this.improve(i, mask)) changed++;
    return changed;
  }

  /** Gives feature i its best mask; true if the mask changed. */
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
