/**
 * Rotations beside other methods of sparse PCA, scored on the samples they are learned from: see ../sparse-pca/methods.ts. Apart from
 * that, rotations and the power method maximise F for one γ from the same start, the principal components.
 */
import type { Matrix64 } from 'orthodict';
import { fitByGPower, identity, rotateFrom, sparsePcaDefaults } from 'orthodict/extend';
import type { Measured, Point } from '../framework/experiment.ts';
import { type Judge, judgeOf, nonzerosOf } from '../sparse-pca/explained.ts';
import { type Fit, runMethods } from '../sparse-pca/methods.ts';

export const METHODS = [
  { name: 'rotations', label: 'rotations' },
  { name: 'gpower', label: 'GPower, block' },
  { name: 'deflation', label: 'GPower, deflation' },
  { name: 'thresholded', label: 'thresholded PCA' },
  { name: 'sklearn', label: 'scikit-learn' },
] as const;

export type Load = (samples: number, seed: number) => Promise<Matrix64>;

/** Point: p, m, K, limit (iterations of scikit-learn). */
export function compareMethods(load: Load) {
  const fit = runMethods({
    rotations: (K) => ({ nonzeros: K, method: 'givens' }),
    gpower: (K) => ({ nonzeros: K, method: 'gpower' }),
    deflation: (K) => ({ nonzeros: K, method: 'gpower-deflation' }),
  });
  return async (point: Point, seed: number, signal: AbortSignal): Promise<Measured> => {
    const samples = await load(point.p, seed);
    const judge = await judgeOf(samples, point.m);
    const fits = await fit(samples, judge, point, seed, signal);
    return {
      ...Object.assign({}, ...METHODS.map(({ name }) => scores(name, fits[name], judge, point.m))),
      objectiveRatio: await fromSameStart(judge, fits.gpower!.gammas!),
      principalExplained: judge.principal,
    };
  };
}

const scores = (name: string, fit: Fit | undefined, judge: Judge, m: number): Measured =>
  fit
    ? {
        [`${name}Explained`]: judge.explained(fit.loadings),
        [`${name}Nonzeros`]: nonzerosOf(fit.loadings) / m,
        [`${name}Seconds`]: fit.seconds,
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
