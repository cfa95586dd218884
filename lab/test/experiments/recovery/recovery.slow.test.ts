/** The experiments on exact recovery, on a part of their grids, must show what they claim. */
import { describeClaims } from '../claims.ts';

describeClaims('recovery', {
  'recovery-few-samples': {
    trials: 1,
    points: [
      { n: 50, limit: 20, theta: 0.1, p: 50 },
      { n: 50, limit: 20, theta: 0.3, p: 200 },
      { n: 50, limit: 20, theta: 0.5, p: 500 },
    ],
  },
  'recovery-certificate': { trials: 1 },
});
