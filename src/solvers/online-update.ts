/**
 * What online dictionary learning (Mairal, Bach, Ponce & Sapiro 2010) remembers and does after every batch of samples.
 *
 *     A ← (1 − w) A + w Xᵀ X/b,   B ← (1 − w) B + w Xᵀ Y/b
 *     for every atom k with A_kk > 0:   u = d_k + (B_k − A_k D)/A_kk,   d_k ← u/max(1, ‖u‖)
 *
 * X are the lasso codes of a batch of b samples. w = 2b/(b + samples before) forgets the codes of poor atoms as it goes; when
 * a batch is all there is, w = 1. An atom that is not used becomes a sample.
 */
import { type Matrix64, row } from '../matrix.ts';
import type { LassoMoments } from '../passes/lasso-moments.ts';

/** Running means of Xᵀ X and Xᵀ Y, K×K and K×n. */
export interface OnlineMemory {
  readonly gram: Matrix64;
  readonly correlation: Matrix64;
}

/** Forgetting: a weight so many times that of a plain mean. */
const FORGETTING = 2;
/** An atom is unused when its codes have less energy than this fraction of the mean. */
const UNUSED = 1e-8;

/** w; `window`: the samples before, or all there are if that is less. */
export const batchWeight = (batch: number, window: number): number =>
  Math.min(1, (FORGETTING * batch) / (batch + window));

export function remember(memory: OnlineMemory, moments: LassoMoments, weight: number): OnlineMemory {
  const { samples } = moments;
  const mix = (old: Matrix64, fresh: Matrix64): Matrix64 => ({
    ...old,
    data: old.data.map((a, at) => (1 - weight) * a + (weight * fresh.data[at]) / samples),
  });
  return { gram: mix(memory.gram, moments.gram), correlation: mix(memory.correlation, moments.correlation) };
}

/** One sweep over the atoms; `spares` are conditioned samples to replace unused atoms by. */
export function updateAtoms(D: Matrix64, { gram, correlation }: OnlineMemory, spares: Matrix64): Matrix64 {
  const [K, n] = [D.rows, D.cols];
  const next = { ...D, data: D.data.slice() };
  let energy = 0;
  for (let k = 0; k < K; k++) energy += gram.data[k * K + k];
  const u = new Float64Array(n);
  for (let k = 0; k < K; k++) {
    const own = gram.data[k * K + k];
    const d = row(next, k);
    if (!(own > (UNUSED * energy) / K)) {
      const sample = row(spares, k % spares.rows);
      const size = norm(sample);
      if (size > 0) d.set(sample.map((y) => y / size));
      continue;
    }
    u.set(row(correlation, k));
    for (let l = 0; l < K; l++) {
      const weight = gram.data[k * K + l];
      if (weight !== 0) for (let j = 0, at = l * n; j < n; j++, at++) u[j] -= weight * next.data[at];
    }
    for (let j = 0; j < n; j++) d[j] += u[j] / own;
    scale(d, 1 / Math.max(1, norm(d)));
  }
  return next;
}

/** λ for conditioned samples: their root mean square norm is √n. */
export const workingLambda = (lambda: number | undefined, n: number): number =>
  (lambda ?? DEFAULT_LAMBDA / Math.sqrt(n)) * Math.sqrt(n);
const DEFAULT_LAMBDA = 0.3;

/** λ of an epoch: it begins large, where few codes are not zero and steps are long, and shrinks to what is asked for. */
export const lambdaOf = (epoch: number, lambda: number): number => Math.max(lambda, FIRST_LAMBDA * SHRINK ** epoch);
/** For conditioned samples. */
const FIRST_LAMBDA = 1.2;
const SHRINK = 0.75;

function norm(v: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < v.length; j++) sum += v[j] * v[j];
  return Math.sqrt(sum);
}

function scale(v: Float64Array, factor: number): void {
  for (let j = 0; j < v.length; j++) v[j] *= factor;
}
