/**
 * Every registered method of `learn`: the same bits on 1 and 3 threads, the same bytes when resumed after an abort, a
 * dictionary of the right shape. A method with a line in learn/methods/index.ts is tested here without being listed
 * again.
 */
import { describe, expect, it } from 'vitest';
import type { AnyMethod } from '#src/learn/methods/method.ts';
import { methods, settleOptions, tableOf } from '#src/learn/options.ts';
import { learn } from '#src/node/learn.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { bits } from '../helpers/bytes.ts';
import { testSeed } from '../helpers/seed.ts';
import { memoryStore } from '../helpers/store.ts';

const seed = testSeed(81);
const FEATURES = 12;
const sparse = generate({ samples: 9000, features: FEATURES, theta: 0.3, seed }).samples;
/** Codes whose mean is not zero, as products of reflectors need. */
const reflected = generateHouseholder({ samples: 400, features: FEATURES, reflectors: 1, theta: 0.2, seed }).samples;

const samplesOf = ({ learn: whole }: AnyMethod) => (whole ? reflected : sparse);

const all = methods.map((method) => [method.name, method] as const);

describe.each(all)('%s', (name, method) => {
  const options = {
    method: name,
    ...('maxIterations' in tableOf(method) && { maxIterations: 5 }),
    seed,
  };
  const samples = samplesOf(method);

  it('gives the same bits on 1 and 3 threads', async () => {
    const [one, three] = await Promise.all([1, 3].map((threads) => learn(samples, options, { threads })));
    expect(bits(one.dictionary.transform) === bits(three.dictionary.transform)).toBe(true);
    expect(three.threads).toBe(3);
    const facts = ({ iterations, passes, objective, status, reason, refined }: typeof one) => ({
      iterations,
      passes,
      objective,
      status,
      reason,
      refined,
    });
    expect(facts(three)).toEqual(facts(one));
  });

  it('continues after an abort as if it had never stopped', async () => {
    const whole = await learn(samples, options, { threads: 1 });
    let steps = 0;
    await learn(samples, options, { threads: 1, onProgress: () => void steps++ });
    for (const last of new Set([1, 2, Math.ceil(steps / 2), steps])) {
      const checkpoint = memoryStore();
      const controller = new AbortController();
      let seen = 0;
      const onProgress = () => {
        if (++seen === last) controller.abort(new Error('enough'));
      };
      const cut = await learn(samples, options, {
        threads: 1,
        checkpoint,
        onProgress,
        signal: controller.signal,
      }).catch((error) => error);
      const rest = await learn(samples, options, { threads: 1, checkpoint, resume: true });
      expect(bits(rest.dictionary.transform) === bits(whole.dictionary.transform), `after ${last}, ${cut}`).toBe(true);
      expect([rest.iterations, rest.passes, rest.reason]).toEqual([whole.iterations, whole.passes, whole.reason]);
    }
  });

  it('returns a dictionary that encodes and decodes, and a description in words', async () => {
    const { dictionary, description, settings, status } = await learn(samples, options, { threads: 1 });
    expect(dictionary.features).toBe(FEATURES);
    const codes = await dictionary.encode(samples);
    expect([codes.rows, codes.cols]).toEqual([samples.rows, dictionary.components]);
    expect((await dictionary.decode(codes)).cols).toBe(FEATURES);
    expect(description.startsWith(name)).toBe(true);
    expect(settings.method).toBe(name);
    expect(['converged', 'exhausted']).toContain(status);
  });

  it('has options with help, a flag, and a default that fits', () => {
    expect(method.summary.length).toBeGreaterThan(10);
    for (const [option, { is, help, flag, default: preset }] of Object.entries(method.options)) {
      expect(help.length, option).toBeGreaterThan(5);
      expect(flag, option).toBeDefined();
      if (preset !== undefined) expect(is(preset), option).toBe(true);
    }
    expect(() => settleOptions({ method: name, nothing: 1 })).toThrow('there is no option "nothing"');
  });

  it('takes a start, or says that it does not', async () => {
    if (method.space === 'fixed' || !('start' in tableOf(method))) {
      const start = { rows: 1, cols: 1, data: new Float64Array(1) };
      await expect(learn(samples, { ...options, start } as never)).rejects.toThrow('start must be');
      return;
    }
    const { dictionary } = await learn(samples, options, { threads: 1 });
    const again = await learn(samples, { ...options, start: dictionary.atoms }, { threads: 1 });
    expect(again.dictionary.components).toBe(dictionary.components);
  });
});
