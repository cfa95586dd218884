/** What stands beside the package uses it as a stranger would: by its public entries. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
  workspaces: string[];
};
const ENTRIES = Object.keys(exports).map((path) => path.replace(/^\./, 'orthodict'));

/** The headers that `orthodict serve` sends are those of the page that the playground builds. */
const ALLOWED = ['playground/vite.config.ts imports src/cli/page-server/policy.ts'];

const filesOf = (workspace: string): string[] =>
  readdirSync(join(root, workspace), { recursive: true, encoding: 'utf8' })
    .map((file) => join(workspace, file).replaceAll('\\', '/'))
    .filter((file) => /\.(ts|mjs|svelte)$/.test(file) && !/\/(dist|node_modules)\//.test(file));

/** What a file imports of the package; paths from the root. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import|import\()\s*'([^']+)'/g)]
    .map(([, name]) => (name.startsWith('.') ? relative(root, normalize(join(root, dirname(file), name))) : name))
    .filter((name) => /^(orthodict|#src)(\/|$)|^(src|dist)\//.test(name));

describe.each(workspaces)('%s', (workspace) => {
  const imports = filesOf(workspace).flatMap((file) => importsOf(file).map((name) => ({ file, name })));

  it('imports the package by its public entries', () => {
    expect(imports.length).toBeGreaterThan(20);
    const others = imports
      .filter(({ name }) => !ENTRIES.includes(name))
      .map(({ file, name }) => `${file} imports ${name}`);
    expect(others.filter((line) => !ALLOWED.includes(line))).toEqual([]);
  });
});
