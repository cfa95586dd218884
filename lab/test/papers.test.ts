/** docs/papers.md: every experiment is in it, and every test and source file that it names exists. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Experiment } from '#lab/experiments/framework/experiment.ts';
import { experiments } from '#lab/experiments/index.ts';
import { linkTargets, readMarkdown, root } from '../../test/docs/markdown.ts';

const page = readMarkdown('docs/papers.md');

it('links to the page of every experiment, or names the command where the data is not at hand', () => {
  const linked = linkTargets(page);
  const shown = ({ name, data }: Experiment) =>
    linked.includes(`../lab/results/${name}.md`) || (data !== undefined && page.text.includes(name));
  expect(experiments.filter((experiment) => !shown(experiment)).map(({ name }) => name)).toEqual([]);
});

it('names files that exist', () => {
  const files = [...page.text.matchAll(/`((?:test|src|lab)\/[^`]+)`/g)].map(([, file]) => file);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
