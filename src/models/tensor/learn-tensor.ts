/**
 * Orthogonal decomposition of a symmetric tensor, T ≈ Σ_i w_i v_i ⊗ v_i ⊗ v_i with orthonormal v_i: maximise
 *
 *     f(V) = Σ_i T(v_i, v_i, v_i)
 *
 * by plane rotations. If T has such a decomposition with w > 0, its factors are the only stable points of f (Theorem
 * 3).
 */
import { hashNumbers } from '../../core/hash.ts';
import { type Matrix64, selectRows, toFloat64 } from '../../core/matrix.ts';
import { createRandom } from '../../core/random.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import type { Status } from '../../engine/stop.ts';
import { randomOrthogonal } from '../../linalg/qr.ts';
import { ascendIn } from '../../rotations/ascend.ts';
import type { RotationObjective } from '../../rotations/engine.ts';
import { denseTensorObjective } from './dense-objective.ts';
import { describeSettings, requireStart, type TensorOptions, type TensorSettings, tensorOptions } from './options.ts';
import { requireTensor, type SymmetricTensor } from './symmetric-tensor.ts';

/** Factors of any tensor, formed or not. */
export interface Decomposition {
  /** d×d, one factor per row, in order of decreasing weight. */
  readonly factors: Matrix64;
  /** w_i = T(v_i, v_i, v_i) ≥ 0. */
  readonly weights: Float64Array;
  /** Σ w_i */
  readonly objective: number;
  readonly status: Status;
  readonly reason: string;
  /** Sweeps of the start that was kept. */
  readonly iterations: number;
}

/** Factors of a tensor, and what they leave out. */
export interface TensorResult extends Decomposition {
  /** ‖T − Σ w v⊗v⊗v‖_F / ‖T‖_F */
  readonly residual: number;
  readonly seconds: number;
}

/**
 * Orthogonal factors of a symmetric d×d×d tensor: T ≈ Σ w v⊗v⊗v.
 *
 * @example
 * ```js
 * import { fromFactors, fromRows, learnTensor } from 'orthodict';
 *
 * const tensor = fromFactors(fromRows([[0.6, 0.8], [-0.8, 0.6]]), [3, 2]);
 * const { weights, residual } = await learnTensor(tensor);
 * console.log(Math.round(weights[0]), Math.round(weights[1])); // 3 2
 * console.log(residual); // below 1e-7
 * ```
 */
export async function learnTensor(
  tensor: SymmetricTensor,
  options: TensorOptions = {},
  run: RunOptions = {},
): Promise<TensorResult> {
  const settings = tensorOptions.settle('learnTensor', options);
  const T = requireTensor('learnTensor', 'tensor', tensor);
  requireStart('learnTensor', settings, T.size);
  const started = await Run.start('learnTensor', run);
  const data = `${T.size}-${hashNumbers([T.data])}`;
  await started.open({ data, options: { model: 'tensor', ...describeSettings(settings) } });
  const found = await decomposeTensor(T, settings, started);
  const norm = squaredNorm(T.data);
  const rest = Math.max(0, norm - squaredNorm(found.weights)); // the v⊗v⊗v are orthonormal
  return { ...found, residual: norm > 0 ? Math.sqrt(rest / norm) : 0, seconds: started.seconds };
}

/** The same inside a run, also for other models. */
export const decomposeTensor = (T: SymmetricTensor, settings: TensorSettings, run: Run): Promise<Decomposition> =>
  decomposeObjective(denseTensorObjective(T, run.kernels), settings, run);

/** The same for any objective that is the sum of weights of its rows. An abort ends it with the best factors so far. */
export async function decomposeObjective(
  objective: RotationObjective,
  { starts, seed, start, maxIterations, tolerance, pairs }: TensorSettings,
  run: Run,
): Promise<Decomposition> {
  const random = createRandom(seed, 'start of a decomposition');
  let best: Decomposition | undefined;
  for (let attempt = 0; attempt < (start ? 1 : starts); attempt++) {
    const first = start ? toFloat64(start) : randomOrthogonal(objective.size, random);
    const options = { start: first, pairs, seed, maxIterations, tolerance, name: 'tensor' };
    const { state, status, reason, iterations } = await ascendIn(run, objective, options);
    if (!best || state.objective > best.objective) {
      best = { ...(await ordered(objective, state.atoms)), objective: state.objective, status, reason, iterations };
    }
    if (status === 'aborted') return { ...best, status, reason };
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
