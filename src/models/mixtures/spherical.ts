/**
 * Mixtures of spherical Gaussians of one variance from moments (Hsu & Kakade 2013), k ≤ d clusters with independent means:
 *
 *     x ~ Σ_k w_k N(μ_k, σ² I),   σ² = mean of the d−k+1 smallest eigenvalues of the covariance
 *     M2 = E[x⊗x] − σ² I = Σ w_k μ_k⊗μ_k,   M3 = E[x⊗x⊗x] − σ² 3 sym(Σ_i e_i⊗e_i⊗E[x]) = Σ w_k μ_k⊗μ_k⊗μ_k
 *
 * With W = S^(−1/2) U of M2 ≈ Uᵀ S U the tensor M3(W, W, W) has orthogonal factors v_k of weights λ_k = 1/√w_k, and
 * μ_k = λ_k Uᵀ S^(1/2) v_k. Expectation maximisation from there leads to the likelihood's maximum next to it.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix, type Matrix64, row, scaleRows, selectRows, toFloat64, zeros } from '../../core/matrix.ts';
import type { Status } from '../../engine/stop.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { selectKernels } from '../../kernels/select.ts';
import { eigh } from '../../linalg/eigh.ts';
import { decomposeTensor } from '../tensor/decompose.ts';
import { denseMoment } from '../tensor/dense-moment.ts';
import { maximiseLikelihood } from './expectation-maximisation.ts';
import { type Assigned, assignToClusters, type Mixture } from './membership.ts';

export interface MixtureOptions {
  /** k, at most the number of features. */
  readonly clusters: number;
  /** Most steps of expectation maximisation after the moments; 0: the moments' estimate. */
  readonly refine?: number | undefined;
  /** Random starts of the decomposition. */
  readonly starts?: number | undefined;
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told in words what is being done. */
  readonly onProgress?: ((words: string) => void) | undefined;
}

export const mixtureDefaults = Object.freeze({ refine: 100, starts: 10, seed: 0 } as const);

export interface MixtureResult extends Mixture, Assigned {
  /** What the moments gave before the likelihood was maximised. */
  readonly byMoments: Mixture;
  /** Steps of expectation maximisation. */
  readonly iterations: number;
  /** `exhausted`: the steps ended before the means stood still. */
  readonly status: Status;
}

/** Eigenvalues of M2 below this share of the largest are rounding. */
const SMALLEST_EIGENVALUE = 1e-10;

export async function learnMixture(samples: Matrix, options: MixtureOptions): Promise<MixtureResult> {
  const { clusters: k, refine = mixtureDefaults.refine, onProgress } = options;
  const { starts = mixtureDefaults.starts, seed = mixtureDefaults.seed, signal } = options;
  requireInput(samples, k, refine);
  const kernels = await selectKernels('auto');
  const X = toFloat64(samples);
  onProgress?.('moments …');
  const { variance, mean, values, vectors } = whitening(X, k, kernels);
  const W = scaleRows(
    vectors,
    values.map((value) => 1 / Math.sqrt(value)),
  );
  const m = kernels.multiply(W, { rows: X.cols, cols: 1, data: mean });
  const repeated = zeros(k, X.cols);
  for (let i = 0; i < k; i++) row(repeated, i).fill(m.data[i]);
  const third = denseMoment([
    { x: kernels.multiply(W, X, 'nt'), weight: 1 / X.rows },
    { x: W, y: repeated, weight: -3 * variance },
  ]);
  const { factors, weights: lambda } = await decomposeTensor(third, { starts, seed, signal, kernels });
  signal?.throwIfAborted();
  const inverse = lambda.map((value) => 1 / value ** 2);
  const total = inverse.reduce((sum, value) => sum + value, 0);
  const directions = kernels.multiply(factors, scaleRows(vectors, values.map(Math.sqrt)));
  const byMoments: Mixture = {
    means: scaleRows(directions, lambda),
    weights: inverse.map((value) => value / total),
    variance,
  };
  const { mixture, iterations, converged } = await maximiseLikelihood(X, byMoments, refine, {
    signal,
    onStep: (step) => onProgress?.(`expectation maximisation ${step}`),
  });
  const found = byWeight(mixture);
  const status = converged ? 'converged' : 'exhausted';
  return { ...found, ...assignToClusters(X, found), byMoments: byWeight(byMoments), iterations, status };
}

/** σ², E[x], and the k largest eigenvalues of M2 with their vectors. */
function whitening(X: Matrix64, k: number, kernels: Kernels) {
  const { rows: p, cols: d } = X;
  const mean = new Float64Array(d);
  for (let at = 0; at < X.data.length; at++) mean[at % d] += X.data[at] / p;
  const second = kernels.multiply(X, X, 'tn');
  for (let at = 0; at < second.data.length; at++) second.data[at] /= p;
  const covariance = {
    ...second,
    data: second.data.map((value, at) => value - mean[Math.floor(at / d)] * mean[at % d]),
  };
  const smallest = eigh(covariance, kernels).values.slice(k - 1);
  const eigen = eigh(second, kernels);
  const rounding = Number.EPSILON * eigen.values[0];
  const variance = Math.max(rounding, smallest.reduce((sum, value) => sum + value, 0) / smallest.length);
  const values = eigen.values.slice(0, k).map((value) => value - variance);
  const rank = values.filter((value) => value > SMALLEST_EIGENVALUE * values[0]).length;
  if (rank < k) throw inputError('mixture', 'clusters', `at most ${rank}, the dimensions that the means span`, k);
  const first = Array.from({ length: k }, (_, i) => i);
  return { variance, mean, values, vectors: selectRows(eigen.vectors, first) };
}

function byWeight({ means, weights, variance }: Mixture): Mixture {
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  return { means: selectRows(means, order), weights: Float64Array.from(order, (i) => weights[i]), variance };
}

function requireInput({ rows, cols, data }: Matrix, k: number, refine: number): void {
  if (!(Number.isInteger(k) && k >= 1)) throw inputError('mixture', 'clusters', 'a whole number from 1', k);
  const most = Math.min(rows, cols);
  if (k > most) throw inputError('mixture', 'clusters', `at most ${most} (${rows} samples, ${cols} features)`, k);
  if (!(Number.isInteger(refine) && refine >= 0)) {
    throw inputError('mixture', 'refine', 'a whole number, 0 or more', refine);
  }
  const bad = data.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    const place = `${data[bad]} at row ${Math.floor(bad / cols)}, column ${bad % cols}`;
    throw inputError('mixture', 'samples', 'finite', place);
  }
}
