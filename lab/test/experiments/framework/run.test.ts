/** The runner measures every trial once, resumes an interrupted run, and leaves the files of other runs alone. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { InputError } from 'orthodict';
import { describe, expect, it } from 'vitest';
import type { Experiment, Trial } from '#lab/experiments/framework/experiment.ts';
import { type Lanes, Plan, type RunOptions } from '#lab/experiments/framework/run.ts';
import { scratchDirectory } from '../../../../test/helpers/scratch.ts';
import { runExperiment } from '../run-experiment.ts';
import { sumExperiment } from './sum-experiment.ts';

const scratch = scratchDirectory();
const run = (name: string, options: RunOptions = {}, experiment: Experiment = sumExperiment(), signal?: AbortSignal) =>
  runExperiment(experiment, options, { csv: scratch.file(name), signal });

/** Without the seconds, which differ in every run. */
const lines = (name: string) =>
  readFileSync(scratch.file(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/,[^,]*$/, ''));

describe('runExperiment', () => {
  it('measures every point in every trial, with the same seed at all points of a trial', async () => {
    const trials = await run('whole.csv', { seed: 5 });
    expect(trials.map(({ trial, seed, point, measured }) => [trial, seed, point.a, point.b, measured.sum])).toEqual([
      [0, 5, 1, 3, 9],
      [0, 5, 2, 3, 10],
      [1, 6, 1, 3, 10],
      [1, 6, 2, 3, 11],
    ]);
    expect(lines('whole.csv')).toEqual([
      'trial,seed,a,b,sum,absent',
      '0,5,1,3,9,',
      '0,5,2,3,10,',
      '1,6,1,3,10,',
      '1,6,2,3,11,',
    ]);
  });

  it('stops between trials when aborted, keeps the finished ones, and resumes from there', async () => {
    const controller = new AbortController();
    let count = 0;
    const counting = sumExperiment(() => {
      if (++count === 3) controller.abort(new Error('enough'));
    });
    await expect(run('parts.csv', {}, counting, controller.signal)).rejects.toThrow('enough');
    expect(lines('parts.csv')).toHaveLength(1 + 2); // the aborted third trial is not saved
    await run('parts.csv', {}, counting);
    expect(count).toBe(3 + 2);
    await run('uninterrupted.csv');
    expect(lines('parts.csv')).toEqual(lines('uninterrupted.csv'));
  });

  it('measures an unfinished last line again', async () => {
    await run('torn.csv');
    const whole = lines('torn.csv');
    appendFileSync(scratch.file('torn.csv'), '2,3,1,');
    await run('torn.csv', { trials: 3 });
    expect(lines('torn.csv').slice(0, whole.length)).toEqual(whole);
    expect(lines('torn.csv')).toHaveLength(1 + 6);
  });

  it('reuses existing trials when more are requested, and only the first ones when fewer are', async () => {
    let count = 0;
    const counting = sumExperiment(() => count++);
    await run('more.csv', { trials: 1 }, counting);
    await run('more.csv', { trials: 3 }, counting);
    expect(count).toBe(6);
    expect(await run('more.csv', { trials: 1 }, counting)).toHaveLength(2);
    expect([count, lines('more.csv').length]).toEqual([6, 7]);
  });

  it('refuses the file of another run and leaves it as it is, unless told to start over', async () => {
    await run('other.csv');
    const before = readFileSync(scratch.file('other.csv'), 'utf8');
    await expect(run('other.csv', { seed: 2 })).rejects.toThrow(/from seed 1, but this run starts from 2; --fresh/);
    await expect(run('other.csv', { quick: true })).rejects.toThrow(
      /has trials with a = 2, b = 3, which this run lacks/,
    );
    const renamed = { ...sumExperiment(), measures: [{ name: 'product', label: 'product' }] };
    await expect(run('other.csv', {}, renamed)).rejects.toThrow(InputError);
    expect(readFileSync(scratch.file('other.csv'), 'utf8')).toBe(before);
    await run('other.csv', { seed: 2, fresh: true });
    expect(lines('other.csv')[1]).toBe('0,2,1,3,6,');
  });

  it('rejects invalid numbers of trials and seeds', async () => {
    for (const options of [{ trials: 0 }, { trials: 1.5 }, { seed: 0.5 }, { seed: Number.MAX_SAFE_INTEGER }]) {
      await expect(run('never.csv', options)).rejects.toThrow(InputError);
    }
    expect(existsSync(scratch.file('never.csv'))).toBe(false);
  });

  it('measures several trials at once if there are lanes, and returns them in order', async () => {
    const busy = { now: 0, most: 0 };
    const lanes: Lanes = {
      count: 3,
      async measure(experiment, point, seed, signal) {
        busy.most = Math.max(busy.most, ++busy.now);
        await new Promise((resolve) => setTimeout(resolve, point.a === 1 ? 20 : 1));
        busy.now--;
        return experiment.trial(point, seed, signal);
      },
    };
    const several = await runExperiment(sumExperiment(), {}, { csv: scratch.file('several.csv'), lanes });
    expect(busy.most).toBe(3);
    const plain = (trials: Trial[]) => trials.map(({ seconds, ...trial }) => trial);
    expect(plain(several)).toEqual(plain(await run('one-by-one.csv')));
    expect(lines('several.csv').sort()).toEqual(lines('one-by-one.csv').sort());

    busy.most = 0;
    await runExperiment({ ...sumExperiment(), alone: true }, {}, { csv: scratch.file('alone.csv'), lanes });
    expect(busy.most).toBe(0); // not in a lane
  });

  it('stops all lanes when a trial fails', async () => {
    const ended: string[] = [];
    const lanes: Lanes = {
      count: 2,
      measure: ({ name }, { a }, _, signal) =>
        new Promise((resolve, reject) => {
          if (a === 1) reject(new Error('no sum'));
          signal.addEventListener('abort', () => {
            ended.push(name);
            reject(signal.reason);
          });
          if (signal.aborted) resolve({});
        }),
    };
    const failing = runExperiment(sumExperiment(), {}, { csv: scratch.file('failing.csv'), lanes });
    await expect(failing).rejects.toThrow('no sum');
    expect(ended.length).toBeGreaterThan(0);
    expect(existsSync(scratch.file('failing.csv'))).toBe(false); // nothing was measured
  });

  it('reports progress and the time left', async () => {
    const said: string[] = [];
    await runExperiment(sumExperiment(), {}, { csv: scratch.file('told.csv'), say: (words) => said.push(words) });
    expect(said[0]).toBe('sums: 0 of 4 trials …');
    expect(said[3]).toMatch(/^sums: 3 of 4 trials, about \d+ s left$/);
  });

  it('expects trials to take as long as finished ones, and lanes to share them', async () => {
    const csv = scratch.file('slow.csv');
    writeFileSync(csv, 'trial,seed,a,b,sum,absent,seconds\n0,1,1,3,5,,100\n0,1,2,3,6,,300\n');
    const plan = await Plan.read(sumExperiment(), { trials: 3 }, csv);
    expect(plan.trials.map(({ measured }) => measured.sum)).toEqual([5, 6]);
    expect([plan.secondsLeft(1), plan.secondsLeft(2)]).toEqual([800, 400]);
    const unknown = await Plan.read(sumExperiment(), {}, scratch.file('not-begun.csv'));
    expect(unknown.secondsLeft(1)).toBeUndefined();
    const known = await Plan.read({ ...sumExperiment(), name: 'table2' }, {}, scratch.file('not-begun.csv'));
    expect(known.secondsLeft(1)).toBeGreaterThan(1); // from durations.ts
    const alone = await Plan.read({ ...sumExperiment(), alone: true }, { trials: 3 }, csv);
    expect(alone.secondsLeft(2)).toBe(800);
  });
});
