/** Compares the certificate of a result with the truth, atom by atom. */
import type { Matrix, Matrix64 } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { LearnResult } from '../../learn/learn.ts';
import { certified } from '../../learn/likelihood/certificate.ts';
import { matchAtoms } from '../../metrics/match-atoms.ts';
import { supportsPass } from '../../passes/supports.ts';

/** An atom is right from this |cosine| with a true atom on. */
const RIGHT_COSINE = 1 - 1e-8;
/** As in the certificate. */
const CUT = 1e-4;

export interface Checked {
  /** Atoms that the result says are certified. */
  readonly certified: number;
  /** Those among them that are no true atoms. */
  readonly wrong: number;
}

/** The result tells how many atoms are certified; which they are is worked out here. */
export function checkCertificate(
  { certainty, dictionary: { atoms } }: LearnResult,
  samples: Matrix,
  truth: Matrix64,
  kernels: Kernels,
): Checked {
  const count = certainty?.certified ?? 0;
  if (count === 0) return { certified: 0, wrong: 0 };
  const right = matchAtoms(atoms, truth).pairs.map(({ cosine }) => cosine > RIGHT_COSINE);
  const chunk = { samples, start: 0, index: 0 };
  const supports = supportsPass.contribute(chunk, { atoms, conditioning: { scale: 1 }, cut: CUT }, kernels);
  const isCertified = count === atoms.rows ? right.map(() => true) : certified(supports, atoms.cols);
  const wrong = isCertified.filter((is, i) => is && !right[i]).length;
  const most = right.filter((is) => is).length;
  return { certified: count, wrong: Math.max(wrong, count - most) };
}
