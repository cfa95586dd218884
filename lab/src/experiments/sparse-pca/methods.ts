/**
 * Methods of sparse PCA on the same samples, with K non-zeros in each of m components, or m K in all:
 *
 *     ours           learnSparsePca with the options given
 *     thresholded    the K largest entries of every principal component
 *     sklearn        scikit-learn's SparsePCA: of a path of penalties the fit with most non-zeros, but at most m K in all
 */
import { learnSparsePca, type Matrix64, type SparsePcaOptions } from 'orthodict';
import { largestOfRows, rowRange, unitRows } from 'orthodict/extend';
import { densest, type PathFit, sklearnPath } from '../../contenders/sklearn-sparse-pca.ts';
import type { Point } from '../framework/experiment.ts';
import type { Judge } from './explained.ts';

export interface Fit {
  readonly loadings: Matrix64;
  readonly gammas?: Float64Array;
  readonly seconds?: number;
}

/** Runs all methods by name; sklearn is undefined without scikit-learn. Point: m, K, limit (iterations of scikit-learn). */
export function runMethods(ours: Readonly<Record<string, (K: number, m: number) => Partial<SparsePcaOptions>>>) {
  const paths = new Map<string, Promise<readonly PathFit[]>>();
  return async (
    samples: Matrix64,
    judge: Judge,
    { m, K, limit }: Point,
    seed: number,
    signal: AbortSignal,
  ): Promise<Record<string, Fit | undefined>> => {
    const key = [samples.rows, m, limit, seed].join();
    const path = paths.get(key) ?? sklearnPath({ samples, components: m, limit, seed, signal });
    paths.set(key, path);
    path.catch(() => paths.delete(key));
    const sklearn = densest(await path, m * K); // before the others, so that they have the machine for themselves
    const fits: Record<string, Fit | undefined> = { sklearn };
    for (const [name, optionsFor] of Object.entries(ours)) {
      signal.throwIfAborted();
      fits[name] = await learnSparsePca(samples, { components: m, seed, ...optionsFor(K, m) });
    }
    fits.thresholded = { loadings: unitRows(largestOfRows(rowRange(judge.R, 0, m), K)) };
    return fits;
  };
}
