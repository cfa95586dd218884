/** docs/cli.md is what `npm run docs:cli` writes from the help texts. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { start } from '../helpers/run.ts';
import { root } from './markdown.ts';

it('docs/cli.md is up to date', async () => {
  const { code, stderr } = await start(join(root, 'scripts/cli-reference.mjs'), ['--check']).finished;
  expect([code, stderr]).toEqual([0, '']);
});
