/** The quick form of every figure of the Householder paper, on a part of its grid, must show what it claims. */
import { describeClaims } from '../claims.ts';

describeClaims('householder', {
  'householder-figure1': { trials: 1, where: ({ m }) => m <= 5, without: ['slightly better', 'a tenth of the time'] },
  'householder-figure2': {
    trials: 1,
    where: ({ p }) => p !== 100,
    without: ['slightly better', 'a tenth of the time'],
  },
  'householder-figure3': {
    trials: 5,
    where: ({ theta, p }) => theta === 0.3 || p === 18,
    without: ['slightly higher'],
  },
  'householder-figure4': { trials: 2, where: ({ p }) => p !== 10 },
  'householder-figure5': { trials: 2, without: ['by more than 5 %'] }, // of the median of 20 trials
  'householder-start': {
    trials: 1,
    where: ({ m, n }) => n === 1000 && m <= 2,
    without: ['uniform entries', 'p ≥ 200', 'orthodict, normal', 'better than V̂ = I', 'with normal entries'],
  },
  'householder-theorem1': {
    trials: 3,
    where: ({ n, C }) => n <= 1000 && C !== 0.25,
    without: ['Equation (3), second', 'Equation (4) as printed', 'time'],
  },
});
