/** Every code of a remark is explained where users of the command line and of the page look. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMarkdown, root } from './markdown.ts';

const source = readFileSync(`${root}/src/learn/remarks.ts`, 'utf8');
const [, union] = /type RemarkCode =([^;]+);/.exec(source)!;
const codes = [...union.matchAll(/'([\w-]+)'/g)].map(([, code]) => code);

describe.each(['docs/your-data.md', 'docs/browser.md'])('%s', (page) => {
  it('has a row for every code, and for no other', () => {
    const [, section] = /^## Remarks\n(.*?)^## /ms.exec(readMarkdown(page).text)!;
    expect([...section.matchAll(/^\| `([\w-]+)`/gm)].map(([, code]) => code).sort()).toEqual(codes.sort());
  });
});
