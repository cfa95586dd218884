/**
 * The objective where no dictionary is known: the energy that is missing when every held-out sample keeps k codes.
 *
 *     residual = Σ_j ‖y_j − ŷ_j‖² / Σ_j ‖y_j‖²,   ŷ = Σ x_i a_i over k atoms, chosen by orthogonal matching pursuit
 *
 * If the atoms are orthonormal, these are the k largest codes. The mean of a model that has one counts as an atom: k
 * numbers describe a sample, for every contender.
 */
import { type Matrix64, overcompleteDictionary } from 'orthodict';
import { norm, row, rowRange, selectRows, stackRows } from 'orthodict/extend';
import type { Arrays } from '../../contenders/contender.ts';

/** Samples whose codes are in memory at a time. */
const CHUNK = 5000;

/** The residual of `atoms` and, if the contender subtracts it, `mean`; 1 if the atoms are not finite, or all zero. */
export async function heldOutResidual(heldOut: Matrix64, found: Arrays, k: number): Promise<number> {
  const atoms = found.mean ? stackRows(found.mean, found.atoms) : found.atoms;
  const used = Array.from({ length: atoms.rows }, (_, i) => i).filter((i) => norm(row(atoms, i)) > 0);
  if (used.length === 0 || !atoms.data.every(Number.isFinite)) return 1;
  const dictionary = overcompleteDictionary({ atoms: selectRows(atoms, used), keep: k });
  let [left, energy] = [0, 0];
  for (let start = 0; start < heldOut.rows; start += CHUNK) {
    const { data, ...shape } = rowRange(heldOut, start, Math.min(start + CHUNK, heldOut.rows));
    const again = await dictionary.decode(await dictionary.encode({ ...shape, data }));
    for (let i = 0; i < data.length; i++) {
      left += (data[i] - again.data[i]) ** 2;
      energy += data[i] ** 2;
    }
  }
  return energy === 0 ? 0 : left / energy;
}
