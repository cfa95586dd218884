/** `npm run reproduce`, interrupted and called again. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scratchDirectory } from '../../test/helpers/scratch.ts';
import { callJson, callRefused, startLab } from './command.ts';

const scratch = scratchDirectory();

it('exits with 130 on SIGINT, says how to continue, and continues', async () => {
  const folder = scratch.file('interrupted');
  const csv = `${folder}/householder-figure4.csv`;
  const args = ['reproduce', 'householder-figure4', '--quick', '--trials', '1', '--out', folder];
  const run = startLab(args);
  while (!existsSync(csv) || readFileSync(csv, 'utf8').split('\n').length < 4) await sleep(5);
  run.kill('SIGINT');
  const stopped = await run.finished;
  expect([stopped.code, stopped.stdout]).toEqual([130, '']);
  expect(stopped.stderr).toMatch(/^reproduce: interrupted; .* and the same command continues from there\.\n$/);
  const kept = readFileSync(csv, 'utf8');

  const soFar = await callJson(...args, '--report');
  expect(soFar.experiments[0].extent).toMatch(/^0 to 1 trials at each of 12 points, of 1 planned$/);
  expect(readFileSync(csv, 'utf8')).toBe(kept);

  const { index, experiments } = await callJson(...args);
  expect([index, experiments.length, experiments[0].points]).toEqual([null, 1, 12]);
  expect(experiments[0].claims.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['holds', 'holds', 'holds']);
  expect(readFileSync(csv, 'utf8').startsWith(kept)).toBe(true);
  for (const file of ['md', 'svg', 'png']) expect(existsSync(`${folder}/householder-figure4.${file}`)).toBe(true);
  const page = readFileSync(`${folder}/householder-figure4.md`, 'utf8');
  expect(page).toContain('npm run reproduce -- householder-figure4 --quick --trials 1\n');

  expect(await callRefused(...args, '--seed', '9')).toMatch(
    /belongs to another run: has trials from seed 1, but this run starts from 9; --fresh/,
  );
});

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
