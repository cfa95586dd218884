/** Decides which atoms are certainly right, and whether a search could find better ones. */
import { type Progress, stopAfterIterations, stopAfterSeconds, stopWhenChangeBelow } from '../../engine/stop.ts';
import { certaintyOf, certaintyWords } from '../certificate/certainty.ts';
import { certifyAtoms, isOpen, verdictsOnAtoms } from '../certificate/certify.ts';
import { areSame } from '../likelihood/search.ts';
import { policy } from '../policy.ts';
import type { Problem } from '../problem.ts';
import { excessKurtosis } from '../refinement/code-distribution.ts';
import { randomStart } from '../start.ts';
import { basinTolerance } from './explore.ts';
import type { Found, Job, PhaseEnd } from './job.ts';

/** Certifies the atoms. Only refined ones can have exact zeros; a fallback, if one may follow, wants verdicts on any. */
export async function* certify(job: Job, before: Found, hasFallback: boolean): AsyncGenerator<Progress, PhaseEnd> {
  const { problem, settings } = job;
  const { atoms, offset, refined } = before;
  const there = problem.about(offset);
  const { verdicts } = refined || hasFallback ? await certifyAtoms(there, atoms, settings.precision) : { verdicts: [] };
  const certainty = certaintyOf(verdictsOnAtoms(problem, { atoms, verdicts }), atoms.rows);
  const found = { ...before, verdicts, certainty };
  const end = (code: 'open' | 'closed', changes: Partial<Found> = {}): PhaseEnd => {
    return { code, reason: certaintyWords(certainty), found: { ...found, ...changes } };
  };
  if (!hasFallback || !verdicts.some(({ refusal }) => isOpen(refusal))) return end('closed');
  const isDoubtful = !refined && settings.fallback === 'auto' && (await hasTailsWithoutZeros(there, atoms));
  if (!isDoubtful) return end('open');
  const again = yield* exploreAgain(job, atoms);
  const iterations = found.iterations + again.iterations;
  if (again.status === 'aborted') return end('closed', { iterations, status: 'aborted' });
  return end(again.isSame ? 'open' : 'closed', { iterations });
}

/**
 * Whether the codes of whitened samples, in which a refinement found no zeros, have heavy tails: words, pictures, sounds, or very
 * sparse codes with noise. Few samples make lighter tails look heavy.
 */
async function hasTailsWithoutZeros(problem: Problem, atoms: Found['atoms']): Promise<boolean> {
  const { samples, size, input } = problem;
  if (!input.coordinates.whitened) return false;
  const { tails, tailsPerShare } = policy.certify;
  const kurtosis = excessKurtosis(await problem.plainHistogram(atoms)).sort();
  return kurtosis[size >> 1] > tails + tailsPerShare * (size / samples);
}

/**
 * Explores a part of the samples from another start, for a few steps: sparse codes lead to the same atoms at once, and there a search
 * pays. Real data does not.
 */
async function* exploreAgain({ problem, method, settings, run }: Job, atoms: Found['atoms']) {
  const { size, kernels } = problem;
  const { samples, perAtom } = policy.refine;
  const part = await problem.part(Math.min(Math.max(samples, perAtom * size), problem.samples));
  const start = randomStart(size, settings.seed, kernels, 'another start');
  const solver = { ...method.solver!(part, settings, start), name: 'explore again' };
  const { state, status, iterations } = yield* run.steps(solver, {
    stop: [
      stopWhenChangeBelow(basinTolerance(size)),
      stopAfterIterations(policy.certify.steps),
      stopAfterSeconds(settings.maxSeconds, run.looped),
    ],
    samplesPerStep: part.samples,
  });
  return { status, iterations, isSame: areSame(solver.atoms(state, status === 'converged'), atoms, kernels) };
}
