/** Compares the certificate of a result with the truth, atom by atom. */
import { type LearnResult, type Matrix64, matchAtoms } from 'orthodict';
import { MATCHED_COSINE } from 'orthodict/extend';

export interface Checked {
  /** Atoms that the result says are certified. */
  readonly certified: number;
  /** Those among them that are off by more than the certificate says, */
  readonly wrong: number;
  /** and those that are near no true atom at all. */
  readonly stray: number;
}

export function checkCertificate({ certainty, dictionary: { atoms } }: LearnResult, truth: Matrix64): Checked {
  const certified = matchAtoms(atoms, truth).pairs.flatMap(({ learned, error, cosine }) => {
    const bound = certainty?.errors[learned];
    return bound === undefined ? [] : { isWrong: !(error <= bound), isStray: !(cosine > MATCHED_COSINE) };
  });
  return {
    certified: certified.length,
    wrong: certified.filter(({ isWrong }) => isWrong).length,
    stray: certified.filter(({ isStray }) => isStray).length,
  };
}
