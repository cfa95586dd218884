/** Atoms as the page draws them. */
import type { PatchShape } from 'orthodict';

export interface PictureAtoms {
  /** One after another, each row by row. */
  readonly atoms: Float32Array;
  readonly count: number;
  readonly patch: PatchShape;
  /** The share of the energy by atom, when all is learned. */
  readonly energies?: readonly number[] | undefined;
}
