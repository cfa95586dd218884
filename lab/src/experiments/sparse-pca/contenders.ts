/**
 * Sparse PCA learned from one half of the samples and judged on both, with K non-zeros in each of m components, or m K in all:
 *
 *     variance, givens, gpower, deflation     learnSparsePca with `nonzeros`
 *     shared         learnSparsePca with `totalNonzeros`
 *     thresholded    the K largest entries of every principal component
 *     sklearn        scikit-learn's SparsePCA: of a path of penalties the fit with most non-zeros, but at most m K in all
 */
import { learnSparsePca, type Matrix64, type SparsePcaOptions } from 'orthodict';
import { createRandom, largestOfRows as largest, randomOrder, rowRange, selectRows, unitRows } from 'orthodict/extend';
import type { Measured, Point } from '../framework/experiment.ts';
import { centre, type Judge, judgeOf, nonzerosOf } from '../givens/explained.ts';
import { densest, type PathFit, sklearnPath } from '../givens/sklearn-path.ts';

export const CONTENDERS = [
  { name: 'variance', label: 'variance' },
  { name: 'shared', label: 'variance, shared' },
  { name: 'givens', label: 'givens' },
  { name: 'gpower', label: 'gpower' },
  { name: 'deflation', label: 'gpower-deflation' },
  { name: 'thresholded', label: 'thresholded PCA' },
  { name: 'sklearn', label: 'scikit-learn' },
] as const;

type Ways = (K: number, m: number) => Partial<SparsePcaOptions>;

const OURS: Readonly<Record<string, Ways>> = {
  variance: (K) => ({ nonzeros: K, method: 'variance' }),
  shared: (K, m) => ({ totalNonzeros: m * K, method: 'variance' }),
  givens: (K) => ({ nonzeros: K, method: 'givens' }),
  gpower: (K) => ({ nonzeros: K, method: 'gpower' }),
  deflation: (K) => ({ nonzeros: K, method: 'gpower-deflation' }),
};

interface Contender {
  readonly loadings: Matrix64;
  readonly seconds?: number;
}

interface Halves {
  readonly learned: Matrix64;
  readonly held: Matrix64;
}

/** Point: m, K, limit (iterations of scikit-learn). */
export function compareContenders(load: () => Promise<Matrix64>) {
  const paths = new Map<string, Promise<readonly PathFit[]>>();
  return async ({ m, K, limit }: Point, seed: number, signal: AbortSignal): Promise<Measured> => {
    const { learned, held } = halve(await load(), seed);
    const key = [m, limit, seed].join();
    const path = paths.get(key) ?? sklearnPath({ samples: learned, components: m, limit, seed, signal });
    paths.set(key, path);
    path.catch(() => paths.delete(key));
    const sklearn = densest(await path, m * K); // before the others, so that they have the machine for themselves
    const [judge, later] = [await judgeOf(learned, m), await judgeOf(held, m)];
    const found: Record<string, Contender | undefined> = { sklearn };
    for (const [name, ways] of Object.entries(OURS)) {
      signal.throwIfAborted();
      found[name] = await learnSparsePca(learned, { components: m, seed, ...ways(K, m) });
    }
    found.thresholded = { loadings: unitRows(largest(rowRange(judge.R, 0, m), K)) };
    return Object.assign({}, ...CONTENDERS.map(({ name }) => told(name, found[name], judge, later)));
  };
}

function halve(samples: Matrix64, seed: number): Halves {
  const order = randomOrder(samples.rows, samples.rows, createRandom(seed, 'halves'));
  const middle = Math.ceil(samples.rows / 2);
  const [learned, held] = [order.slice(0, middle), order.slice(middle)].map((half) =>
    centre(selectRows(samples, half)),
  );
  return { learned, held };
}

const told = (name: string, found: Contender | undefined, judge: Judge, later: Judge): Measured =>
  found
    ? {
        [`${name}Adjusted`]: judge.explained(found.loadings),
        [`${name}Held`]: later.explained(found.loadings),
        [`${name}Span`]: judge.spanned(found.loadings),
        [`${name}SpanHeld`]: later.spanned(found.loadings),
        [`${name}Nonzeros`]: nonzerosOf(found.loadings) / found.loadings.rows,
        [`${name}Seconds`]: found.seconds,
      }
    : {};
