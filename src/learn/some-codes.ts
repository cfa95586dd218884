/** Computes the codes of some samples in memory, where a few thousand of them suffice. */

import type { Pause } from '../core/breathe.ts';
import { asFloat64, type Matrix64, zeros } from '../core/matrix.ts';
import type { Problem } from './problem.ts';

/**
 * Largest numbers of samples and codes; at least `runs` samples. They are read in `runs` runs of neighbours, spread evenly: enough
 * of them that outliers in one place are as rare in these samples as in the whole.
 */
const LOOK = { samples: 1 << 12, codes: 1 << 18, runs: 256 };
/** Up to this many times as many samples, reading all of them at once is faster. */
const FEW = 2;

/** Returns the codes of some samples, or of all if there are few; a row per sample. They are read here, not in a pass that counts. */
export async function someCodes(
  problem: Problem,
  atoms: Matrix64,
  pause: Pause,
  wanted = LOOK.samples,
): Promise<Matrix64> {
  const wish = Math.max(LOOK.runs, Math.min(wanted, Math.floor(LOOK.codes / atoms.rows)));
  const isFew = problem.samples <= FEW * wish;
  const [runs, run] = isFew ? [1, problem.samples] : [LOOK.runs, Math.floor(wish / LOOK.runs)];
  const n = problem.input.source.cols;
  const samples = zeros(runs * run, n);
  for (let k = 0; k < runs; k++) {
    await pause();
    const found = await problem.rows(Math.floor((k * (problem.samples - run)) / Math.max(1, runs - 1)), run);
    samples.data.set(found.data, k * run * n);
  }
  return asFloat64(problem.kernels.project(samples, problem.rawAtoms(atoms), { scale: 1 }, 'f64'));
}
