/** Compares the non-zeros of sparse loadings with the true ones. Components are matched by their cosines. */
import { type Matrix, row } from '../core/matrix.ts';
import { matchAtoms } from './match-atoms.ts';

/** How well sparse components agree with the true ones. */
export interface SupportComparison {
  /** Number of components with exactly the true non-zeros. */
  readonly exact: number;
  /** Number of true non-zeros that were found. */
  readonly nonzerosFound: number;
  readonly nonzeros: number;
  /** Number of non-zeros found where the truth is zero. */
  readonly nonzerosWrong: number;
  /** Largest distance between unit loadings and their partner. */
  readonly maxAtomError: number;
}

/** Compares found loadings, K×n, with true ones, M×n; loadings without a partner count as not found. */
export function compareSupports(loadings: Matrix, truth: Matrix): SupportComparison {
  const { pairs, maxAtomError } = matchAtoms(loadings, truth);
  let [exact, found, wrong] = [0, 0, 0];
  for (const pair of pairs) {
    const [z, t] = [row(loadings, pair.learned), row(truth, pair.truth)];
    const right = z.filter((value, k) => value !== 0 && t[k] !== 0).length;
    found += right;
    wrong += nonzeros(z) - right;
    if (right === nonzeros(z) && right === nonzeros(t)) exact++;
  }
  return { exact, nonzerosFound: found, nonzeros: nonzeros(truth.data), nonzerosWrong: wrong, maxAtomError };
}

const nonzeros = (values: Matrix['data']): number => values.filter((value) => value !== 0).length;
