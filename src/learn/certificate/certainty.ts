/** How sure the atoms of a result are, as numbers and in words. */
import { requireObject } from '../../core/require-matrix.ts';
import { type AtomVerdict, digitsOf, type Refusal } from './certificate.ts';

/** How sure the atoms of a result are. */
export interface Certainty {
  /** Atoms that are certified by exact zeros of their codes (see certificate.ts). */
  readonly certified: number;
  /** Number of atoms. */
  readonly atoms: number;
  /** Decimal digits to which every certified atom is right; absent if none is certified. */
  readonly digits?: number;
  /** Why most of the other atoms are not certified; absent if all are, or if none was looked at. */
  readonly refusal?: Refusal;
  /** Two different starts ended in these atoms. */
  readonly reproducible: boolean;
}

export function certaintyOf(verdicts: readonly AtomVerdict[], atoms: number, reproducible = false): Certainty {
  const errors = verdicts.flatMap(({ error }) => error ?? []);
  const refusals = verdicts.flatMap(({ refusal }) => refusal ?? []);
  const times = (refusal: Refusal) => refusals.filter((other) => other === refusal).length;
  const [refusal] = refusals.sort((a, b) => times(b) - times(a));
  return {
    certified: errors.length,
    atoms,
    ...(errors.length > 0 && { digits: digitsOf(Math.max(...errors)) }),
    ...(refusal && { refusal }),
    reproducible,
  };
}

const REASONS: Readonly<Record<Refusal, string>> = {
  'no energy': 'too few samples use them',
  'no zeros': 'their codes have no exact zeros',
  'few zeros': 'their codes have too few zeros apart from those of other atoms',
  undetermined: 'the zeros of their codes leave room to turn them',
  'few values': 'the codes take few values, so that another basis has as many zeros',
  imprecise: 'the zeros of their codes tell too few digits',
};

/** Such as `certified: 50 of 50 atoms to 9 digits`. */
export function certaintyWords(certainty: Certainty): string {
  requireObject('certaintyWords', 'certainty', certainty, 'the certainty of a result');
  const { certified, atoms, digits, refusal, reproducible } = certainty;
  const reason = refusal ? `; the others are not: ${REASONS[refusal]}` : '';
  if (certified > 0) return `certified: ${certified} of ${atoms} atoms to ${digits} digits${reason}`;
  if (reproducible) return 'reproducible from two starts';
  return refusal ? `not certified: ${REASONS[refusal]}` : 'not certified';
}

/** Whether another start would end in the same atoms, as far as the data can tell. */
export const isSure = (certainty: Certainty | undefined): boolean =>
  certainty !== undefined && (certainty.certified === certainty.atoms || certainty.reproducible);
