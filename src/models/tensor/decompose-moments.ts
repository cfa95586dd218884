/**
 * Orthogonal decomposition of the third moment of samples, without forming it:
 *
 *     T = 1/p Σ_l z_l ⊗ z_l ⊗ z_l,     z = y, y − mean, or W (y − mean) with W = S^(−1/2) of the covariance S
 *
 * With whitening its factors are the unmixing directions of skewed independent components. Memory: two copies of the samples as
 * float64, 16 bytes a number.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix, type Matrix64, zeros } from '../../core/matrix.ts';
import type { Executor } from '../../engine/executor.ts';
import { selectKernels } from '../../kernels/select.ts';
import { eigh, symmetricPower } from '../../linalg/eigh.ts';
import { onThreadsOf } from '../../rotations/turn-groups.ts';
import { type DecomposeOptions, type Decomposition, decomposeObjective } from './decompose.ts';
import { momentObjective } from './moment-objective.ts';

export interface MomentOptions extends DecomposeOptions {
  /** Subtract the mean sample: the central moment. */
  readonly center?: boolean | undefined;
  /** Subtract the mean and make the covariance the identity. */
  readonly whiten?: boolean | undefined;
  /** Threads to share the planes among; default: the calling one alone. */
  readonly executor?: Executor | undefined;
}

export interface MomentDecomposition extends Decomposition {
  readonly mean?: Float64Array | undefined;
  /** W, d×d. */
  readonly whitening?: Matrix64 | undefined;
}

/** A covariance whose smallest eigenvalue is below this share of the largest has no inverse. */
const SINGULAR = 1e-12;

export async function decomposeMoments(samples: Matrix, options: MomentOptions = {}): Promise<MomentDecomposition> {
  const kernels = options.executor?.kernels ?? options.kernels ?? (await selectKernels('auto'));
  const { center, whiten } = options;
  const components = componentMajor(samples);
  const mean = center || whiten ? subtractMeans(components) : undefined;
  const whitening = whiten ? inverseRoot(components, kernels) : undefined;
  const x = whitening ? kernels.multiply(whitening, components) : components;
  const objective = momentObjective(
    [{ x, weight: 1 / samples.rows }],
    kernels,
    onThreadsOf(options.executor, options.signal),
  );
  return { ...(await decomposeObjective(objective, { ...options, kernels })), mean, whitening };
}

function componentMajor({ rows: p, cols: d, data }: Matrix): Matrix64 {
  if (p === 0 || d === 0) throw inputError('tensor', 'samples', 'at least one row and one column', `${p}×${d}`);
  let out: Matrix64;
  try {
    out = zeros(d, p);
  } catch {
    const got = `${p} × ${d} numbers; take fewer samples`;
    throw inputError('tensor', 'samples', 'few enough to be held in memory as float64, twice', got);
  }
  for (let l = 0, at = 0; l < p; l++) {
    for (let k = 0; k < d; k++, at++) {
      if (!Number.isFinite(data[at])) {
        throw inputError('tensor', 'samples', 'finite', `${data[at]} at row ${l}, column ${k}`);
      }
      out.data[k * p + l] = data[at];
    }
  }
  return out;
}

/** In place; returns them. */
function subtractMeans({ rows, cols, data }: Matrix64): Float64Array {
  return Float64Array.from({ length: rows }, (_, k) => {
    const component = data.subarray(k * cols, (k + 1) * cols);
    const mean = component.reduce((sum, value) => sum + value, 0) / cols;
    for (let l = 0; l < cols; l++) component[l] -= mean;
    return mean;
  });
}

function inverseRoot(components: Matrix64, kernels: Awaited<ReturnType<typeof selectKernels>>): Matrix64 {
  const covariance = kernels.multiply(components, components, 'nt');
  const data = covariance.data.map((value) => value / components.cols);
  const eigen = eigh({ ...covariance, data }, kernels);
  const rank = eigen.values.filter((value) => value > SINGULAR * eigen.values[0]).length;
  if (rank < components.rows) {
    throw inputError('tensor', 'samples', `of full rank ${components.rows} to be whitened`, `rank ${rank}`);
  }
  return symmetricPower(eigen, -0.5);
}
