/**
 * Other masks for features that may have settled on a wrong one: with few zeros, codes that happen to agree can pass for them.
 *
 * A feature with hardly more zeros than coefficients fits anything, so these are tried again, from every ratio y_ij/w_j (w the
 * largest loading) as in the rank-one start, and the mask of greatest evidence is taken.
 */
import type { Matrix64 } from '../../matrix.ts';
import { FeatureFit } from './feature-fit.ts';
import { type Features, type ZeroMask, zeroCount } from './features.ts';

/** A feature with this many zeros more than coefficients does not agree by chance. */
const SAFE_EXCESS = 3;
/** Width of the first trial around a ratio, and least standard deviation while a trial mask settles. */
const TRIAL = { width: 0.25, deviation: 1e-3, rounds: 3 };
/** Evidence, in nats, that another mask must have more. */
const CLEARLY = 1;
const CANDIDATES = 32;

/** Changes the mask in place; returns how many features changed. `loadings` has its largest column first. */
export function rescueFeatures(
  features: Features,
  loadings: Matrix64,
  mask: ZeroMask,
  ridge: number,
  theta: number,
): number {
  const { count, samples: p, values } = features;
  const r = loadings.cols;
  const fit = new FeatureFit(features, loadings.data, r);
  const trial = new Uint8Array(p);
  const best = new Uint8Array(p);
  const trialRidge = Math.max(ridge, TRIAL.deviation ** 2);
  const stride = Math.max(1, Math.floor(p / CANDIDATES));
  let changed = 0;
  for (let i = 0; i < count; i++) {
    if (zeroCount(mask, i, p) >= r + SAFE_EXCESS) continue;
    fit.fit(i, mask, ridge);
    let bestEvidence = fit.evidence(i, theta) + CLEARLY;
    let found = false;
    for (let k = i % stride; k < p; k += stride) {
      const a = values[i * p + k] / loadings.data[k * r];
      for (let j = 0; j < p; j++) {
        trial[j] = Math.abs(values[i * p + j] - a * loadings.data[j * r]) < TRIAL.width ? 1 : 0;
      }
      for (let round = 0; round < TRIAL.rounds; round++) {
        fit.fit(i, trial, trialRidge, undefined, 0);
        if (fit.markZeros(i, trial, theta, 0) === 0) break;
      }
      fit.fit(i, trial, ridge, undefined, 0);
      const evidence = fit.evidence(i, theta);
      if (evidence <= bestEvidence) continue;
      bestEvidence = evidence;
      best.set(trial);
      found = true;
    }
    if (!found) continue;
    mask.set(best, i * p);
    changed++;
  }
  return changed;
}
