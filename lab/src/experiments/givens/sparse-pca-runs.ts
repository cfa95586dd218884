/**
 * Methods of sparse PCA on the same samples, with K non-zeros in each of m components, and one score for all.
 *
 *     rotations      learnSparsePca, method givens
 *     gpower, deflation   the power method for all components at once, and one at a time
 *     thresholded    the K largest entries of every principal component
 *     sklearn        scikit-learn's SparsePCA: of a path of penalties the fit with most non-zeros, but at most m K
 *
 * Apart from these, rotations and the power method maximise F for one γ from the same start, the principal components.
 */

import { learnSparsePca, type Matrix64, type SparsePcaMethod } from 'orthodict';
import {
  fitByGPower,
  identity,
  largestOfRows as largest,
  rotateFrom,
  rowRange,
  sparsePcaDefaults,
  unitRows,
} from 'orthodict/extend';
import type { Measured, Point } from '../framework/experiment.ts';
import { type Judge, judgeOf, nonzerosOf } from './explained.ts';
import { densest, type PathFit, sklearnPath } from './sklearn-path.ts';

export const METHODS = [
  { name: 'rotations', label: 'rotations' },
  { name: 'gpower', label: 'GPower, block' },
  { name: 'deflation', label: 'GPower, deflation' },
  { name: 'thresholded', label: 'thresholded PCA' },
  { name: 'sklearn', label: 'scikit-learn' },
] as const;

const OURS: Readonly<Record<string, SparsePcaMethod>> = {
  rotations: 'givens',
  gpower: 'gpower',
  deflation: 'gpower-deflation',
};

export type Load = (samples: number, seed: number) => Promise<Matrix64>;

/** Point: p, m, K, limit (iterations of scikit-learn). */
export function compareMethods(load: Load) {
  const paths = new Map<string, Promise<readonly PathFit[]>>();
  return async ({ p, m, K, limit }: Point, seed: number, signal: AbortSignal): Promise<Measured> => {
    const samples = await load(p, seed);
    const judge = await judgeOf(samples, m);
    const key = [p, m, limit, seed].join();
    const path = paths.get(key) ?? sklearnPath({ samples, components: m, limit, seed, signal });
    paths.set(key, path);
    path.catch(() => paths.delete(key));
    const peer = densest(await path, m * K); // before the others, so that they have the machine for themselves
    const runs: Record<string, Run | undefined> = {};
    for (const [name, method] of Object.entries(OURS)) {
      signal.throwIfAborted();
      runs[name] = await learnSparsePca(samples, { components: m, nonzeros: K, method, seed });
    }
    runs.thresholded = { loadings: unitRows(largest(rowRange(judge.R, 0, m), K)) };
    runs.sklearn = peer;
    return {
      ...Object.assign({}, ...Object.entries(runs).map(([name, run]) => described(name, run, judge, m))),
      objectiveRatio: await fromSameStart(judge, runs.gpower!.gammas!),
      principalExplained: judge.principal,
    };
  };
}

interface Run {
  readonly loadings: Matrix64;
  readonly gammas?: Float64Array;
  readonly seconds?: number;
}

const described = (name: string, run: Run | undefined, judge: Judge, m: number): Measured =>
  run
    ? {
        [`${name}Explained`]: judge.explained(run.loadings),
        [`${name}Nonzeros`]: nonzerosOf(run.loadings) / m,
        [`${name}Seconds`]: run.seconds,
      }
    : {};

/** F at the end of rotations by F at the end of the power method, for the mean of the thresholds. */
async function fromSameStart({ R, unit, run }: Judge, thresholds: Float64Array): Promise<number> {
  const gamma = thresholds.reduce((sum, each) => sum + each, 0) / thresholds.length / unit;
  const gammas = new Float64Array(thresholds.length).fill(gamma);
  const { maxIterations, tolerance, seed } = sparsePcaDefaults;
  const fitRun = { run, maxIterations, tolerance, seed };
  const rotated = await rotateFrom(identity(R.rows), R, gammas, fitRun);
  return rotated.objective / (await fitByGPower(R, gammas, fitRun)).objective;
}
