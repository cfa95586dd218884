/** The rule of imports: folders of src/ import downwards only, no module imports itself through others, and only some import Node. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** From the top of the house to the bottom; folders of one floor may import each other as long as no cycle comes of it. */
const FLOORS: readonly (readonly string[])[] = [
  ['cli'],
  ['distributed', 'node', 'browser'],
  ['index.ts', 'extend.ts'],
  ['models', 'learn', 'pictures', 'io'],
  ['rotations', 'dictionaries', 'metrics', 'synthetic'],
  ['passes'],
  ['engine'],
  ['linalg'],
  ['kernels'],
  ['core'],
];
const NODE_FOLDERS = ['node', 'distributed', 'cli'];

const floorOf = (folder: string): number => FLOORS.findIndex((floor) => floor.includes(folder));
const folderOf = (file: string): string => file.split('/')[0];

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.includes('/generated/'));

/** Static and dynamic imports and re-exports, of types too. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const specifiers = [...text.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map((match) => match[1]);
  return specifiers.map((to) => ({ from: file, to: to.startsWith('.') ? resolveFrom(file, to) : to }));
}

const resolveFrom = (file: string, to: string): string =>
  relative(src, normalize(join(src, dirname(file), to))).replaceAll('\\', '/');

const imports = files.flatMap(importsOf);
const inside = imports.filter(({ to }) => files.includes(to));

/** The module and all that are loaded with it: neither types nor what it imports when it needs it. */
function loadedWith(file: string): string[] {
  const reached = new Set([file]);
  for (const each of reached) {
    const text = readFileSync(join(src, each), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    for (const [, isType, to] of text.matchAll(/^(?:import|export)( type)?[^;]*?(?:from )?'(\.[^']+)';/gm)) {
      if (!isType) reached.add(resolveFrom(each, to));
    }
  }
  return [...reached];
}

/** The modules of one cycle, or none. */
function findCycle(edges: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    path.push(file);
    for (const to of next.get(file) ?? []) {
      const cycle = visit(to);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    done.add(file);
    return [];
  };
  for (const file of next.keys()) {
    const cycle = visit(file);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

describe('imports', () => {
  it('sees all of them', () => {
    expect(files.length).toBeGreaterThan(200);
    expect(inside.length).toBeGreaterThan(800);
    expect(files.map(folderOf).filter((folder) => floorOf(folder) < 0)).toEqual([]);
    expect(imports).toContainEqual({ from: 'learn/learn.ts', to: 'engine/run.ts' });
    expect(imports).toContainEqual({ from: 'cli/commands/index.ts', to: 'cli/commands/learn.ts' }); // a dynamic one
  });

  it('point downwards', () => {
    const upwards = inside.filter(({ from, to }) => floorOf(folderOf(to)) < floorOf(folderOf(from)));
    expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it('make no cycle of modules, not of types either', () => {
    expect(
      findCycle([
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'a' },
      ]),
    ).toEqual(['a', 'b', 'c', 'a']);
    expect(findCycle(inside).join(' -> ')).toBe('');
  });

  it('make no cycle of folders on one floor', () => {
    const folders = inside
      .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
      .filter(({ from, to }) => from !== to);
    expect(findCycle(folders).join(' -> ')).toBe('');
  });

  it.each([
    'cli/commands/encode.ts',
    'cli/commands/decode.ts',
    'cli/commands/inspect.ts',
    'io/model.ts',
    'browser/blobs.ts',
  ])('of %s load nothing that learns', (file) => {
    const loaded = loadedWith(file);
    expect(loaded).toContain('dictionaries/dense.ts');
    expect(loaded.filter((each) => ['learn', 'models'].includes(folderOf(each)))).toEqual([]);
    expect(loaded.length).toBeLessThanOrEqual(112);
  });

  it('reach Node from the folders for Node only', () => {
    const offenders = imports.filter(
      ({ from, to }) => to.startsWith('node:') && !NODE_FOLDERS.includes(folderOf(from)),
    );
    expect(offenders.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it('use the objects of Node in these folders only', () => {
    const uses = files
      .filter((file) => !NODE_FOLDERS.includes(folderOf(file)))
      .filter((file) => /(?<![.\w'"`])(Buffer|process)\??\.|NodeJS\./.test(readFileSync(join(src, file), 'utf8')));
    expect(uses).toEqual([]);
  });
});
