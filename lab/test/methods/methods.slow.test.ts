/** The methods of the laboratory run like those of the package: on threads, with checkpoints, with their options checked. */
import { generate } from 'orthodict';
import type { AnyMethod, Executor } from 'orthodict/extend';
import { createNodeExecutor, learn } from 'orthodict/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastica } from '#lab/methods/fastica/fastica.ts';
import { online } from '#lab/methods/online/online.ts';
import { subgradient } from '#lab/methods/subgradient/subgradient.ts';
import { bits } from '../../../test/helpers/bytes.ts';
import { testSeed } from '../../../test/helpers/seed.ts';
import { memoryStore } from '../../../test/helpers/store.ts';

const seed = testSeed(81);
const { samples } = generate({ samples: 9000, features: 12, theta: 0.3, seed });

let executors: readonly Executor[];
beforeAll(async () => {
  executors = await Promise.all([1, 3].map((threads) => createNodeExecutor({ threads })));
  await Promise.all(executors.map((executor) => executor.warm?.()));
});
afterAll(() => Promise.all(executors.map((executor) => executor.close?.())));

/** A method as `learn` takes it, with any of its options. */
const as = (method: unknown, options: object = {}) => ({
  method: method as AnyMethod,
  maxIterations: 5,
  seed,
  ...options,
});

describe.each([
  ['fastica, cube', as(fastica)],
  ['fastica, logcosh', as(fastica, { nonlinearity: 'logcosh' })],
  ['fastica, exp', as(fastica, { nonlinearity: 'exp' })],
  ['online', as(online)],
  ['online, more atoms than features', as(online, { components: 17, lambda: 0.2 })],
  ['subgradient, atoms', as(subgradient, { tolerance: 0.28 })],
  ['subgradient, whole', as(subgradient, { search: 'whole' })],
] as const)('%s', (name, options) => {
  it('gives the same bits on 1 and 3 threads', async () => {
    const [one, three] = await Promise.all(executors.map((executor) => learn(samples, options, { executor })));
    expect(bits(three.dictionary.transform)).toBe(bits(one.dictionary.transform));
    expect([three.iterations, three.passes, three.objective]).toEqual([one.iterations, one.passes, one.objective]);
    expect([one.threads, three.threads]).toEqual([1, 3]);
  });

  it('continues after an abort as if it had never stopped', async () => {
    const whole = await learn(samples, options, { threads: 1 });
    for (const last of [1, 3, whole.iterations]) {
      const checkpoint = memoryStore();
      const controller = new AbortController();
      let seen = 0;
      const onProgress = () => void (++seen === last && controller.abort(new Error('enough')));
      const cut = { threads: 1, checkpoint, onProgress, signal: controller.signal };
      await learn(samples, options, cut).catch(() => undefined);
      const rest = await learn(samples, options, { threads: 1, checkpoint, resume: true });
      expect(bits(rest.dictionary.transform), `after ${last}`).toBe(bits(whole.dictionary.transform));
      expect([rest.iterations, rest.passes, rest.reason]).toEqual([whole.iterations, whole.passes, whole.reason]);
    }
  });

  it('describes itself, refuses unknown options, and leaves the zeros to others', async () => {
    const result = await learn(samples, options, { threads: 1 });
    expect(result.description).toContain(name.split(',')[0]);
    expect([result.refined, result.remarks]).toEqual([false, []]);
    await expect(learn(samples, { ...options, nothing: 1 } as object)).rejects.toThrow('there is no option "nothing"');
  });
});

it.each([
  [as(fastica, { whiten: 'none' }), 'whiten must be zca with method fastica, which needs white data; got none'],
  [as(fastica, { nonlinearity: 'square' }), 'nonlinearity must be cube, logcosh or exp; got square'],
  [as(online, { lambda: 0 }), 'lambda must be a number above 0; got 0'],
  [as(online, { batch: 0 }), 'batch must be a whole number from 1; got 0'],
  [as(subgradient, { search: 'here' }), 'search must be atoms or whole; got here'],
])('refuses wrong values: %j', async (options, message) => {
  await expect(learn(samples, options, { threads: 1 })).rejects.toThrow(`learn: ${message}.`);
});
