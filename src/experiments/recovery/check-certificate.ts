/** Compares the certificate of a result with the truth, atom by atom. */
import { type Matrix, type Matrix64, toFloat64 } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { certificate } from '../../learn/certificate/certificate.ts';
import type { LearnResult } from '../../learn/learn.ts';
import { MATCHED_COSINE, matchAtoms } from '../../metrics/match-atoms.ts';

/** An atom is right from this |cosine| with a true atom on. */
const RIGHT_COSINE = 1 - 1e-8;

export interface Checked {
  /** Atoms that the result says are certified. */
  readonly certified: number;
  /** Those among them that are not right to rounding, */
  readonly wrong: number;
  /** and those that are near no true atom at all. */
  readonly stray: number;
}

/** The result tells how many atoms are certified; which they are is worked out here. */
export function checkCertificate(
  { certainty, dictionary: { atoms } }: LearnResult,
  samples: Matrix,
  truth: Matrix64,
  kernels: Kernels,
): Checked {
  const count = certainty?.certified ?? 0;
  if (count === 0) return { certified: 0, wrong: 0, stray: 0 };
  const { pairs } = matchAtoms(atoms, truth);
  const codes = () => kernels.multiply(atoms as Matrix64, toFloat64(samples), 'nt');
  const isCertified =
    count === atoms.rows
      ? pairs.map(() => true)
      : certificate(codes(), { kernels }).map(({ refusal }) => refusal === undefined);
  const beyond = (least: number): number => {
    const isOff = pairs.map(({ cosine }) => !(cosine > least));
    const counted = isOff.filter((is, i) => is && isCertified[i]).length;
    return Math.max(counted, count - isOff.filter((is) => !is).length);
  };
  return { certified: count, wrong: beyond(RIGHT_COSINE), stray: beyond(MATCHED_COSINE) };
}
