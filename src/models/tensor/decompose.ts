/**
 * Orthogonal decomposition of a symmetric tensor, T ≈ Σ_i w_i v_i ⊗ v_i ⊗ v_i with orthonormal v_i: maximise
 *
 *     f(V) = Σ_i T(v_i, v_i, v_i)
 *
 * by plane rotations. Where T has such a decomposition with w > 0, its factors are the only stable points of f (Theorem 3).
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, selectRows } from '../../core/matrix.ts';
import { createRandom } from '../../core/random.ts';
import type { Progress, Status } from '../../engine/stop.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { selectKernels } from '../../kernels/select.ts';
import { randomOrthogonal } from '../../linalg/qr.ts';
import { ascend, type RotationObjective } from '../../rotations/engine.ts';
import type { PairRule } from '../../rotations/pairs.ts';
import { denseTensorObjective } from './dense-objective.ts';
import type { SymmetricTensor } from './symmetric-tensor.ts';

export interface DecomposeOptions {
  /** Order of the planes. */
  readonly pairs?: PairRule | undefined;
  /** Random starts, of which the best is kept. */
  readonly starts?: number | undefined;
  readonly maxSweeps?: number | undefined;
  /** Stop when a sweep moves the factors by no more than this (root mean square). */
  readonly tolerance?: number | undefined;
  readonly seed?: number | undefined;
  /** Begin here (d×d, orthogonal) and not at random. */
  readonly start?: Matrix64 | undefined;
  readonly kernels?: Kernels | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export const decomposeDefaults = Object.freeze({
  pairs: 'tournament',
  starts: 1,
  maxSweeps: 200,
  tolerance: 1e-12,
  seed: 0,
} as const satisfies DecomposeOptions);

export interface Decomposition {
  /** d×d, a factor per row, of falling weight. */
  readonly factors: Matrix64;
  /** w_i = T(v_i, v_i, v_i) ≥ 0. */
  readonly weights: Float64Array;
  /** Σ w_i */
  readonly objective: number;
  readonly status: Status;
  readonly reason: string;
  /** Of the start that was kept. */
  readonly sweeps: number;
}

export interface TensorDecomposition extends Decomposition {
  /** ‖T − Σ w v⊗v⊗v‖_F / ‖T‖_F */
  readonly residual: number;
}

export async function decomposeTensor(
  T: SymmetricTensor,
  options: DecomposeOptions = {},
): Promise<TensorDecomposition> {
  const kernels = options.kernels ?? (await selectKernels('auto'));
  const found = await decomposeObjective(denseTensorObjective(T, kernels), { ...options, kernels });
  const norm = squaredNorm(T.data);
  const rest = Math.max(0, norm - squaredNorm(found.weights)); // the v⊗v⊗v are orthonormal
  return { ...found, residual: norm > 0 ? Math.sqrt(rest / norm) : 0 };
}

/** The same for any objective whose rows have weights that its value is the sum of. */
export async function decomposeObjective(
  objective: RotationObjective,
  options: DecomposeOptions & { readonly kernels: Kernels },
): Promise<Decomposition> {
  const { starts = decomposeDefaults.starts, seed = decomposeDefaults.seed, start, signal } = options;
  const { maxSweeps = decomposeDefaults.maxSweeps, tolerance = decomposeDefaults.tolerance } = options;
  if (!Number.isInteger(starts) || starts < 1) throw inputError('tensor', 'starts', 'a whole number from 1', starts);
  if (!Number.isInteger(maxSweeps) || maxSweeps < 1) {
    throw inputError('tensor', 'maxSweeps', 'a whole number from 1', maxSweeps);
  }
  if (!(tolerance >= 0)) throw inputError('tensor', 'tolerance', 'a number, 0 or more', tolerance);
  const random = createRandom(seed, 'start of a decomposition');
  let best: Decomposition | undefined;
  for (let attempt = 0; attempt < (start ? 1 : starts); attempt++) {
    const { state, status, reason, sweeps } = await ascend(objective, {
      ...options,
      start: start ?? randomOrthogonal(objective.size, random),
      pairs: options.pairs ?? decomposeDefaults.pairs,
      seed,
      maxSweeps,
      tolerance,
      name: 'tensor',
    });
    if (!best || state.objective > best.objective) {
      best = { ...(await ordered(objective, state.atoms)), objective: state.objective, status, reason, sweeps };
    }
    if (signal?.aborted) return { ...best, status: 'aborted', reason: 'aborted' };
  }
  return best!;
}

async function ordered(
  objective: RotationObjective,
  A: Matrix64,
): Promise<{ factors: Matrix64; weights: Float64Array }> {
  await objective.restore(A);
  const weights = Float64Array.from({ length: A.rows }, (_, i) => -objective.signs!.gain(i) / 2);
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  return { factors: selectRows(A, order), weights: Float64Array.from(order, (i) => weights[i]) };
}

const squaredNorm = (values: Float64Array): number => values.reduce((sum, value) => sum + value * value, 0);
