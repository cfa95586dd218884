import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors, linkTargets, markdownFiles, readMarkdown, resolveLink, root } from './markdown.ts';

/** A path in backticks, from the root of the repository. */
const NAMED = /`((?:src|test|lab|docs|scripts|examples|playground|assembly)\/[\w./-]*)`/g;

describe.each(markdownFiles())('$name', (file) => {
  it('links to files and headings that exist', () => {
    const broken = linkTargets(file).filter((target) => {
      const { path, anchor } = resolveLink(file, target);
      if (!existsSync(join(root, path))) return true;
      return anchor !== undefined && path.endsWith('.md') && !anchors(readMarkdown(path)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('names files and folders of the repository that exist', () => {
    const named = [...file.text.matchAll(NAMED)].map(([, path]) => path);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('the index of docs/ names every page', () => {
  const index = readMarkdown('docs/README.md');
  const linked = linkTargets(index).map((target) => resolveLink(index, target).path);
  const pages = markdownFiles().filter(({ name }) => name.startsWith('docs/') && name !== 'docs/README.md');
  expect(pages.map(({ name }) => name).filter((name) => !linked.includes(name))).toEqual([]);
});
