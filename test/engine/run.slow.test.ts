/** A run that used up a budget, resumed with a larger one, gives the result that this would have given at once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { inlineExecutor } from '#src/engine/executor.ts';
import { type LearnResult, learn } from '#src/learn/learn.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { methods, tableOf } from '#src/learn/options.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { fingerprint, type Learner, variants } from '../fuzz/runs.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { testSeed } from '../helpers/seed.ts';
import { memoryStore } from '../helpers/store.ts';

const executor = inlineExecutor(fastKernels);

const takes = (option: string) =>
  variants.filter(({ name, table }) => {
    const method = methods.find((each) => name.split(' ')[0] === each.name);
    return option in (method ? tableOf(method) : table);
  });

describe.each<[budget: string, sizes: readonly number[], learners: readonly Learner[]]>([
  ['maxIterations', [1, 7, 30], takes('maxIterations')],
  ['starts', [1, 4], takes('starts')],
])('%s', (budget, sizes, learners) => {
  it.each(learners.map((learner) => [learner.name, learner] as const))('of %s', async (_, { learn, data, short }) => {
    const fresh = (size: number, run = {}) => learn(data, { ...short, [budget]: size }, { executor, ...run });
    const largest = sizes.at(-1)!;
    const whole = fingerprint(await fresh(largest));
    for (const size of sizes.slice(0, -1)) {
      const checkpoint = memoryStore();
      await fresh(size, { checkpoint });
      const resumed = await fresh(largest, { checkpoint, resume: true });
      expect(fingerprint(resumed), `${size}, then ${largest}`).toBe(whole);
    }
  });
});

describe('learn', () => {
  const seed = testSeed(83);
  const { samples, atoms } = generate({ samples: 3000, features: 10, theta: 0.3, seed });
  let whole: LearnResult;
  beforeAll(async () => {
    whole = await learn(samples, { seed }, { executor });
  });
  const continued = async (first: LearnOptions, then: LearnOptions) => {
    const checkpoint = memoryStore();
    const before = await learn(samples, { seed, ...first }, { executor, checkpoint });
    const { saved } = checkpoint;
    const result = await learn(samples, { seed, ...then }, { executor, checkpoint, resume: true });
    return { before, result, hasSaved: checkpoint.saved !== saved };
  };
  const same = (result: LearnResult) => [result.status, result.refined, result.iterations, result.dictionary.atoms];

  it('goes on through stages that follow from the end of a budget: they are forgotten', async () => {
    const { before, result } = await continued({ maxIterations: 3 }, {});
    expect(before).toMatchObject({ status: 'exhausted', reason: '3 iterations' });
    expect(same(result)).toEqual(same(whole));
    expect(result.passes).toBe(whole.passes);
  });

  it('goes on after its time to the answer of an unlimited run', async () => {
    const { before, result } = await continued({ maxSeconds: 1e-9 }, { maxSeconds: 1e6 });
    expect(before).toMatchObject({ status: 'exhausted', reason: '1e-9 seconds', iterations: 1 });
    expect(result.status).toBe('converged');
    expect(recoveryError(result.dictionary.atoms, atoms)).toBeLessThan(1e-12);
  });

  it('goes on by one budget and ends by the other', async () => {
    const { before, result } = await continued({ maxIterations: 3 }, { maxSeconds: 1e-9 });
    expect(same(result)).toEqual(same(before));
  });

  it.each<[string, LearnOptions, LearnOptions]>([
    ['iterations', {}, { maxIterations: 1 }],
    ['seconds', {}, { maxSeconds: 1e-9 }],
    ['iterations after a budget', { maxIterations: 4 }, { maxIterations: 2 }],
    ['the same budget', { maxIterations: 4 }, { maxIterations: 4 }],
    ['the same time', { maxSeconds: 1e-9 }, { maxSeconds: 1e-9 }],
    ['a larger budget after it converged', {}, { maxIterations: 5000, maxSeconds: 60 }],
  ])('has nothing to do and keeps what is there: %s', async (_, first, then) => {
    const { before, result, hasSaved } = await continued(first, then);
    expect(same(result)).toEqual(same(before));
    expect(hasSaved).toBe(false);
  });

  it('counts the seconds before a resume', async () => {
    const checkpoint = memoryStore();
    const options = { seed, tolerance: 0, objectiveTolerance: 0, scout: 'none', refine: 'none' } as const;
    await learn(samples, { ...options, maxIterations: 3 }, { executor, checkpoint });
    const loop = checkpoint.saved!.finished[0];
    checkpoint.saved = { ...checkpoint.saved!, finished: [{ ...loop, seconds: 100, looped: 100 }] };
    const run = { executor, checkpoint, resume: true };
    expect(await learn(samples, { ...options, maxSeconds: 99 }, run)).toMatchObject({ iterations: 3 });
    expect(await learn(samples, { ...options, maxSeconds: 100.000001 }, run)).toMatchObject({ iterations: 4 });
  });
});
