/**
 * Remarks for the user on the codes that a run has found. Whitened data is often mixed signals, and the l4 norm
 * finds sources that are sparse. For others independent component analysis errs less, or finds sources where the l4 norm
 * finds none; a remark reports this.
 *
 * Codes are sparse if many are near zero: below a quarter of their root mean square. These are 14 % of uniform codes, 20 %
 * of normal ones, 30 % of Laplace's; of Bernoulli-Gaussian ones at least 1 − θ, and with noise of a tenth still half. Zero
 * is where codes are densest: the mean sample is not where they vanish, if their own mean is not zero. In the root mean
 * square the largest codes count as if they were smaller, so that a few outliers do not set it.
 */
import { breather, type Steps, withPauses } from '../core/breathe.ts';
import type { Matrix64 } from '../core/matrix.ts';
import { isSure } from './certificate/certainty.ts';
import type { CommonSettings } from './common-options.ts';
import type { AnyMethod } from './methods/method.ts';
import type { Found } from './phases/job.ts';
import type { Problem } from './problem.ts';
import { departureFromNormal } from './refinement/code-distribution.ts';
import type { Remark } from './remarks.ts';
import { someCodes } from './some-codes.ts';
import { randomStart } from './start.ts';

const NEAR = 0.25;
/** An atom is sparse if at least this share of its codes is near zero. */
const SPARSE = 0.4;
/** Share of atoms allowed to be dense before we warn. */
const FEW = 0.25;
/**
 * Codes have heavy tails rather than a peak if at most this percentage is near zero, of Laplace's 30, and their excess kurtosis without
 * outliers is above this: word vectors have 23 and 2.4 to 2.7.
 */
const TAILS = { mostNearZero: 26, kurtosis: 1 };
/** Zero is the middle of the shortest interval with this share of the codes. */
const DENSEST = 1 / 8;
/** Share of the largest codes that are clipped to the next largest. */
const OUTLIERS = 0.002;
/** Codes smaller than this share of the root mean square are zero, however rare the others are. */
const ZERO = 1e-6;

/**
 * Codes of Gaussian samples are further from normal than in a random basis by up to 4 for every plane that an atom can be turned in,
 * and by 40 in two dimensions, measured for 2 to 64 atoms and 1 to 100 samples an atom. A random basis within `more` counts as normal.
 */
const CHANCE = { perPlane: 4, more: 60 };

/** Returns the remarks of a run that looks for sparse codes. `end`: its last atoms, in working coordinates. */
export async function remarksOnCodes(
  problem: Problem,
  end: Pick<Found, 'atoms' | 'certainty'>,
  method: AnyMethod,
  { whiten }: Pick<CommonSettings, 'whiten'>,
): Promise<Remark[]> {
  if (method.space !== 'orthogonal' || method.forComparison || method.independent || problem.size < 2) return [];
  const isCertain = isSure(end.certainty) || (end.certainty?.certified ?? 0) > 0;
  if (!isCertain && (await looksNormal(problem, end.atoms))) {
    const text =
      'nothing sparser than chance was found: the codes are no sparser than those of pure noise; this basis is one of many';
    return [{ code: 'nothing-sparser', text }];
  }
  return whiten === 'none' ? [] : remarksOnDensity(problem, end.atoms);
}

/** Whether codes are normal in a random basis, and no further from normal in the learned one than those of noise would be. */
async function looksNormal(problem: Problem, atoms: Matrix64): Promise<boolean> {
  const { samples, size, kernels } = problem;
  const departure = async (A: Matrix64) => {
    const { statistic, bins, codes } = departureFromNormal(await problem.plainHistogram(A));
    return ((statistic - bins) * samples * size) / Math.max(codes, 1); // perhaps only part of the samples was counted
  };
  const random = await departure(randomStart(size, 0, kernels, 'basis to compare with'));
  if (random > CHANCE.more) return false;
  const planes = (size * (size - 1)) / 2;
  return (await departure(atoms)) - random <= CHANCE.perPlane * planes + CHANCE.more;
}

/** Returns the remarks on dense codes of whitened data. */
async function remarksOnDensity(problem: Problem, atoms: Matrix64): Promise<Remark[]> {
  const means = problem.energies(atoms).map((energy) => Math.sqrt(energy / problem.samples));
  const pause = breather(problem.input.signal);
  const codes = await someCodes(problem, atoms, pause);
  const shares = await withPauses(nearZeroShares(codes, means), pause);
  const dense = shares.filter((share) => share < SPARSE);
  if (dense.length <= FEW * shares.length) return [];
  const usual = Math.round(100 * middle(dense));
  const count = `${dense.length} of ${shares.length} atoms`;
  const tails = await withPauses(kurtoses(codes, means), pause);
  const kurtosis = middle(tails.filter((_, k) => shares[k] < SPARSE));
  if (usual <= TAILS.mostNearZero && kurtosis > TAILS.kurtosis) {
    const text = `the codes of ${count} have heavy tails but few zeros (${usual} % near zero, of normal codes 20 %): each atom is a direction in which few samples stand out; if the data is a mixture of independent sources, --method ica errs less`;
    return [{ code: 'heavy-tails', text }];
  }
  const text = `the codes of ${count} are not sparse (${usual} % near zero, of normal codes 20 %): to unmix such sources, use --method ica`;
  return [{ code: 'dense-codes', text }];
}

/**
 * Computes for every atom with energy, one step each, the share of its codes that are near zero. `codes`: a column per atom; `means`: the root mean
 * square of each over all samples.
 */
export function* nearZeroShares({ rows, cols, data }: Matrix64, means: Float64Array): Steps<number[]> {
  const shares: number[] = [];
  for (let i = 0; i < cols; i++) {
    if (!(means[i] > 0)) continue;
    const { sizes, usual } = sizesOf({ rows, cols, data }, i);
    const cut = Math.max(NEAR * rootMeanSquare(sizes, usual), ZERO * means[i]);
    shares.push(sizes.filter((size) => size < cut).length / rows);
    yield;
  }
  return shares;
}

/** Computes the excess kurtosis of every column with energy about where its codes are densest, one a step; 0 for normal codes. */
function* kurtoses(codes: Matrix64, means: Float64Array): Steps<number[]> {
  const found: number[] = [];
  for (let i = 0; i < codes.cols; i++) {
    if (!(means[i] > 0)) continue;
    const { sizes, usual } = sizesOf(codes, i);
    const fourth = sizes.reduce((sum, size) => sum + Math.min(size, usual) ** 4, 0) / codes.rows;
    found.push(usual > 0 ? fourth / rootMeanSquare(sizes, usual) ** 4 - 3 : 0);
    yield;
  }
  return found;
}

/** Returns the distances of a column's codes from where they are densest, ascending, and the largest that is no outlier. */
function sizesOf({ rows, cols, data }: Matrix64, i: number): { sizes: Float64Array; usual: number } {
  const codes = Float64Array.from({ length: rows }, (_, j) => data[j * cols + i]).sort();
  const zero = densest(codes);
  const sizes = codes.map((x) => Math.abs(x - zero)).sort();
  return { sizes, usual: sizes[Math.ceil((1 - OUTLIERS) * rows) - 1] };
}

/** Returns the middle of the shortest interval that holds an eighth of the sorted numbers. */
function densest(sorted: Float64Array): number {
  const count = Math.ceil(DENSEST * sorted.length);
  let first = 0;
  const width = (from: number) => sorted[from + count - 1] - sorted[from];
  for (let from = 1; from + count <= sorted.length; from++) if (width(from) < width(first)) first = from;
  return (sorted[first] + sorted[first + count - 1]) / 2;
}

/** Root mean square of sizes, each clipped to `most`. */
function rootMeanSquare(sizes: Float64Array, most: number): number {
  return Math.sqrt(sizes.reduce((sum, size) => sum + Math.min(size, most) ** 2, 0) / sizes.length);
}

const middle = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
