/** docs/api/ is what `npm run docs:report` writes from the declarations of the build, and the main entry stays small. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { start } from '../helpers/run.ts';
import { root } from './markdown.ts';

it('docs/api is up to date', async () => {
  const { code, stderr } = await start(join(root, 'scripts/api-report.mjs'), ['--check']).finished;
  expect([code, stderr]).toEqual([0, '']);
});

it('the main entry has at most 50 values', async () => {
  expect(Object.keys(await import('orthodict')).length).toBeLessThanOrEqual(50);
});
