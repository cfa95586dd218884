/** `npm run test:fast` leaves out `*.slow.test.ts`: whatever starts a process belongs there. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('.', import.meta.url));
/** Of this package only the benchmark starts processes in its ordinary work; helpers are found by what they import. */
const STARTS_PROCESSES = /^(node:)?child_process$|^playwright-core$|^#src\/bench\/bench\.ts$/;

const importsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/\b(?:from|import|import\()\s*'([^']+)'/g)].map((match) => match[1]);

/** The way from a file to a start of processes: the files it leads through, and the import at its end; or nothing. */
function wayToProcess(path: string, seen = new Set<string>()): string[] | undefined {
  if (seen.has(path)) return undefined;
  seen.add(path);
  for (const name of importsOf(path)) {
    if (STARTS_PROCESSES.test(name)) return [path, name];
    const way = /^\.\.?\//.test(name) ? wayToProcess(join(dirname(path), name), seen) : undefined;
    if (way) return [path, ...way];
  }
  return undefined;
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join(root, name));
const quick = files.filter((path) => !path.endsWith('.slow.test.ts'));

describe('a quick test file', () => {
  it.each(quick.map((path) => relative(root, path)))('starts no process: %s', (name) => {
    const way = wayToProcess(join(root, name)) ?? [];
    expect(way.map((step) => step.replace(root, ''))).toEqual([]);
  });
});

describe('the guard', () => {
  it.each([
    'helpers/run.ts',
    'helpers/chromium.ts',
    'helpers/numpy.ts',
    'cli/interruption.slow.test.ts',
    'bench/bench.slow.test.ts',
  ])('sees that processes are started: %s', (name) => {
    expect(wayToProcess(join(root, name))).toBeDefined();
  });

  it('is about a script that leaves the slow files out', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8'));
    expect(scripts['test:fast']).toContain('--project quick');
    expect(quick.length).toBeLessThan(files.length);
  });
});
