/**
 * Untrusted checkpoints: every part of their form is checked, and the error names the part. A checkpoint that cannot be
 * saved causes one warning while the run goes on, and an error when it is aborted.
 */
import { describe, expect, it, vi } from 'vitest';
import { identity } from '#src/core/matrix.ts';
import {
  type Checkpoint,
  CheckpointSaver,
  LoadedCheckpoint,
  loadCheckpoint,
  requireSameIdentity,
} from '#src/engine/checkpoint.ts';
import { whole } from '#src/engine/state-shape.ts';
import { learn } from '#src/learn/learn.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';

const loop = {
  solver: 'msp',
  iteration: 0,
  effort: 0,
  looped: 0,
  seconds: 0,
  recentObjectives: [1, 2, 3, Number.NaN],
  recentChanges: [],
  state: { count: 3, flag: true, vector: Float64Array.of(1), atoms: identity(2) },
};
const finished = { ...loop, status: 'converged', code: 'change', reason: 'change', budgets: { maxIterations: 5 } };
const good = {
  identity: { data: 'hash', backend: 'wasm', options: { norm: 4 } },
  finished: [finished, { ...finished, status: 'exhausted', budgets: {} }],
  current: loop,
};

const store = (content: unknown, name?: string) =>
  ({ name, interval: 0, load: async () => content, save: async () => {} }) as never;
const load = (content: unknown, name?: string) => loadCheckpoint('learn', store(content, name));

it('takes what a run saves, with or without a current loop, and nothing', async () => {
  expect((await load(good))!.content).toBe(good);
  expect((await load({ ...good, finished: [], current: undefined }))!.content.finished).toEqual([]);
  expect(await load(undefined)).toBeUndefined();
});

const inLoop = (change: object) => ({ ...good, current: { ...loop, ...change } });
const inFinished = (change: object) => ({ ...good, finished: [finished, { ...finished, ...change }] });
const inIdentity = (change: object) => ({ ...good, identity: { ...good.identity, ...change } });

describe('refuses', () => {
  it.each<[string, unknown, string]>([
    ['identity', { ...good, identity: undefined }, 'an object; got nothing'],
    ['identity', { ...good, identity: null }, 'an object; got null'],
    ['identity', { ...good, identity: [1] }, 'an object; got a list of 1'],
    ['identity.data', inIdentity({ data: 5 }), 'text; got 5'],
    ['identity.backend', inIdentity({ backend: {} }), 'text; got an object'],
    ['identity.options', inIdentity({ options: 'all' }), 'an object; got "all"'],
    ['finished', { ...good, finished: {} }, 'a list of loops; got an object'],
    ['finished.1', { ...good, finished: [finished, 7] }, 'an object; got 7'],
    ['finished.1.status', inFinished({ status: 'aborted' }), 'converged or exhausted; got "aborted"'],
    ['finished.1.reason', inFinished({ reason: 1 }), 'text; got 1'],
    ['finished.1.budgets', inFinished({ budgets: null }), 'an object of finite numbers; got null'],
    ['finished.1.budgets', inFinished({ budgets: { starts: 1 / 0 } }), 'an object of finite numbers; got an object'],
    ['current', { ...good, current: [] }, 'an object; got a list of 0'],
    ['current', { ...good, current: null }, 'an object; got null'],
    ['current.solver', inLoop({ solver: undefined }), 'text; got nothing'],
    ['current.iteration', inLoop({ iteration: -1 }), 'a whole number from 0; got -1'],
    ['current.iteration', inLoop({ iteration: 1.5 }), 'a whole number from 0; got 1.5'],
    ['current.recentObjectives', inLoop({ recentObjectives: [1, 2, 3, 4, 5] }), 'at most 4 numbers; got a list of 5'],
    ['current.recentChanges', inLoop({ recentChanges: ['1'] }), 'at most 4 numbers; got a list of 1'],
    ['current.recentChanges', inLoop({ recentChanges: { length: 0 } }), 'at most 4 numbers; got an object'],
    ['current.effort', inLoop({ effort: -1 }), 'a finite number from 0; got -1'],
    ['current.looped', inLoop({ looped: 1 / 0 }), 'a finite number from 0; got Infinity'],
    ['current.seconds', inLoop({ seconds: 'ten' }), 'a finite number from 0; got "ten"'],
    ['current.state', inLoop({ state: [] }), 'an object; got a list of 0'],
    ['current.count', inLoop({ state: { count: '1' } }), 'a number, true or false, a vector or a matrix; got "1"'],
  ])('%s', async (part, content, words) => {
    const advice = 'Delete the checkpoint, or run without resuming.';
    await expect(load(content)).rejects.toThrow(`learn: ${part} in the checkpoint must be ${words}. ${advice}`);
    await expect(load(content, 'run.npz')).rejects.toThrow(`learn: ${part} in the checkpoint run.npz must be`);
  });
});

describe('the state of a loop', () => {
  const loaded = new LoadedCheckpoint('learn', store(good), good as never);

  it('must be one of its solver, which must say what that is', () => {
    const shape = { count: whole(1, 3) };
    loaded.requireState('current', { count: 3 }, { name: 'counter', shape } as never);
    expect(() => loaded.requireState('current', { count: 4 }, { name: 'counter', shape } as never)).toThrow(
      'learn: current.count in the checkpoint must be a whole number from 1 to 3; got 4.',
    );
    expect(() => loaded.requireState('current', { count: 3 }, { name: 'counter' } as never)).toThrow(
      'solver counter must be one that gives the shape of its state; got none.',
    );
  });
});

describe('a checkpoint of another run', () => {
  const refuse = (change: object) => () =>
    requireSameIdentity('learn', good.identity, { ...good.identity, ...change } as never);

  it('is refused, and the difference named; the data last', () => {
    requireSameIdentity('learn', good.identity, { ...good.identity, options: { norm: 4, seed: undefined } });
    expect(refuse({ options: { norm: 3 }, data: 'x' })).toThrow('got another norm (4 there, 3 here)');
    expect(refuse({ options: {} })).toThrow('got another norm (4 there, not set here)');
    expect(refuse({ options: { norm: 4, seed: 1 } })).toThrow('got another seed (not set there, 1 here)');
    expect(refuse({ backend: 'js', data: 'x' })).toThrow('got another backend ("wasm" there, "js" here)');
    expect(refuse({ data: 'x' })).toThrow('must have been made from the same data');
  });
});

const { samples } = generate({ samples: 400, features: 5, theta: 0.3, seed: 1 });
const saving = {
  shift: 'none',
  refine: 'none',
  maxIterations: 8,
  tolerance: 0,
  objectiveTolerance: 0,
  precision: 'f64',
} as const;

/** Fails at the attempts for which `fails` returns true, counted from 1. */
function unreliable(fails: (attempt: number) => boolean) {
  const saved: Checkpoint[] = [];
  const store = {
    attempts: 0,
    saved,
    interval: 0,
    load: async () => saved.at(-1),
    async save(checkpoint: Checkpoint) {
      if (fails(++store.attempts)) throw new Error('the disk is full.');
      saved.push(structuredClone(checkpoint));
    },
  };
  return store;
}

describe('a save that fails', () => {
  it('does not end the run, is reported once, and is tried again', async () => {
    const whole = await learn(samples, saving);
    const checkpoint = unreliable((attempt) => attempt % 2 === 0);
    const warnings: string[] = [];
    const result = await learn(samples, saving, { checkpoint, onWarning: (message) => warnings.push(message) });
    expect(result.dictionary.atoms).toEqual(whole.dictionary.atoms);
    expect(warnings).toEqual([
      'learn: the checkpoint could not be saved (the disk is full). The run continues and will try again.',
    ]);
    expect([checkpoint.attempts, checkpoint.saved.length]).toEqual([9, 5]); // after every step, and at the end
    const resumed = await learn(samples, saving, { checkpoint, resume: true });
    expect(resumed.dictionary.atoms).toEqual(whole.dictionary.atoms);
  });

  it('is an error when the run is aborted: its work would be lost', async () => {
    const controller = new AbortController();
    const checkpoint = unreliable(() => true);
    const onProgress = ({ iteration }: { iteration: number }) => iteration === 3 && controller.abort();
    const run = learn(samples, saving, { checkpoint, signal: controller.signal, onProgress, onWarning: () => {} });
    await expect(run).rejects.toThrow('the disk is full.');
  });
});

it('a save is due when the interval since the last attempt is over, in seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const saver = new CheckpointSaver('learn', { interval: 2, load: async () => undefined, save: async () => {} });
  for (let k = 0; k < 2; k++) {
    vi.advanceTimersByTime(1999);
    expect(saver.isDue).toBe(false);
    vi.advanceTimersByTime(1);
    expect(saver.isDue).toBe(true);
    await saver.save(good as never);
  }
  vi.advanceTimersByTime(9000);
  expect(new CheckpointSaver('learn', undefined).isDue).toBe(false);
  vi.useRealTimers();
});
