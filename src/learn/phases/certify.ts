/** Decides which atoms are certainly right. */
import { certaintyOf, certaintyWords } from '../certificate/certainty.ts';
import { certifyAtoms, isOpen, verdictsOnAtoms } from '../certificate/certify.ts';
import type { Found, Job, PhaseEnd } from './job.ts';

/** Certifies the atoms. Only refined ones can have exact zeros; a fallback, if one may follow, wants verdicts on any. */
export async function certify({ problem, settings }: Job, found: Found, hasFallback: boolean): Promise<PhaseEnd> {
  const { atoms, offset } = found;
  const { verdicts } =
    found.refined || hasFallback
      ? await certifyAtoms(problem.about(offset), atoms, settings.precision)
      : { verdicts: [] };
  const certainty = certaintyOf(verdictsOnAtoms(problem, { atoms, verdicts }), atoms.rows);
  return {
    code: verdicts.some(({ refusal }) => isOpen(refusal)) ? 'open' : 'certified',
    reason: certaintyWords(certainty),
    found: { ...found, verdicts, certainty },
  };
}
