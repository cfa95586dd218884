/** Parts of the quick grids of the experiments on sparse PCA. */
import type { Part } from '../claims.ts';

const stream = { n: 60, m: 5, K: 8 };

export const streamParts: Readonly<Record<string, Part>> = {
  'givens-stream': {
    trials: 1,
    points: [{ ...stream, p: 100, L: 5 }],
    without: [
      'Order m steps',
      'results are good',
      'no need for it to converge',
      'that column is lost',
      'best γ finds all',
      'has more non-zeros',
    ],
  },
  'givens-stream-digits': {
    trials: 1,
    points: [
      { ...stream, n: 64, p: 50, L: 5 },
      { ...stream, n: 64, p: 100, L: 5 },
    ],
    without: ['Order m steps', 'results are good', 'no need for it to converge', 'that column is lost'],
  },
  'givens-sparse-pca': { trials: 1, points: [{ p: 600, m: 6, limit: 1, K: 2 }], without: ['in every trial'] },
};
