/** The quick form of every figure of the Householder paper, on part of its grid, must show what it claims. */
import { describe, expect, it } from 'vitest';
import { range } from '#src/experiments/framework/experiment.ts';
import { householderData, knownCodesDistance } from '#src/experiments/householder/contenders.ts';
import { procrustes } from '#src/learn/methods/procrustes.ts';
import { reflectForward } from '#src/linalg/reflectors.ts';
import { testSeed } from '../../helpers/seed.ts';
import { describeParts } from '../quick-parts.ts';

describeParts('householder', {
  'householder-figure1': { trials: 1, where: ({ m }) => m <= 5 },
  'householder-figure2': { trials: 1, where: ({ p }) => p !== 100 },
  'householder-figure3': { trials: 8, where: ({ theta, p }) => theta === 0.3 || p === 18 },
  'householder-figure4': { trials: 2, where: ({ p }) => p !== 10 },
  'householder-figure5': { trials: 2, where: ({ snr }) => snr >= 10, without: ['in ℓ∞ too'] }, // see docs/reproduce.md
});

describe('knownCodesDistance', () => {
  it('is that of the Procrustes solution if there are enough samples', async () => {
    const n = 30;
    const data = householderData({ n, p: n, m: 3, theta: 0.5, snr: 20 }, testSeed(3));
    const atoms = await procrustes(data.samples, data.codes); // rows are columns of V
    let sum = 0;
    for (const i of range(0, n - 1)) {
      const column = new Float64Array(n);
      column[i] = 1;
      reflectForward(data.reflectors, column);
      column.forEach((value, k) => {
        sum += (value - atoms.data[i * n + k]) ** 2;
      });
    }
    expect(await knownCodesDistance(data)).toBeCloseTo(Math.sqrt(sum), 8);
  });

  it('is that of a random completion otherwise', async () => {
    const data = householderData({ n: 50, p: 10, m: 2, theta: 0.3 }, testSeed(4));
    expect(await knownCodesDistance(data)).toBeCloseTo(Math.sqrt(2 * 40), 8);
  });
});
