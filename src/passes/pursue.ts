/** Codes of one chunk by orthogonal matching pursuit, compressed. Not a sum: contributions are taken one by one, in order. */
import type { Conditioning, Kernels } from '../kernels/kernels.ts';
import { type PursuitLimits, pursue, type SparseCodes } from '../linalg/pursuit.ts';
import { type Matrix, type Matrix64, zeros } from '../matrix.ts';
import { conditioned } from './conditioned.ts';
import type { Pass } from './pass.ts';

export interface PursueParams {
  /** D, K×n, unit rows. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  readonly limits: PursuitLimits;
}

export const pursuePass: Pass<PursueParams, SparseCodes> = {
  name: 'pursue',
  effort: 16,
  contribute: ({ samples }, params, kernels) => pursueSamples(samples, params, kernels),
  add() {
    throw new Error('pursue: codes are taken chunk by chunk, they do not add up.');
  },
};

/** Without a limit a pursuit ends when this much, relatively, is left: for samples without noise it is all. */
const NOTHING_LEFT = 1e-6;

export function pursueSamples(
  samples: Matrix,
  { atoms, conditioning, limits }: PursueParams,
  kernels: Kernels,
): SparseCodes {
  const Y = conditioned(samples, conditioning);
  const { rows, cols, data } = Y;
  const energies = new Float64Array(rows);
  for (let j = 0; j < rows; j++) {
    for (let at = j * cols; at < (j + 1) * cols; at++) energies[j] += data[at] * data[at];
  }
  const gram = kernels.multiply(atoms, atoms, 'nt');
  const most = Math.min(limits.keep ?? cols, cols);
  return pursue(kernels.multiply(Y, atoms, 'nt'), energies, gram, most, limits.residual ?? NOTHING_LEFT);
}

/** b×K. */
export function expand({ starts, atoms, values }: SparseCodes, components: number): Matrix64 {
  const X = zeros(starts.length - 1, components);
  for (let j = 0; j < X.rows; j++) {
    for (let at = starts[j]; at < starts[j + 1]; at++) X.data[j * components + atoms[at]] = values[at];
  }
  return X;
}

export function joinCodes(parts: readonly SparseCodes[]): SparseCodes {
  const rows = parts.reduce((sum, { starts }) => sum + starts.length - 1, 0);
  const total = parts.reduce((sum, { values }) => sum + values.length, 0);
  const all = { starts: new Int32Array(rows + 1), atoms: new Int32Array(total), values: new Float64Array(total) };
  let sample = 0;
  let first = 0;
  for (const { starts, atoms, values } of parts) {
    for (let j = 1; j < starts.length; j++) all.starts[++sample] = first + starts[j];
    all.atoms.set(atoms, first);
    all.values.set(values, first);
    first += values.length;
  }
  return all;
}
