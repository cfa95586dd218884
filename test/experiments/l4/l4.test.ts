/** The quick form of every table and figure of the ℓ4 paper, on part of its grid, must show what it claims. */
import { describe, expect, it } from 'vitest';
import { bernoulliGaussian, follow, onGroup, PLAIN, singleThread } from '#src/experiments/l4/l4-runs.ts';
import { learn } from '#src/learn/learn.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { testSeed } from '../../helpers/seed.ts';
import { describeParts } from '../quick-parts.ts';

describeParts('l4', {
  table1: { trials: 3, where: ({ n }) => n <= 50 },
  table2: { trials: 1, without: ['times faster', 'faster than all others'] },
  figure2: { trials: 1, where: ({ degrees }) => degrees % 15 === 0 },
  figure3: { trials: 1 },
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

const signal = new AbortController().signal;

describe('follow', () => {
  it('has the atoms of every step, their objectives and the passes they took', async () => {
    const seed = testSeed(3);
    const { samples } = bernoulliGaussian({ n: 8, p: 3000, theta: 0.3 }, seed);
    const executor = await singleThread();
    const run = await follow(samples, { ...PLAIN, precision: 'f64', seed }, { executor, signal });
    const { iterations, objective } = run.result;
    expect(run.objectives).toHaveLength(iterations);
    expect(run.atoms).toHaveLength(iterations + 2); // the start, every step, and what was kept
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
