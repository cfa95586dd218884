/**
 * Orthogonal decomposition of a symmetric tensor, T ≈ Σ_i w_i v_i ⊗ v_i ⊗ v_i with orthonormal v_i: maximise
 *
 *     f(V) = Σ_i T(v_i, v_i, v_i)
 *
 * by plane rotations. If T has such a decomposition with w > 0, its factors are the only stable points of f (Theorem
 * 3). Noise limits how exact factors can be, and which can be found at all (certainty.ts): a start ends when what it
 * still moves is far below the noise, or when it has found noise alone; the next start leaves certain factors alone.
 */
import { hashNumbers } from '../../core/hash.ts';
import { type Matrix64, rowRange, selectRows, stackRows, toFloat64 } from '../../core/matrix.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import type { Status, StopRule } from '../../engine/stop.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { randomOrthogonal } from '../../linalg/qr.ts';
import { ascendIn } from '../../rotations/ascend.ts';
import type { GivensState, RotationObjective } from '../../rotations/coordinate-ascent.ts';
import { restIsNoise, type TensorCertainty, tensorCertaintyOf } from './certainty.ts';
import { denseTensorObjective } from './dense-objective.ts';
import type { TensorOptions } from './option-types.ts';
import { describeSettings, EXACT, requireStartMatrix, type TensorSettings, tensorOptions } from './options.ts';
import { cubeWeights, requireTensor, type SymmetricTensor } from './symmetric-tensor.ts';

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

/** Factors of a tensor, how certain they are, and the residual. */
export interface TensorResult extends Decomposition {
  readonly certainty: TensorCertainty;
  /** ‖T − Σ w v⊗v⊗v‖_F / ‖T‖_F */
  readonly residual: number;
  readonly seconds: number;
}

/** Judges how certain factors with these descending weights are. */
type Judge = (weights: Float64Array) => TensorCertainty;

/** Number of sweeps between two checks of the noise. */
const LOOK_EVERY = 5;
/** Number of sweeps after which factors should stand out from noise, if they ever do. */
const PATIENCE = 30;
/** A sweep that moves factors by less than this share of their error changes nothing that matters. */
const SETTLED = 1e-3;

/**
 * Orthogonal factors of a symmetric d×d×d tensor: T ≈ Σ w v⊗v⊗v.
 *
 * @example
 * ```js
 * import { fromFactors, fromRows, learnTensor } from 'orthodict';
 *
 * const tensor = fromFactors(fromRows([[0.6, 0.8], [-0.8, 0.6]]), [3, 2]);
 * const { weights, residual, certainty } = await learnTensor(tensor);
 * console.log(Math.round(weights[0]), Math.round(weights[1])); // 3 2
 * console.log(residual); // below 1e-7
 * console.log(certainty.certain); // 2
 * ```
 */
export async function learnTensor(
  tensor: SymmetricTensor,
  options: TensorOptions = {},
  run: RunOptions = {},
): Promise<TensorResult> {
  const settings = tensorOptions.settle('learnTensor', options);
  const T = requireTensor('learnTensor', 'tensor', tensor);
  requireStartMatrix('learnTensor', settings, T.size);
  const started = await Run.start('learnTensor', run);
  const data = `${T.size}-${hashNumbers([T.data])}`;
  await started.open({ data, options: { model: 'tensor', ...describeSettings(settings) } });
  const norm = squaredNorm(T.data);
  const restOf = (weights: Float64Array) => Math.max(0, norm - squaredNorm(weights)); // the v⊗v⊗v are orthonormal
  const judge: Judge = (weights) => tensorCertaintyOf(weights, restOf(weights));
  const stop = settings.tolerance === 'auto' ? [stopByNoise(T, judge, started.kernels)] : [];
  const found = await decomposeObjective(denseTensorObjective(T, started.kernels), settings, started, { judge, stop });
  const residual = norm > 0 ? Math.sqrt(restOf(found.weights) / norm) : 0;
  return { ...found, certainty: judge(found.weights), residual, seconds: started.seconds };
}

/** Stops when the noise leaves nothing to gain. It depends on the state alone, so resumed runs end the same way. */
function stopByNoise(T: SymmetricTensor, judge: Judge, kernels: Kernels): StopRule<GivensState> {
  return ({ iteration, change }, { atoms }) => {
    if (iteration % LOOK_EVERY !== 0) return undefined;
    const weights = cubeWeights(T, atoms, kernels).sort().reverse();
    const certainty = judge(weights);
    if (change <= SETTLED * Math.min(...certainty.errors)) {
      return {
        status: 'converged',
        code: 'change',
        reason: `change ${change.toExponential(1)} ≤ ${SETTLED} of the error due to noise`,
      };
    }
    if (iteration < PATIENCE || !restIsNoise(weights, certainty)) return undefined;
    return certainty.certain > 0
      ? {
          status: 'converged',
          code: 'noise',
          reason: 'the weights that are not certain are no larger than those of noise',
        }
      : { status: 'exhausted', code: 'noise', reason: 'no larger weights than those of noise' };
  };
}

/** Decomposes a tensor inside a run, for other models. */
export const decomposeTensor = (T: SymmetricTensor, settings: TensorSettings, run: Run): Promise<Decomposition> =>
  decomposeObjective(denseTensorObjective(T, run.kernels), settings, run);

/** How the noise of a tensor ends starts, and judges factors. */
interface Noise {
  readonly judge: Judge;
  readonly stop: readonly StopRule<GivensState>[];
}

/** Decomposes by any objective that is the sum of the weights of its rows. An abort ends it with the best factors so far. */
export async function decomposeObjective(
  objective: RotationObjective,
  { starts, seed, start, maxIterations, tolerance, pairs }: TensorSettings,
  run: Run,
  { judge, stop }: Partial<Noise> = {},
): Promise<Decomposition> {
  const random = createRandom(seed, 'start of a decomposition');
  const size = objective.size;
  const options = { pairs, seed, maxIterations, tolerance: tolerance === 'auto' ? EXACT : tolerance, stop };
  const certainOf = ({ weights }: Decomposition) => judge?.(weights).certain ?? 0;
  let best: Decomposition | undefined;
  for (let attempt = 0; attempt < (start ? 1 : starts); attempt++) {
    const kept = best ? certainOf(best) : 0;
    if (kept === size) break;
    const first = start ? toFloat64(start) : nextStart(best?.factors, kept, size, random, run.kernels);
    const end = await ascendIn(run, objective, { ...options, start: first, name: 'tensor' });
    const { state, status, reason, iterations } = end;
    const found = {
      ...(await ordered(objective, state.atoms)),
      objective: state.objective,
      status,
      reason,
      iterations,
    };
    const ahead = best ? certainOf(found) - kept || found.objective - best.objective : 1;
    if (!best || ahead > 0) best = found;
    if (status === 'aborted') return { ...best, status, reason };
  }
  return best!;
}

/** The next start: the first `kept` factors stay, the others are rotated at random in the space they span. */
function nextStart(
  factors: Matrix64 | undefined,
  kept: number,
  size: number,
  random: Random,
  kernels: Kernels,
): Matrix64 {
  const orthogonal = randomOrthogonal(size - kept, random);
  if (!factors || kept === 0) return orthogonal;
  return stackRows(rowRange(factors, 0, kept), kernels.multiply(orthogonal, rowRange(factors, kept, size)));
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
