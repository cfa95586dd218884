/** The experiments on exact recovery: their grids, and what they are made of. What they claim: recovery.slow.test.ts. */
import { describe, expect, it } from 'vitest';
import { range, zeros } from '#src/core/matrix.ts';
import { bernoulliGaussian, singleThread } from '#src/experiments/l4/l4-runs.ts';
import { checkCertificate } from '#src/experiments/recovery/check-certificate.ts';
import { laplaceSamples } from '#src/experiments/recovery/laplace-codes.ts';
import { certificateLimit, equationLimit } from '#src/experiments/recovery/limits.ts';
import { certaintyOf } from '#src/learn/certificate/certainty.ts';
import { learn } from '#src/learn/learn.ts';
import { testSeed } from '../../helpers/seed.ts';
import { describeGrids } from '../claims.ts';

describeGrids('recovery');

it('at the limit of equations, n p (1 − θ) zeros are as many as n (n − 1)/2 unknowns', () => {
  const point = { n: 50, theta: 0.3 };
  expect(point.n * equationLimit(point) * (1 - point.theta)).toBeCloseTo((50 * 49) / 2, 9);
  expect(certificateLimit(point) * (1 - point.theta)).toBeCloseTo(50, 9);
});

describe('checkCertificate', () => {
  it('finds nothing wrong with exact atoms, and all wrong if the truth is another', async () => {
    const seed = testSeed(1);
    const { samples, atoms } = bernoulliGaussian({ n: 20, p: 1000, theta: 0.3 }, seed);
    const executor = await singleThread();
    const result = await learn(samples, { seed }, { executor });
    const check = (truth: typeof atoms) => checkCertificate(result, truth);
    expect(check(atoms)).toEqual({ certified: 20, wrong: 0, stray: 0 });
    expect(check(bernoulliGaussian({ n: 20, p: 1, theta: 0.3 }, seed + 1).atoms)).toEqual({
      certified: 20,
      wrong: 20,
      stray: 20,
    });
  });

  it('tells which atoms are wrong if only some are certified', async () => {
    const seed = testSeed(2);
    const { samples, atoms } = bernoulliGaussian({ n: 20, p: 1000, theta: 0.3 }, seed);
    const executor = await singleThread();
    const result = await learn(samples, { seed }, { executor });
    const turned = turnFirstTwo(result.dictionary.atoms.data, 20);
    const claimed = (certified: number) => ({
      ...result,
      dictionary: { ...result.dictionary, atoms: turned },
      // the last ones are certified
      certainty: certaintyOf(
        range(20).map((i) => (i < 20 - certified ? { refusal: 'no zeros' } : { error: 1e-9 })),
        20,
      ),
    });
    const check = (certified: number) => checkCertificate(claimed(certified), atoms);
    expect(check(18)).toEqual({ certified: 18, wrong: 0, stray: 0 });
    expect(check(19)).toEqual({ certified: 19, wrong: 1, stray: 1 });
  });
});

/** The atoms with the first two mixed evenly. */
function turnFirstTwo(atoms: Float64Array, n: number) {
  const mixed = { ...zeros(n, n), data: Float64Array.from(atoms) };
  for (let j = 0; j < n; j++) {
    const [a, b] = [atoms[j], atoms[n + j]];
    mixed.data[j] = (a + b) * Math.SQRT1_2;
    mixed.data[n + j] = (a - b) * Math.SQRT1_2;
  }
  return mixed;
}

it('Laplacian codes have variance 1 where they are not zero, and a fourth moment of 6', () => {
  const { samples } = laplaceSamples({ n: 1, p: 200_000, theta: 0.5 }, testSeed(1));
  const moment = (k: number) => Array.from(samples.data).reduce((sum, x) => sum + x ** k, 0) / (0.5 * samples.rows);
  expect(moment(2)).toBeCloseTo(1, 1); // standard error .008
  expect(Math.abs(moment(4) - 6)).toBeLessThan(1); // standard error .16
});
