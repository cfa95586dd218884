/**
 * What a user should know of the codes that a run has found. Whitened data is often mixed signals, and the l4 norm
 * finds sources that are sparse. For others FastICA's logcosh errs less, or finds sources where the l4 norm finds none:
 * the run says so.
 *
 * Codes are sparse if many are near zero: below a quarter of their root mean square. These are 14 % of uniform codes, 20 %
 * of normal ones, 30 % of Laplace's; of Bernoulli-Gaussian ones at least 1 − θ, and with noise of a tenth still half.
 */
import { HISTOGRAM_BINS, histogramEdge } from '../kernels/kernels.ts';
import type { CommonSettings } from './common-options.ts';
import type { AnyMethod } from './methods/method.ts';
import { Problem } from './problem.ts';

const NEAR = 0.25;
/** An atom whose share of codes near zero is smaller is not sparse. */
const SPARSE = 0.4;
/** So many atoms of a run may be. */
const FEW = 0.25;

/** Of every run on whitened data but FastICA's own. `atoms`: where it ended, in working coordinates. */
export async function remarksOn(
  problem: Problem,
  atoms: Parameters<Problem['histogram']>[0],
  method: AnyMethod,
  { whiten }: Pick<CommonSettings, 'whiten'>,
): Promise<string[]> {
  if (whiten === 'none' || method.name === 'fastica') return [];
  const shares = nearZeroShares(await plainHistogram(problem, atoms)).sort((a, b) => a - b);
  const dense = shares.filter((share) => share < SPARSE);
  if (dense.length <= FEW * shares.length) return [];
  const usual = Math.round(100 * dense[dense.length >> 1]);
  return [
    `the codes of ${dense.length} of ${shares.length} atoms are not sparse (${usual} % near zero, of normal codes 20 %): to unmix such sources, --method fastica --nonlinearity logcosh errs less`,
  ];
}

/** The histogram of the codes as they are: no sample is larger than the norm they are compared to. */
async function plainHistogram(problem: Problem, atoms: Parameters<Problem['histogram']>[0]): Promise<Float64Array> {
  const { input, effort } = problem;
  const meanNorm = input.largest * Math.sqrt(input.source.cols);
  return new Problem({ ...input, sizes: { meanNorm, leastNorm: meanNorm } }, effort).histogram(atoms);
}

/** For every atom with energy, the share of its codes that are near zero. */
export function nearZeroShares(counts: Float64Array): number[] {
  const shares: number[] = [];
  for (let from = 0; from < counts.length; from += HISTOGRAM_BINS) {
    const histogram = counts.subarray(from, from + HISTOGRAM_BINS);
    let [total, energy, near] = [0, 0, 0];
    histogram.forEach((count, bin) => {
      total += count;
      energy += count * SIZES[bin] ** 2;
    });
    const cut = NEAR * Math.sqrt(energy / total);
    histogram.forEach((count, bin) => {
      if (SIZES[bin] < cut) near += count;
    });
    if (energy > 0) shares.push(near / total);
  }
  return shares;
}

/** The size that stands for a bin; the first holds zeros. */
const SIZES = Float64Array.from({ length: HISTOGRAM_BINS }, (_, bin) =>
  bin === 0 ? 0 : (histogramEdge(bin) + histogramEdge(bin + 1)) / 2,
);
