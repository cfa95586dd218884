/** The Householder paper's experiments: their grids, and a distance they use. What they claim: householder.slow.test.ts. */
import { describe, expect, it } from 'vitest';
import { range } from '#src/experiments/framework/experiment.ts';
import { householderData, knownCodesDistance } from '#src/experiments/householder/contenders.ts';
import { procrustesAtoms } from '#src/learn/methods/procrustes.ts';
import { reflectForward } from '#src/linalg/reflectors.ts';
import { testSeed } from '../../helpers/seed.ts';
import { describeGrids } from '../claims.ts';

describeGrids('householder');

describe('knownCodesDistance', () => {
  it('is that of the Procrustes solution if there are enough samples', async () => {
    const n = 30;
    const data = householderData({ n, p: n, m: 3, theta: 0.5, snr: 20 }, testSeed(3));
    const atoms = await procrustesAtoms(data.samples, data.codes); // rows are columns of V
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
