/** Every model beside other programs: rounds, scores, verdicts, tables. */

import { chartSvg } from 'orthodict/node';
import { describe, expect, it } from 'vitest';
import { ratioChart } from '#lab/charts/ratio-chart.ts';
import { findPython } from '#lab/python.ts';
import { modelTables } from '#lab/report/model-tables.ts';
import { MODEL_TASKS } from '#lab/tasks/models/index.ts';
import type { ModelTask } from '#lab/tasks/models/model-task.ts';
import { runModels } from '#lab/tasks/models/models.ts';
import { scratchDirectory } from '../../../test/helpers/scratch.ts';
import { guess } from './tiny.ts';

const scratch = scratchDirectory();
const python = findPython('numpy', 'sklearn');
const without = 'missing' in python ? python.missing : undefined;
if (without) console.warn(`bench: the programs beside our models are not checked, ${without}.`);

const run = (tasks: readonly ModelTask[], peers: boolean, only: readonly string[] = []) =>
  runModels(tasks, { rounds: 3, peers, only, folder: scratch.path });

describe('a task', () => {
  it('has other data in every round, and a failure is a result', async () => {
    const { models } = await run([guess], false);
    const [model] = models;
    expect(model.results.map(({ name, scores, score, reason }) => [name, scores, score, reason])).toEqual([
      ['ours', [1, 1, 1], 1, undefined],
      ['ours, failing', [], null, 'no idea'],
    ]);
    expect(model.verdict).toBeNull();
    expect(modelTables(models).map(({ title }) => title)).toEqual(['Guessing']);
  });

  it.skipIf(without)('is judged against the other program with the best score', async () => {
    const { models } = await run([guess, { ...guess, reason: 'it is hard', scoreBar: 0.1 }], true);
    const [{ results, verdict }, strict] = models;
    expect(results.map(({ name, scores }) => [name, scores.length])).toEqual([
      ['ours', 3],
      ['ours, failing', 0],
      ['near', 3],
      ['far', 1],
    ]);
    expect([verdict?.other, verdict?.score, verdict?.met.score, verdict?.reason]).toEqual([
      'near',
      0.5,
      true,
      undefined,
    ]);
    expect([strict.verdict?.met.score, strict.verdict?.reason]).toEqual([false, 'it is hard']);
    const [, all] = modelTables(models);
    expect(all.notes).toContain('a number, ours, failing: no idea');
    expect(await chartSvg(ratioChart(models, 'here'))).toContain('Guessing: a number');
  });

  it.skipIf(without)('has only the contenders asked for', async () => {
    const { models } = await run([guess], true, ['near']);
    expect(models[0].results.map(({ name }) => name)).toEqual(['near']);
  });

  it('is skipped with a reason where its data is missing', async () => {
    const { models, skipped } = await run([{ ...guess, missing: () => 'not here' }], false);
    expect([models, skipped]).toEqual([[], [{ name: 'Guessing: a number', reason: 'not here' }]]);
  });
});

describe('the tasks', () => {
  it('differ, and have a default of ours and another program each', () => {
    const names = MODEL_TASKS.map(({ group, data, objective }) => `${group}: ${data}: ${objective}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { contenders } of MODEL_TASKS) {
      expect([contenders[0].ours, contenders.some(({ ours }) => !ours)]).toEqual([true, true]);
    }
  });

  const first = [...new Map(MODEL_TASKS.map((task) => [task.group, task] as const).reverse()).values()];
  it.each(first.map((task) => [task.group, task] as const))('%s: ours scores', async (_, task) => {
    const missing = task.missing?.();
    if (missing) return console.warn(`bench: ${task.group} is not checked, ${missing}.`);
    const { models } = await runModels([{ ...task, contenders: [task.contenders[0]] }], {
      rounds: 1,
      peers: false,
      only: [],
      folder: scratch.path,
    });
    const [{ score }] = models[0].results;
    expect(score).toBeGreaterThanOrEqual(0);
    expect(Number.isFinite(score)).toBe(true);
  });
});
