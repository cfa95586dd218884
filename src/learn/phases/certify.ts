/** Decides which atoms are certainly right, and whether a search could find better ones. */
import { certaintyOf, certaintyWords } from '../certificate/certainty.ts';
import { certifyAtoms, isOpen, verdictsOnAtoms } from '../certificate/certify.ts';
import { policy } from '../policy.ts';
import type { Problem } from '../problem.ts';
import { excessKurtosis } from '../refinement/code-distribution.ts';
import type { Found, Job, PhaseEnd } from './job.ts';

/** Certifies the atoms. Only refined ones can have exact zeros; a fallback, if one may follow, wants verdicts on any. */
export async function certify({ problem, settings }: Job, found: Found, hasFallback: boolean): Promise<PhaseEnd> {
  const { atoms, offset, refined } = found;
  const there = problem.about(offset);
  const { verdicts } = refined || hasFallback ? await certifyAtoms(there, atoms, settings.precision) : { verdicts: [] };
  const certainty = certaintyOf(verdictsOnAtoms(problem, { atoms, verdicts }), atoms.rows);
  const isSearched = hasFallback && verdicts.some(({ refusal }) => isOpen(refusal));
  const isHopeless =
    isSearched && !refined && settings.fallback === 'auto' && (await hasTailsWithoutZeros(there, atoms));
  return {
    code: isSearched && !isHopeless ? 'open' : 'closed',
    reason: certaintyWords(certainty),
    found: { ...found, verdicts, certainty },
  };
}

/**
 * Whether the codes of whitened samples, in which a refinement found no zeros, have heavy tails: words, pictures, sounds. Sparse codes
 * with tails as heavy are sparse enough for the refinement to find their zeros, and few samples make lighter tails look heavy.
 */
async function hasTailsWithoutZeros(problem: Problem, atoms: Found['atoms']): Promise<boolean> {
  const { samples, size, input } = problem;
  if (!input.coordinates.whitened) return false;
  const { tails, tailsPerShare } = policy.certify;
  const kurtosis = excessKurtosis(await problem.plainHistogram(atoms)).sort();
  return kurtosis[size >> 1] > tails + tailsPerShare * (size / samples);
}
