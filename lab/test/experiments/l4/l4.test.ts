/** The ℓ4 paper's experiments: their grids, and the runs they are made of. What they claim: l4.slow.test.ts. */

import { learn, recoveryError } from 'orthodict';
import { describe, expect, it } from 'vitest';
import { bernoulliGaussian, follow, onGroup, PLAIN, singleThread } from '#lab/experiments/l4/l4-runs.ts';
import { testSeed } from '../../../../test/helpers/seed.ts';
import { describeGrids } from '../claims.ts';

describeGrids('l4');

const signal = new AbortController().signal;

describe('follow', () => {
  it('has the atoms of every step, their objectives and the passes they took', async () => {
    const seed = testSeed(3);
    const { samples } = bernoulliGaussian({ n: 8, p: 3000, theta: 0.3 }, seed);
    const executor = await singleThread();
    const run = await follow(samples, { ...PLAIN, precision: 'f64', seed }, { executor, signal });
    const { iterations, objective } = run.result;
    expect(run.objectives).toHaveLength(iterations);
    expect(run.atoms).toHaveLength(iterations + 1); // the start and every step
    expect(run.passes.slice(0, 3)).toEqual([0, 2, 3]); // the first pass inspects the data
    expect(run.objectives.at(-1)).toBeCloseTo(objective, 8);
    for (let t = 1; t < iterations; t++) {
      expect(run.objectives[t]).toBeGreaterThanOrEqual(run.objectives[t - 1] * (1 - 1e-12));
    }
    const shorter = await learn(samples, { ...PLAIN, precision: 'f64', seed, maxIterations: 3 }, { executor });
    expect(recoveryError(run.atoms[3], shorter.dictionary.atoms)).toBeLessThan(1e-20);
  });
});

describe('onGroup', () => {
  it('the step multiplies A∘³, not the gradient 4A∘³', async () => {
    const seed = testSeed(1);
    const [short, long] = await Promise.all([1, 4].map((step) => onGroup(50, { method: 'pga', step, seed }, signal)));
    expect(short.iterations).toBeGreaterThan(24); // the paper has 35
    expect(long.iterations).toBeLessThan(20); // α = 4 corresponds to α = 1 with the factor 4
  });

  it('reports infinite iterations if the limit comes first', async () => {
    const { iterations } = await onGroup(20, { seed: testSeed(1), maxIterations: 1 }, signal);
    expect(iterations).toBe(Number.POSITIVE_INFINITY);
  });
});
