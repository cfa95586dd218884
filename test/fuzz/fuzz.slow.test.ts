/** A part of `npm run fuzz` with a fixed seed: the cases are the same every time. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { patient } from '../helpers/patience.ts';
import { testSeed } from '../helpers/seed.ts';
import { targetNames } from './targets/index.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
/** Share of the usual number of cases. The seed is fixed, so the same cases run every time; `npm run fuzz` draws others. */
const SHARE = '0.06';

it('finds nothing', { timeout: patient(280_000) }, () => {
  const args = ['--import', 'tsx', main, '--cases', SHARE, '--jobs', '1', '--seed', String(testSeed(1))];
  const env = { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.dist.json' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/seed \d+: \d{4,} cases in \d+ s, 0 failures/);
  for (const name of targetNames) expect(stdout).toMatch(new RegExp(`^${name} +[1-9]`, 'm'));
});
