/**
 * The update of online dictionary learning (Mairal, Bach, Ponce & Sapiro 2010) after every batch of samples.
 *
 *     A ← (1 − w) A + w Xᵀ X/b,   B ← (1 − w) B + w Xᵀ Y/b
 *     for every atom k with A_kk > 0:   u = d_k + (B_k − A_k D)/A_kk,   d_k ← u/max(1, ‖u‖)
 *
 * X are the lasso codes of a batch of b samples. w = 2b/(b + samples before) gradually forgets the codes of poor early
 * atoms; w = 1 if the batch is all the data. An unused atom is replaced by a sample.
 */
import {
  type CodeMoments,
  type Kernels,
  type Matrix64,
  row,
  sweepAtoms,
  unitVector,
  unusedAtoms,
} from 'orthodict/extend';
import type { LassoMoments } from './lasso-moments.ts';

/** Weight of a new batch relative to a plain mean, to forget old ones. */
const FORGETTING = 2;

/** Returns the weight w; `window`: the number of samples before, at most the number of all samples. */
export const batchWeight = (batch: number, window: number): number =>
  Math.min(1, (FORGETTING * batch) / (batch + window));

/** Mixes the means of Xᵀ X and Xᵀ Y of a batch into the running ones. */
export function remember(memory: CodeMoments, moments: LassoMoments, weight: number): CodeMoments {
  const { samples } = moments;
  const mix = (old: Matrix64, fresh: Matrix64): Matrix64 => ({
    ...old,
    data: old.data.map((a, at) => (1 - weight) * a + (weight * fresh.data[at]) / samples),
  });
  return { gram: mix(memory.gram, moments.gram), correlation: mix(memory.correlation, moments.correlation) };
}

/** Sweeps once over the atoms; `spares` are conditioned samples that replace unused atoms. */
export function updateAtoms(D: Matrix64, memory: CodeMoments, spares: Matrix64, kernels: Kernels): Matrix64 {
  const unused = unusedAtoms(memory);
  const replacement = (k: number) => (unused[k] ? unitVector(row(spares, k % spares.rows)) : undefined);
  return sweepAtoms(D, memory, { norm: 'bounded', replacement }, kernels);
}

/** Returns λ for conditioned samples: their root mean square norm is √n. */
export const workingLambda = (lambda: number | undefined, n: number): number =>
  (lambda ?? DEFAULT_LAMBDA / Math.sqrt(n)) * Math.sqrt(n);
const DEFAULT_LAMBDA = 0.3;

/** Returns λ of an epoch. It starts large, so that few codes are non-zero and steps are long, and shrinks to the given λ. */
export const lambdaOf = (epoch: number, lambda: number): number => Math.max(lambda, FIRST_LAMBDA * SHRINK ** epoch);
/** λ of the first epoch, for conditioned samples. */
const FIRST_LAMBDA = 1.2;
const SHRINK = 0.75;
