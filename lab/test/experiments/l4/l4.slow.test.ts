/** The quick form of every table and figure of the ℓ4 paper, on a part of its grid, must show what it claims. */
import { describeClaims } from '../claims.ts';

describeClaims('l4', {
  table1: { trials: 2, where: ({ n }) => n <= 50, without: ['the listing'] },
  table2: { trials: 1, without: ['faster than', 'accurate than subgradient'] },
  figure1: { trials: 1 },
  figure2: { trials: 1, where: ({ degrees }) => degrees % 15 === 0 },
  figure3: { trials: 10 },
  figure4: { trials: 3 },
  figure5: { trials: 1, without: ['n = 400'] },
  figure6: { trials: 1 },
  figure7a: { trials: 1 },
  figure7b: { trials: 3 },
  figure8a: {
    trials: 1,
    points: [
      { n: 50, limit: 60, theta: 0.3, p: 10_000 },
      { n: 50, limit: 60, theta: 0.6, p: 10_000 },
      { n: 50, limit: 60, theta: 0.9, p: 10_000 },
      { n: 50, limit: 60, theta: 0.5, p: 1000 },
    ],
  },
  figure8b: {
    trials: 1,
    points: [
      { theta: 0.5, limit: 80, n: 30, p: 1000 },
      { theta: 0.5, limit: 80, n: 30, p: 2000 },
      { theta: 0.5, limit: 80, n: 70, p: 2000 },
      { theta: 0.5, limit: 80, n: 70, p: 10_000 },
    ],
  },
  figure8c: {
    trials: 1,
    points: [
      { theta: 0.5, limit: 80, n: 40, p: 4000 },
      { theta: 0.5, limit: 80, n: 80, p: 2000 },
    ],
  },
});
