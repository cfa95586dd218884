/** The statements of the ℓ4 paper: their grids, and what a small part of each shows. */
import { describeClaims, describeGrids } from '../claims.ts';

describeGrids('l4-theory');

describeClaims('l4-theory', {
  'l4-theory-expectation': { trials: 10, where: ({ theta }) => theta === 0.3 },
  'l4-theory-concentration': {
    trials: 1,
    points: [10, 20].flatMap((n) => [2000, 8000].map((p) => ({ limit: 8, n, theta: 0.5, p }))),
  },
  'l4-theory-maximiser': { trials: 2, where: ({ n, theta, p }) => n === 10 && theta === 0.1 && p >= 4000 },
  'l4-theory-cubic': {
    trials: 1,
    points: [0.001, 0.01, 0.3, 0.5, 1.17, 1.18].map((epsilon) => ({ limit: 30, n: 3, epsilon })),
    without: ['as (133) says'], // a slip of sign
  },
  'l4-theory-rates': { trials: 1, where: ({ n }) => n === 2, without: ['also with step 1/4'] },
  'l4-theory-critical': { trials: 1, where: ({ n }) => n <= 8, without: ['the reflection, too', 'are discrete'] },
  'l4-theory-hadamard': { trials: 1, where: ({ n }) => n <= 8 },
  'l4-theory-any-step': { trials: 1, where: ({ n, alpha }) => n === 5 && alpha >= 0.1 },
  'l4-theory-extrema': { trials: 1 },
  'l4-theory-examples': { trials: 1, without: ['A₁ is the printed one'] },
  'l4-theory-one-step': { trials: 1, where: ({ theta, p }) => theta !== 0.3 && p !== 4000 },
  'l4-theory-bias': {
    trials: 1,
    points: [0, 0.5, 1].map((share) => ({ n: 10, p: 8000, theta: 0.5, share })),
    without: ['The rate is near', 'The interval ends'], // of other sizes
  },
  'l4-theory-robust': {
    trials: 1,
    where: (at) => at.noise === 0.2 || at.outliers === 0.5 || at.corruption === 0.05,
    without: ['with σ = .7'], // not in the quick grid
  },
  'l4-theory-one-iteration': { trials: 15, where: ({ n }) => n === 3 },
  'l4-theory-norms': {
    trials: 2,
    points: [4, 6, 8].flatMap((norm) => [1000, 4000].map((p) => ({ limit: 10, n: 6, theta: 0.3, norm, p }))),
  },
});
