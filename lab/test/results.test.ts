/** lab/results: pages and charts in git, small enough to be there, with links that lead somewhere. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkTargets, readMarkdown, resolveLink, root } from '../../test/docs/markdown.ts';

const MOST_BYTES = 3e6;
const folder = 'lab/results';
/** Raw trials and PNGs of charts are left beside the pages by a run, and not committed: see .gitignore. */
const files = readdirSync(join(root, folder)).filter((name) => !name.endsWith('.csv'));
const pages = files.filter((name) => name.endsWith('.md')).map((name) => readMarkdown(join(folder, name)));

describe.each(pages)('$name', (page) => {
  it('links to files that exist', () => {
    const targets = linkTargets(page).map((target) => resolveLink(page, target).path);
    expect(targets.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('the index or the page about the papers links to every page', () => {
  const indexes = [join(folder, 'index.md'), 'docs/papers.md'].map(readMarkdown);
  const linked = indexes.flatMap((index) => linkTargets(index).map((target) => resolveLink(index, target).path));
  const names = pages.map(({ name }) => name).filter((name) => name !== indexes[0].name);
  expect(names.filter((name) => !linked.includes(name))).toEqual([]);
});

it('the pages show every chart, and all of them together are small', () => {
  const shown = new Set(pages.flatMap((page) => linkTargets(page).map((target) => resolveLink(page, target).path)));
  const charts = files.filter((name) => name.endsWith('.svg'));
  expect(charts.filter((name) => !shown.has(join(folder, name)))).toEqual([]);
  const counted = files.filter((name) => /\.(md|svg)$/.test(name) || shown.has(join(folder, name)));
  expect(counted.reduce((sum, name) => sum + statSync(join(root, folder, name)).size, 0)).toBeLessThan(MOST_BYTES);
});
