/**
 * The worked example of docs/add-a-solver.md: the printed code is run here, as a method outside the package, on two
 * threads.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start } from '../helpers/run.ts';
import { codeBlocks, readMarkdown, root } from './markdown.ts';

const page = readMarkdown('docs/add-a-solver.md');

describe('docs/add-a-solver.md', () => {
  it.each(['clipped-l4.mjs', 'learn-with-clipped-l4.mjs'])('prints examples/%s', (file) => {
    expect(codeBlocks(page).map(({ code }) => code)).toContain(readFileSync(join(root, 'examples', file), 'utf8'));
  });

  it('shows the output of the example: outliers do less harm to the method that clips codes', async () => {
    const { code, stdout, stderr } = await start(join(root, 'examples/learn-with-clipped-l4.mjs'), []).finished;
    expect([code, stderr]).toEqual([0, '']);
    expect(codeBlocks(page).map((block) => block.code)).toContain(stdout);
    const [robust, plain] = [...stdout.matchAll(/error (\S+)/g)].map((match) => Number(match[1]));
    expect(robust).toBeLessThan(0.05);
    expect(plain).toBeGreaterThan(10 * robust);
  });
});
