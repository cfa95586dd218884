/** Scouting: exact from a part of the samples, few visits to the rest, and back to all samples if a part misleads. */
import { describe, expect, it } from 'vitest';
import type { Matrix } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { learn, learnSteps } from '#src/learn/learn.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { stopWhenCrawling } from '#src/learn/phases/explore.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { histogramPass } from '#src/passes/histogram.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(1);
const executor = inlineExecutor(fastKernels);

/** Rows of every pass, in order; without those that only tell for the remarks how sparse the codes are. */
async function visits(samples: Matrix, options: LearnOptions = {}) {
  const rows: number[] = [];
  const sum: Executor['sum'] = (pass, params, source, signal) => {
    if (pass !== (histogramPass as unknown)) rows.push(source.rows);
    return executor.sum(pass, params, source, signal);
  };
  const result = await learn(samples, { seed, ...options }, { executor: { ...executor, sum } });
  return { rows, result };
}

describe('on white data with many samples', () => {
  const data = generate({ features: 60, samples: 24_000, theta: 0.3, seed });

  it('visits all samples twice: to survey, and to confirm what a part has shown', async () => {
    const { rows, result } = await visits(data.samples);
    expect(recoveryError(result.dictionary.atoms, data.atoms)).toBeLessThan(1e-18);
    expect(rows.filter((count) => count === 24_000).length).toBe(2);
    expect(rows.slice(-2)).toEqual([24_000, 1024]); // few samples certify the atoms
    expect(result.passes).toBe(Math.ceil(rows.reduce((sum, count) => sum + count, 0) / 24_000));
    expect(result.passes).toBeLessThanOrEqual(7);
  });

  it('without refinement only starts from a part, and ends where exploring all samples ends', async () => {
    const scouted = await visits(data.samples, { refine: 'none', tolerance: 1e-5 });
    const plain = await visits(data.samples, { refine: 'none', scout: 'none', tolerance: 1e-5 });
    expect(new Set(plain.rows)).toEqual(new Set([24_000]));
    expect(scouted.result.objective / plain.result.objective).toBeCloseTo(1, 6);
    expect(scouted.result.passes).toBeLessThan(plain.result.passes);
  });

  it('reports the objective of all samples', async () => {
    const { result } = await visits(data.samples);
    const codes = await result.dictionary.encode(data.samples);
    let exact = 0;
    for (const x of codes.data) exact += x ** 4;
    expect(result.objective / exact).toBeCloseTo(1, 5);
  });

  const stretched = { ...data.samples, data: data.samples.data.map((x, i) => x * (i % 60 === 0 ? 4 : 1)) };

  it('explores growing coresets and then all samples if the data is not white', async () => {
    const { rows } = await visits(stretched, { refine: 'none' });
    const steps = rows.filter((count, k) => count !== rows[k - 1]);
    const [small, large] = [1 / 16, 1 / 4].map((share) => share * 24_000);
    expect(steps.some((count) => Math.abs(count - small) < 0.1 * small)).toBe(true);
    expect(steps.some((count) => Math.abs(count - large) < 0.1 * large)).toBe(true);
    expect(steps.filter((count) => count !== 4096).at(-1)).toBe(24_000); // 4096 tell when to stop
  });

  it('uses all samples if told to, and with other methods', async () => {
    for (const [samples, options] of [
      [data.samples, { scout: 'none' }],
      [data.samples, { shift: 'none' }],
      [data.samples, { method: 'pga', step: 1 }],
      [data.samples, { start: data.atoms }],
      [stretched, { scout: 'none' }],
      [stretched, { momentum: 'off' }],
      [stretched, { start: data.atoms }],
    ] as [Matrix, LearnOptions][]) {
      const few = { maxIterations: 2, tolerance: 0, refine: 'none' };
      const { rows } = await visits(samples, Object.assign(few, options));
      expect(new Set(rows)).toEqual(new Set([24_000]));
    }
  });

  it('stops at the limit of iterations, which all stages share', async () => {
    for (const maxIterations of [1, 5, 11]) {
      const { result } = await visits(data.samples, {
        refine: 'none',
        maxIterations,
        tolerance: 0,
        objectiveTolerance: 0,
      });
      expect(result).toMatchObject({ status: 'exhausted', iterations: maxIterations });
    }
  });
});

it('takes more samples if they were too few', async () => {
  const data = generate({ features: 40, samples: 24_000, theta: 0.62, seed });
  const { rows, result } = await visits(data.samples);
  expect(recoveryError(result.dictionary.atoms, data.atoms)).toBeLessThan(1e-12);
  expect(Math.max(...rows.filter((count) => count < 24_000), 0)).toBeGreaterThanOrEqual(4096);
});

it('goes back to all samples if there are no zeros to refine with', async () => {
  const noise = normalMatrix(12_000, 16, createRandom(seed, 'scouting test'));
  const { rows, result } = await visits(noise);
  expect(result.refined).toBe(false);
  const firstPart = rows.findIndex((count) => count < 12_000);
  expect(rows.slice(firstPart).filter((count) => count === 12_000).length).toBeGreaterThan(2);
  const alone = await visits(noise, { scout: 'none' });
  expect(result.objective / alone.result.objective).toBeGreaterThan(0.98); // Gaussian data has many maxima, all alike
});

it('refines on all samples if they have fewer zeros than the part', async () => {
  const data = generate({ features: 20, samples: 24_000, theta: 0.3, seed });
  const noise = normalMatrix(1200, 20, createRandom(seed, 'other samples'));
  data.samples.data.set(noise.data, 20 * (24_000 - 1200)); // the last ones, which no part to refine on has
  const names: string[] = [];
  const steps = learnSteps(data.samples, { seed }, { executor });
  let next = await steps.next();
  for (; !next.done; next = await steps.next()) if (next.value.iteration === 1) names.push(next.value.solver);
  expect(names).toEqual(['scout', 'refine', 'refine']);
  expect(next.value.refined).toBe(true);
  expect(recoveryError(next.value.dictionary.atoms, data.atoms)).toBeLessThan(1e-12);
});

it('names its stages, and counts iterations from one in each', async () => {
  const data = generate({ features: 20, samples: 12_000, theta: 0.3, seed });
  const names: string[] = [];
  for await (const { solver, iteration } of learnSteps(data.samples, { seed }, { executor })) {
    if (iteration === 1) names.push(solver);
  }
  expect(names).toEqual(['scout', 'refine']);
});

it.each([
  [[1.11, 1.08, 1.06, 1.06], true],
  [[1.33, 1.32, 1.3, 1.28], false], // slow, but getting faster
  [[1.2, 1.1, 1, 0.9], false],
  [[0.2, 0.2, 0.2, 0.2], true],
  [[0.3, 0.25, 0.2, 0.19], false],
  [[1.1, 1.1, 1.1], false],
])('changes %j crawl: %s', (recentChanges, crawls) => {
  const change = recentChanges.at(-1)!;
  const progress = { solver: '', iteration: 9, objective: 0, recentObjectives: [], seconds: 0, samplesPerSecond: 0 };
  expect(stopWhenCrawling({ ...progress, change, recentChanges }, undefined) !== undefined).toBe(crawls);
});
