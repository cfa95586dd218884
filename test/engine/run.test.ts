/** One run: the options it accepts, the progress it reports, and how it continues from a checkpoint. */
import { describe, expect, it } from 'vitest';
import type { Checkpoint, CheckpointStore } from '#src/engine/checkpoint.ts';
import { Run, type RunOptions } from '#src/engine/run.ts';
import type { Solver } from '#src/engine/solver.ts';
import { whole } from '#src/engine/state-shape.ts';
import { type Progress, stopAfterIterations } from '#src/engine/stop.ts';

type Count = { readonly count: number };

/** Counts, and takes note of the steps it makes. */
function counter(run: Run, name = 'counter', steps: number[] = []): Solver<Count> {
  return {
    name,
    shape: { count: whole() },
    init: async () => ({ count: 0 }),
    async step({ count }) {
      run.visited.samples += 10;
      steps.push(count + 1);
      return { count: count + 1 };
    },
    report: ({ count }) => ({ objective: count, change: 1 / count }),
  };
}

/** A store in memory; `saves`: what was saved, in order. */
function memoryStore(interval = 0, saved?: Checkpoint): CheckpointStore & { saves: Checkpoint[] } {
  const saves: Checkpoint[] = [];
  return {
    interval,
    saves,
    load: async () => saves.at(-1) ?? saved,
    save: async (checkpoint) => void saves.push(structuredClone(checkpoint)),
  };
}

const IDENTITY = { data: 'hash', options: { norm: 4, maxIterations: 3 } };
const loop = (most: number) => ({ stop: [stopAfterIterations(most)], samplesPerStep: 10 });

describe('a run', () => {
  it.each<[string, unknown, string]>([
    ['null', null, 'learn: the run must be an object; got null.'],
    ['a number', 5, 'learn: the run must be an object; got 5.'],
    ['an unknown name', { thread: 2 }, 'got "thread".'],
    ['resume alone', { resume: true }, 'learn: resume must be given with checkpoint; got resume alone.'],
  ])('refuses %s', async (_, options, words) => {
    await expect(Run.start('learn', options as RunOptions)).rejects.toThrow(words);
  });

  it('accepts a checkpoint with and without resuming, and nothing', async () => {
    for (const options of [{}, { checkpoint: memoryStore() }, { checkpoint: memoryStore(), resume: true }]) {
      expect((await Run.start('learn', options)).executor.threads).toBe(1);
    }
  });

  it('tells of stages and steps, with what was spent before', async () => {
    const seen: Progress[] = [];
    const run = await Run.start('learn', { onProgress: (progress) => void seen.push(progress) });
    run.begin('first');
    await run.drive(counter(run), loop(2));
    const { looped } = run;
    run.looped = 1000;
    await run.drive(counter(run, 'other'), loop(1), (progress) => ({ ...progress, objective: -1 }));
    expect(seen.map(({ solver, iteration, objective, visited }) => [solver, iteration, objective, visited])).toEqual([
      ['first', 0, Number.NaN, undefined],
      ['counter', 1, 1, 10],
      ['counter', 2, 2, 20],
      ['other', 1, -1, 30],
    ]);
    expect(seen[2].spent).toBe(looped);
    expect(seen[3].spent).toBe(1000 + seen[3].seconds);
    expect(run.looped).toBe(seen[3].spent);
    expect(seen[0].seconds).toBeLessThanOrEqual(run.seconds);
    expect(Math.abs(run.seconds - (performance.now() - run.started) / 1000)).toBeLessThan(1);
  });

  it('that is aborted begins no stage', async () => {
    const run = await Run.start('learn', { signal: AbortSignal.abort(new Error('enough')) });
    expect(() => run.begin('first')).toThrow('enough');
    expect(run.signal!.aborted).toBe(true);
  });

  it('may go on while something is left of every budget', async () => {
    const run = await Run.start('learn', {});
    await run.open(IDENTITY);
    expect(run.mayGoOn({ maxIterations: 2 })).toBe(true);
    expect(run.mayGoOn({ maxIterations: 3 })).toBe(false);
    const several = await Run.start('learn', {});
    await several.open({
      data: 'hash',
      options: { maxIterations: 5, maxSeconds: Number.POSITIVE_INFINITY, starts: 2 },
    });
    expect(several.mayGoOn({})).toBe(true);
    expect(several.mayGoOn({ maxIterations: 4, starts: 1, maxSeconds: 1e9 })).toBe(true);
    expect(several.mayGoOn({ maxIterations: 4, starts: 2 })).toBe(false);
  });
});

describe('a run with a checkpoint', () => {
  /** Two loops of three steps; the third step of the whole is the last if `cut`. */
  async function twoLoops(checkpoint: CheckpointStore, resume: boolean, cut = Number.POSITIVE_INFINITY, most = 3) {
    const abort = new AbortController();
    let seen = 0;
    const onProgress = () => {
      if (++seen === cut) abort.abort();
    };
    const run = await Run.start('learn', { checkpoint, resume, signal: abort.signal, onProgress });
    await run.open(IDENTITY);
    const steps: number[][] = [[], []];
    const outcomes = [];
    for (const [k, name] of ['one', 'two'].entries()) {
      outcomes.push(await run.drive(counter(run, name, steps[k]), loop(most)));
    }
    return { run, steps, outcomes };
  }

  it('saves every loop where it stands and where it ended', async () => {
    const store = memoryStore();
    const { outcomes } = await twoLoops(store, false);
    expect(outcomes.map(({ state, iterations, status }) => [state.count, iterations, status])).toEqual([
      [3, 3, 'exhausted'],
      [3, 3, 'exhausted'],
    ]);
    expect(store.saves.map(({ finished, current }) => [finished.length, current?.iteration])).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, undefined],
      [1, 1],
      [1, 2],
      [1, 3],
      [2, undefined],
    ]);
    const { finished, identity } = store.saves.at(-1)!;
    expect(finished.map(({ solver, effort, budgets }) => [solver, effort, budgets])).toEqual([
      ['one', 30, { maxIterations: 3 }],
      ['two', 60, { maxIterations: 3 }],
    ]);
    expect(identity).toMatchObject({ data: 'hash', options: { norm: 4 } });
    expect(identity.options).not.toHaveProperty('maxIterations');
  });

  it('saves only the ends of loops within the interval', async () => {
    const store = memoryStore(1e6);
    await twoLoops(store, false);
    expect(store.saves.map(({ finished }) => finished.length)).toEqual([1, 2]);
  });

  it.each([1, 2, 4, 5])('continues after %d steps as if it had not stopped', async (cut) => {
    const store = memoryStore(1e6);
    const first = await twoLoops(store, false, cut);
    expect(first.outcomes.at(-1)!.status).toBe('aborted');
    const { steps, outcomes, run } = await twoLoops(store, true);
    const all = [1, 2, 3];
    expect([...first.steps[0], ...steps[0]]).toEqual(all);
    expect([...first.steps[1], ...steps[1]]).toEqual(all);
    expect(outcomes.map(({ state, iterations }) => [state.count, iterations])).toEqual([
      [3, 3],
      [3, 3],
    ]);
    expect(run.visited.samples).toBe(60);
    expect(store.saves.at(-1)!.finished).toHaveLength(2);
  });

  it('with all loops ended takes no step, and with a larger limit goes on in the first', async () => {
    const store = memoryStore();
    await twoLoops(store, false);
    const again = await twoLoops(store, true);
    expect(again.steps).toEqual([[], []]);
    expect(again.run.visited.samples).toBe(60);
    expect(again.run.looped).toBe(store.saves.at(-1)!.finished[1].looped);
    expect(again.run.mayGoOn({ maxIterations: 3 })).toBe(false);
    const longer = await twoLoops(store, true, undefined, 5);
    expect(longer.steps).toEqual([
      [4, 5],
      [1, 2, 3, 4, 5],
    ]);
  });

  it('starts anew without resuming, and refuses what is of other data', async () => {
    const store = memoryStore();
    await twoLoops(store, false);
    expect((await twoLoops(store, false)).steps[0]).toEqual([1, 2, 3]);
    const run = await Run.start('learn', { checkpoint: store, resume: true });
    await expect(run.open({ ...IDENTITY, data: 'other' })).rejects.toThrow('must have been made from the same data');
  });

  it('of other loops begins those again', async () => {
    const store = memoryStore();
    await twoLoops(store, false);
    const run = await Run.start('learn', { checkpoint: store, resume: true });
    await run.open(IDENTITY);
    const steps: number[] = [];
    await run.drive(counter(run, 'one', steps), loop(3));
    await run.drive(counter(run, 'third', steps), loop(3));
    expect(steps).toEqual([1, 2, 3]);
    expect(store.saves.at(-1)!.finished.map(({ solver }) => solver)).toEqual(['one', 'third']);
  });
});
