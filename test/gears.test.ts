/**
 * `npm run test:fast` leaves out `*.slow.test.ts`: whatever starts a process belongs there. The seed of properties comes from
 * outside.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from './helpers/seed.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
/** Imports that start processes. Nothing in the package itself does in its ordinary work; test helpers are found by what they import. */
const STARTS_PROCESSES = /^(node:)?child_process$|^playwright-core$/;

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
  it.each(['helpers/run.ts', 'helpers/chromium.ts', 'helpers/numpy.ts', 'behaviour/cli/interruption.slow.test.ts'])(
    'sees that processes are started: %s',
    (name) => {
      expect(wayToProcess(join(root, name))).toBeDefined();
    },
  );

  it('is about a script that leaves the slow files out', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8'));
    expect(scripts['test:fast']).toContain('--project quick');
    expect(scripts['test:fast']).not.toMatch(/tsc|build:(ts|library|lab|playground)/);
    expect(quick.length).toBeLessThan(files.length);
  });
});

/** Folders of tests that are about more than one module, or about something other than src/. */
const BESIDE_SOURCES = /^(behaviour|browser\/pages|contracts|docs|fuzz|helpers|packed)\/|^[\w-]+\.test\.ts$/;

describe('a test file', () => {
  it('has the name and the folder of the module that it tests', () => {
    const tests = files.map((path) => relative(root, path)).filter((name) => !BESIDE_SOURCES.test(name));
    expect(tests.length).toBeGreaterThan(100);
    const without = tests.filter(
      (name) => !existsSync(join(root, '../src', name.replace(/(\.slow)?\.test\.ts$/, '.ts'))),
    );
    expect(without).toEqual([]);
  });
});

describe('a property', () => {
  it('draws from the seed of ORTHODICT_TEST_SEED', () => {
    expect(fc.readConfigureGlobal().seed).toBe(testSeed(1));
    const drawn = fc.sample(fc.integer(), 5);
    expect(fc.sample(fc.integer(), { seed: testSeed(1), numRuns: 5 })).toEqual(drawn);
    expect(fc.sample(fc.integer(), { seed: testSeed(1) + 1, numRuns: 5 })).not.toEqual(drawn);
  });

  it('has no seed of its own', () => {
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const own = sources.filter((name) => {
      const text = readFileSync(join(root, name), 'utf8');
      return (
        /\bfc\.assert\(/.test(text) && /\{[^{}]*\bseed\b[^{}]*\bnumRuns\b|\{[^{}]*\bnumRuns\b[^{}]*\bseed\b/.test(text)
      );
    });
    expect(own).toEqual([]);
  });
});
