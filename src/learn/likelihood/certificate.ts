/**
 * Tells an atom that is right from one that is not, without the truth. An atom is certified if
 *
 * - it carries energy, in several samples;
 * - more than 5K/4 + 2 of its codes are zero: below 1e-4 of the usual size of a code in their sample. K − 1 zeros can be had
 *   in any data by turning the atom, and a few more by turning it within a group of m wrong ones, whose codes all vanish
 *   in some samples;
 * - for every other atom, it is zero in some sample where the other is not; otherwise the two could be turned against each other;
 * - no other atom's support correlates with its own above φ = 1/2. Mixtures of two atoms have zeros too, where both atoms'
 *   codes vanish, but such mixtures come in pairs that share their support.
 *
 *     φ = (P(i and k) − P(i) P(k)) / √(P(i)(1 − P(i)) P(k)(1 − P(k)))          over samples with a zero
 */
import type { Matrix64 } from '../../core/matrix.ts';
import { type Supports, supportsPass } from '../../passes/supports.ts';
import type { Problem } from '../problem.ts';

/** A code this small, relative to the usual size of the sample's codes, is zero. */
const ZERO = 1e-4;
/** Zeros of an atom: more than so many per working coordinate, and this number. */
const FEWEST_ZEROS = { perCoordinate: 1.25, more: 2 };
/** Less energy, relative to the mean of all atoms, is rounding or noise; fewer non-zeros are chance. */
const FAINT = 1e-6;
const FEWEST_CODES = 3;
/** Largest correlation of the supports of two different atoms. */
const SHARED = 0.5;
/** Samples that are enough: a number, or so many per atom. They are read in short runs: data may be sorted. */
const ENOUGH = { samples: 1024, perAtom: 16 };
const RUN = 64;

/** Samples with a zero are this rare by chance; if more have one, and not all atoms are certified, more samples may do it. */
const BY_CHANCE = 0.02;

/**
 * Which of the atoms (K×K, or the rows of an encoder) are certified. Looks at a part of the samples, if there are many, and at
 * all if the part has zeros but not enough for every atom.
 */
export async function certifyAtoms(problem: Problem, atoms: Matrix64): Promise<boolean[]> {
  const look = (seen: Problem) => seen.sum(supportsPass, atoms, { cut: ZERO });
  const enough = Math.max(ENOUGH.samples, ENOUGH.perAtom * problem.size);
  const part = enough < problem.samples ? problem.spread(enough, { run: RUN }) : problem;
  const supports = await look(part);
  const found = certified(supports, problem.size);
  const isSettled = part === problem || found.every((is) => is) || supports.telling < BY_CHANCE * part.samples;
  return isSettled ? found : certified(await look(problem), problem.size);
}

/** `size`: the number of working coordinates, K. */
export function certified({ telling, zeros, energies, both }: Supports, size: number): boolean[] {
  const K = zeros.length;
  const mean = energies.reduce((sum, energy) => sum + energy, 0) / K;
  const fewest = FEWEST_ZEROS.perCoordinate * size + FEWEST_ZEROS.more;
  const deviation = zeros.map((count) => Math.sqrt((count / telling) * (1 - count / telling)));
  const mixes = (i: number, k: number): boolean => {
    const onlyOther = telling - zeros[k] - both.data[i * K + k];
    if (onlyOther === 0 && zeros[k] < telling) return true;
    const common = both.data[i * K + k] / telling - (1 - zeros[i] / telling) * (1 - zeros[k] / telling);
    return common > SHARED * deviation[i] * deviation[k];
  };
  return Array.from(zeros, (count, i) => {
    const isFaint = !(energies[i] > FAINT * mean) || telling - count < FEWEST_CODES;
    if (isFaint || !(count > fewest)) return false;
    for (let k = 0; k < K; k++) if (k !== i && mixes(i, k)) return false;
    return true;
  });
}
