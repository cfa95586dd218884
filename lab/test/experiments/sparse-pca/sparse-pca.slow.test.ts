/** The experiments on sparse components, on a part of their grids, must show what they claim. */
import { describeClaims } from '../claims.ts';

describeClaims('sparse-pca', {
  'sparse-pca-digits': { trials: 1, points: [{ m: 12, limit: 2, K: 8 }] },
});
