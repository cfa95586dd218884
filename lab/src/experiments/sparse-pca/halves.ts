/** Sparse PCA learned from one half of the samples and judged on both: see methods.ts. */
import type { Matrix64 } from 'orthodict';
import { createRandom, randomOrder, selectRows } from 'orthodict/extend';
import type { Measured, Point } from '../framework/experiment.ts';
import { centre, type Judge, judgeOf, nonzerosOf } from './explained.ts';
import { type Fit, runMethods } from './methods.ts';

export const METHODS = [
  { name: 'variance', label: 'variance' },
  { name: 'shared', label: 'variance, shared' },
  { name: 'givens', label: 'givens' },
  { name: 'gpower', label: 'gpower' },
  { name: 'deflation', label: 'gpower-deflation' },
  { name: 'thresholded', label: 'thresholded PCA' },
  { name: 'sklearn', label: 'scikit-learn' },
] as const;

/** Point: m, K, limit (iterations of scikit-learn). */
export function compareOnHalves(load: () => Promise<Matrix64>) {
  const fit = runMethods({
    variance: (K) => ({ nonzeros: K, method: 'variance' }),
    shared: (K, m) => ({ totalNonzeros: m * K, method: 'variance' }),
    givens: (K) => ({ nonzeros: K, method: 'givens' }),
    gpower: (K) => ({ nonzeros: K, method: 'gpower' }),
    deflation: (K) => ({ nonzeros: K, method: 'gpower-deflation' }),
  });
  return async (point: Point, seed: number, signal: AbortSignal): Promise<Measured> => {
    const { learned, held } = halves(await load(), seed);
    const [judge, later] = [await judgeOf(learned, point.m), await judgeOf(held, point.m)];
    const fits = await fit(learned, judge, point, seed, signal);
    return Object.assign({}, ...METHODS.map(({ name }) => scores(name, fits[name], judge, later)));
  };
}

/** Two random halves of the samples, each without its mean. */
export function halves(samples: Matrix64, seed: number): { readonly learned: Matrix64; readonly held: Matrix64 } {
  const order = randomOrder(samples.rows, samples.rows, createRandom(seed, 'halves'));
  const middle = Math.ceil(samples.rows / 2);
  const [learned, held] = [order.slice(0, middle), order.slice(middle)].map((half) =>
    centre(selectRows(samples, half)),
  );
  return { learned, held };
}

const scores = (name: string, fit: Fit | undefined, judge: Judge, later: Judge): Measured =>
  fit
    ? {
        [`${name}Adjusted`]: judge.explained(fit.loadings),
        [`${name}Held`]: later.explained(fit.loadings),
        [`${name}Span`]: judge.spanned(fit.loadings),
        [`${name}SpanHeld`]: later.spanned(fit.loadings),
        [`${name}Nonzeros`]: nonzerosOf(fit.loadings) / fit.loadings.rows,
        [`${name}Seconds`]: fit.seconds,
      }
    : {};
