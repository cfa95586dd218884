/** Every model beside its peers: games, scores, verdicts, tables. */

import { chartSvg } from 'orthodict/node';
import { describe, expect, it } from 'vitest';
import { modelChart } from '#lab/charts/ratio-chart.ts';
import { findPython } from '#lab/python.ts';
import { modelTables } from '#lab/report/model-tables.ts';
import { MATCHES } from '#lab/tasks/models/index.ts';
import type { Match } from '#lab/tasks/models/match.ts';
import { playAll } from '#lab/tasks/models/model-race.ts';
import { scratchDirectory } from '../../../test/helpers/scratch.ts';
import { guess } from './tiny.ts';

const scratch = scratchDirectory();
const python = findPython('numpy', 'sklearn');
const without = 'missing' in python ? python.missing : undefined;
if (without) console.warn(`bench: peers of the models are not checked, ${without}.`);

const play = (matches: readonly Match[], peers: boolean, only: readonly string[] = []) =>
  playAll(matches, { rounds: 3, peers, only, folder: scratch.path });

describe('a match', () => {
  it('has a game for every seed, and a failure is a result', async () => {
    const { races } = await play([guess], false);
    const [race] = races;
    expect(race.results.map(({ name, scores, score, reason }) => [name, scores, score, reason])).toEqual([
      ['ours', [1, 1, 1], 1, undefined],
      ['ours, failing', [], null, 'no idea'],
    ]);
    expect(race.verdict).toBeNull();
    expect(modelTables(races).map(({ title }) => title)).toEqual(['Guessing']);
  });

  it.skipIf(without)('is judged against the peer with the best score', async () => {
    const { races } = await play([guess, { ...guess, reason: 'it is hard', scoreBar: 0.1 }], true);
    const [{ results, verdict }, strict] = races;
    expect(results.map(({ name, scores }) => [name, scores.length])).toEqual([
      ['ours', 3],
      ['ours, failing', 0],
      ['near', 3],
      ['far', 1],
    ]);
    expect([verdict?.peer, verdict?.score, verdict?.met.score, verdict?.reason]).toEqual([
      'near',
      0.5,
      true,
      undefined,
    ]);
    expect([strict.verdict?.met.score, strict.verdict?.reason]).toEqual([false, 'it is hard']);
    const [, all] = modelTables(races);
    expect(all.notes).toContain('a number, ours, failing: no idea');
    expect(await chartSvg(modelChart(races, 'here'))).toContain('Guessing: a number');
  });

  it.skipIf(without)('has only the contenders asked for', async () => {
    const { races } = await play([guess], true, ['near']);
    expect(races[0].results.map(({ name }) => name)).toEqual(['near']);
  });

  it('is skipped with a reason where its data is missing', async () => {
    const { races, skipped } = await play([{ ...guess, missing: () => 'not here' }], false);
    expect([races, skipped]).toEqual([[], [{ name: 'Guessing: a number', reason: 'not here' }]]);
  });
});

describe('the matches', () => {
  it('differ, and have a default of ours and a peer each', () => {
    const names = MATCHES.map(({ group, data, objective }) => `${group}: ${data}: ${objective}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { ours, peers } of MATCHES) expect([ours.length > 0, peers.length > 0]).toEqual([true, true]);
  });

  const first = [...new Map(MATCHES.map((match) => [match.group, match] as const).reverse()).values()];
  it.each(first.map((match) => [match.group, match] as const))('%s: ours scores on a game', async (_, match) => {
    const missing = match.missing?.();
    if (missing) return console.warn(`bench: ${match.group} is not checked, ${missing}.`);
    const game = await match.deal(1);
    const score = await game.score(await match.ours[0].fit(game.given, 1, new AbortController().signal));
    expect(score).toBeGreaterThanOrEqual(0);
    expect(Number.isFinite(score)).toBe(true);
  });
});
