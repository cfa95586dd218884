/**
 * The objective where no dictionary is known: the energy that is missing when every held-out sample keeps k codes.
 *
 *     residual = Σ_j ‖y_j − ŷ_j‖² / Σ_j ‖y_j‖²,   ŷ = Σ x_i a_i over k atoms, chosen by orthogonal matching pursuit
 *
 * If the atoms are orthonormal, these are the k largest codes. The mean of a model that has one counts as an atom: k
 * numbers describe a sample, whoever learned the atoms.
 */
import { type Matrix64, overcompleteDictionary } from 'orthodict';
import { norm, row, rowRange, selectRows, stackRows } from 'orthodict/extend';
import type { Model, Snapshot } from '../../contenders/contender.ts';

/** Samples whose codes are in memory at a time. */
const CHUNK = 5000;

/** 1 if the atoms are not finite, or all zero. */
export async function heldOutResidual(heldOut: Matrix64, model: Model, k: number): Promise<number> {
  const { mean } = model;
  const atoms = mean ? stackRows({ rows: 1, cols: mean.length, data: mean }, model.atoms) : model.atoms;
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

/** A snapshot with its residual. */
export interface RealMark {
  readonly seconds: number;
  readonly passes: number | null;
  readonly residual: number;
}

/** Scores snapshots one by one and yields to the event loop in between. */
export async function markOnHeldOut(
  snapshots: readonly Snapshot[],
  heldOut: Matrix64,
  k: number,
  signal?: AbortSignal,
): Promise<RealMark[]> {
  const marks: RealMark[] = [];
  for (const snapshot of snapshots) {
    signal?.throwIfAborted();
    const { seconds, passes = null } = snapshot;
    marks.push({ seconds, passes, residual: await heldOutResidual(heldOut, snapshot, k) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return marks;
}
