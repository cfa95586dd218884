/** What a model records after an update, and which models cannot be updated. */
import { beforeAll, describe, expect, it } from 'vitest';
import { maxDifference } from '#src/core/matrix.ts';
import type { Model, ModelMeta } from '#src/dictionaries/model.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { updateDictionary } from '#src/learn/stream/update-dictionary.ts';
import { writeArray } from '#src/node/io/arrays.ts';
import { learn } from '#src/node/learn.ts';
import { updateModel } from '#src/node/update-model.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const scratch = scratchDirectory();
const { samples } = generate({ samples: 900, features: 5, theta: 0.3, seed: testSeed(7) });
const run = { threads: 1, backend: 'wasm' } as const;
let model: Model;
const known: ModelMeta = { format: 1, method: 'msp', options: { norm: 4 }, samples: 500 };

beforeAll(async () => {
  const { dictionary } = await learn(samples, { seed: 1 }, run);
  model = { dictionary, meta: known };
});

const withMeta = (change: Partial<ModelMeta>) => ({ ...model, meta: { ...known, ...change } });

describe('an updated model', () => {
  it('is what the stream makes of it, from a matrix, a source and a file', async () => {
    const right = await updateDictionary({ dictionary: model.dictionary, samples: 500, refined: false }, samples);
    await writeArray(scratch.file('more.npy'), samples);
    for (const more of [samples, memorySource(samples), scratch.file('more.npy')]) {
      const { dictionary, added } = await updateModel(model, more, {}, run);
      expect(maxDifference(dictionary.atoms, right.dictionary.atoms)).toBeLessThan(1e-9);
      expect(added).toBe(900);
    }
  });

  it('counts samples and updates', async () => {
    const first = await updateModel(model, samples, {}, run);
    expect(first.meta).toEqual({
      format: 1,
      method: 'msp',
      options: { norm: 4 },
      reason: 'updated with 900 samples',
      refined: first.refined,
      samples: first.samples,
      seen: 1400,
      updates: 1,
      energies: expect.any(Array),
    });
    const second = await updateModel(first, samples, {}, run);
    expect(second.meta).toMatchObject({ seen: 2300, updates: 2, samples: second.samples });
  });

  it('keeps what is still true of it, and drops the rest', async () => {
    const features = ['a', 'b', 'c', 'd', 'e'];
    const kept = { seed: 3, features, precision: 'f32' as const, refined: true };
    const patch = { width: 5, height: 1, channels: 1 } as const;
    const more = { ...kept, patch, objective: 5, status: 'converged', seconds: 1 };
    const { meta, refined } = await updateModel(withMeta(more), samples, {}, run);
    expect(meta).toMatchObject({ ...kept, patch, refined });
    for (const name of ['objective', 'status', 'seconds']) expect(meta).not.toHaveProperty(name);
    const { meta: own } = await updateModel(withMeta({ seed: 0 }), samples, {}, run);
    expect(own.seed).toBe(0);
    expect(own).not.toHaveProperty('features');
  });

  it('remembers its window, if it has an end', async () => {
    const windowOf = async (window?: number) => (await updateModel(model, samples, { window }, run)).meta.window;
    expect([await windowOf(2000), await windowOf(Number.POSITIVE_INFINITY), await windowOf()]).toEqual([
      2000,
      undefined,
      undefined,
    ]);
  });
});

describe('is refused', () => {
  const must = 'updateModel: the model must be of method msp with norm 4; got';
  it.each<[string, Partial<ModelMeta>, string]>([
    ['another method', { method: 'ksvd' }, `${must} method ksvd.`],
    ['no method', { method: undefined }, `${must} one without a method.`],
    ['another norm', { options: { norm: 6 } }, `${must} norm 6.`],
    ['no samples', { samples: undefined }, `${must} one that does not tell its number of samples.`],
    ['a text of samples', { samples: '500' as never }, 'does not tell its number of samples.'],
    ['none of its samples', { samples: 0 }, 'does not tell its number of samples.'],
  ])('a model with %s', async (_, change, words) => {
    await expect(updateModel(withMeta(change), samples, {}, run)).rejects.toThrow(words);
  });

  it('what is no model, and samples with other columns', async () => {
    for (const wrong of [null, {}, { dictionary: model.dictionary }]) {
      await expect(updateModel(wrong as never, samples)).rejects.toThrow('updateModel: model must be a model');
    }
    const named = { ...memorySource(samples), names: ['a', 'b', 'c', 'd', 'x'] };
    await expect(updateModel(withMeta({ features: ['a', 'b', 'c', 'd', 'e'] }), named, {}, run)).rejects.toThrow(
      'updateModel: the columns must be those of the model; got "x" where the model has "e".',
    );
  });

  it('no model whose norm is the usual one, or that has few samples', async () => {
    await updateModel(withMeta({ options: {}, samples: 1 }), samples, {}, run);
  });
});
