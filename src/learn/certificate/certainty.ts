/** Certainty of the atoms of a result, as numbers and in words. */
import { type Matrix64, range, row, unitRows } from '../../core/matrix.ts';
import { requireObject } from '../../core/require-matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { type AtomVerdict, digitsOf, type Refusal } from './certificate.ts';

/** Certainty of the atoms of a result. */
export interface Certainty {
  /** Atoms that are certified by exact zeros of their codes (see certificate.ts). */
  readonly certified: number;
  /** Number of atoms. */
  readonly atoms: number;
  /** Largest distance of every certified atom to the true one, both of length 1; undefined for the others. */
  readonly errors: readonly (number | undefined)[];
  /** Decimal digits that are right in every certified atom; absent if none is certified. */
  readonly digits?: number;
  /** Why most of the other atoms are not certified; absent if all are, or if none was checked. */
  readonly refusal?: Refusal;
  /** Whether two different starts ended in the same atoms. */
  readonly reproducible: boolean;
}

export function certaintyOf(verdicts: readonly AtomVerdict[], atoms: number, reproducible = false): Certainty {
  const errors = range(atoms).map((i) => verdicts[i]?.error);
  const certified = errors.filter((error) => error !== undefined);
  const refusals = verdicts.flatMap(({ refusal }) => refusal ?? []);
  const times = (refusal: Refusal) => refusals.filter((other) => other === refusal).length;
  const [refusal] = refusals.sort((a, b) => times(b) - times(a));
  return {
    certified: certified.length,
    atoms,
    errors,
    ...(certified.length > 0 && { digits: digitsOf(Math.max(...certified)) }),
    ...(refusal && { refusal }),
    reproducible,
  };
}

/** Reorders the errors to match `atoms` (K×n, or more), which are the atoms `learned` (K×n) in another order. */
export function inOrderOf(certainty: Certainty, atoms: Matrix64, learned: Matrix64, kernels: Kernels): Certainty {
  const cosines = kernels.multiply(learned, unitRows(atoms), 'nt');
  const errors: (number | undefined)[] = new Array(atoms.rows).fill(undefined);
  certainty.errors.forEach((error, i) => {
    const own = row(cosines, i).map(Math.abs);
    errors[own.indexOf(Math.max(...own))] = error;
  });
  return { ...certainty, errors };
}

const REASONS: Readonly<Record<Refusal, string>> = {
  'no energy': 'too few samples use them',
  'no zeros': 'their codes have no exact zeros',
  'few zeros': 'their codes have too few zeros apart from those of other atoms',
  undetermined: 'the zeros of their codes leave room to turn them',
  shared: 'other atoms are used by nearly the same samples',
  'few values': 'the codes take few values, so that another basis has as many zeros',
  imprecise: 'the zeros of their codes tell too few digits',
  others: 'too many other atoms are not certified',
};

/** Formats the certainty, such as `certified: 50 of 50 atoms to 9 digits`. */
export function certaintyWords(certainty: Certainty): string {
  requireObject('certaintyWords', 'certainty', certainty, 'the certainty of a result');
  const { certified, atoms, digits, refusal, reproducible } = certainty;
  const reason = refusal ? `; the others are not: ${REASONS[refusal]}` : '';
  if (certified > 0) return `certified: ${certified} of ${atoms} atoms to ${digits} digits${reason}`;
  if (reproducible) return 'reproducible from two starts';
  return refusal ? `not certified: ${REASONS[refusal]}` : 'not certified';
}

/** Returns whether another start would end in the same atoms, as far as the data shows. */
export const isSure = (certainty: Certainty | undefined): boolean =>
  certainty !== undefined && (certainty.certified === certainty.atoms || certainty.reproducible);
