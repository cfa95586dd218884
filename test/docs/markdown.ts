/** What the tests of the documentation read from Markdown: files, fenced code blocks, links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface MarkdownFile {
  /** Relative to the root of the repository. */
  readonly name: string;
  readonly text: string;
}

export interface CodeBlock {
  /** The first word after the fence: ts, js, sh, python, or anything that is not run. */
  readonly language: string;
  readonly code: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** Every Markdown file that is written for readers of this repository. */
export function markdownFiles(): MarkdownFile[] {
  return ['.', 'docs', 'data']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)))
    .filter((name) => name.endsWith('.md'))
    .map(readMarkdown);
}

export function readMarkdown(name: string): MarkdownFile {
  return { name, text: readFileSync(join(root, name), 'utf8') };
}

export function codeBlocks({ text }: MarkdownFile): CodeBlock[] {
  return [...text.matchAll(/^```(\S*)[^\n]*\n(.*?)^```$/gms)].map((match) => ({
    language: match[1],
    code: match[2],
    line: text.slice(0, match.index).split('\n').length,
  }));
}

/** Pictures of the README have absolute addresses, so that they show on a registry's page; here they are files. */
const OWN_FILES = 'https://raw.githubusercontent.com/orthodict/orthodict/main/';

/** Targets of links and pictures, without those inside code and those to other places. */
export function linkTargets({ text }: MarkdownFile): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map((match) => match[1]);
  const images = [...prose.matchAll(/<img[^>]*\ssrc="([^"]+)"/g)].map((match) => match[1]);
  const own = [...inline, ...images].map((target) => target.replace(OWN_FILES, ''));
  return own.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of the headings, as GitHub makes them. */
export function anchors({ text }: MarkdownFile): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map((match) =>
    match[1]
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

/** Where a relative link of a file leads: a path from the root, and the anchor. */
export function resolveLink(from: MarkdownFile, target: string): { path: string; anchor: string | undefined } {
  const [path, anchor] = target.split('#');
  return { path: path === '' ? from.name : relative(root, join(root, dirname(from.name), path)), anchor };
}
