/** Which atoms several runs agree on: those that every one of them found, up to sign and order. */

import { demand } from '../core/errors.ts';
import { type Matrix, range } from '../core/matrix.ts';
import { requireMatrixForm } from '../core/require-matrix.ts';
import { MATCHED_COSINE, matchAtoms } from './match-atoms.ts';

/** How many runs found each atom. */
export interface Agreement {
  /** Number of atoms compared. */
  readonly atoms: number;
  /** Number of atoms that every run found. */
  readonly byAll: number;
  /** Number of runs that found each atom, including the run that these atoms are from. */
  readonly found: readonly number[];
}

/** Compares the `atoms` of one run, K×n, with those of the others. An atom is found where its partner has |cosine| > 0.99. */
export function agreement(atoms: Matrix, others: readonly Matrix[]): Agreement {
  requireMatrixForm('agreement', 'atoms', atoms);
  demand(Array.isArray(others), 'agreement', 'others', 'an array of matrices', typeof others);
  const found = range(atoms.rows).map(() => 1);
  for (const other of others) {
    for (const { learned, cosine } of matchAtoms(atoms, other).pairs) if (cosine > MATCHED_COSINE) found[learned]++;
  }
  return { atoms: atoms.rows, byAll: found.filter((count) => count === others.length + 1).length, found };
}
