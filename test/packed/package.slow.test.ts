/**
 * What `npm pack` puts into the package, and how it works where nothing else is installed. `npm run check:package` and
 * `npm run runtimes` look at the rest.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { start } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = scratchDirectory();
const installed = scratch.file('node_modules/orthodict');
let size: number;
let paths: string[];

beforeAll(() => {
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', scratch.path];
  const packed = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
  const { filename, files } = (Array.isArray(packed) ? packed[0] : Object.values(packed)[0]) as {
    filename: string;
    files: { path: string }[];
  };
  const tarball = scratch.file(filename);
  size = statSync(tarball).size;
  paths = files.map(({ path }) => path);
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
});

/** Runs a script of the project that has the package. */
async function run(script: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await start(script, args, scratch.path).finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('the package', () => {
  it('has what it needs, and is small', () => {
    expect(size).toBeLessThan(2.75e6);
    const kept = /\.(map|tsbuildinfo)$|^(src|test|scripts|api|lab)\/|^dist\/cli\/(?!main)/;
    expect(paths.filter((path) => kept.test(path))).toEqual([]);
    const needed = 'index.js index.d.ts node/index.d.ts cli/main.js playground/index.html playground/LICENSES.md'.split(
      ' ',
    );
    for (const path of [...needed.map((name) => `dist/${name}`), 'LICENSE']) expect(paths).toContain(path);
    for (const folder of ['data/', 'examples/', 'dist/bundle/', 'dist/playground/assets/']) {
      expect(
        paths.some((path) => path.startsWith(folder)),
        folder,
      ).toBe(true);
    }
  });

  it('has the licences of what is bundled', () => {
    const text = readFileSync(join(installed, 'dist/bundle/LICENSES.txt'), 'utf8');
    const { devDependencies, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const names = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map((match) => match[1]);
    const { dependencies: unpackers } = JSON.parse(
      readFileSync(join(root, 'node_modules/hyparquet-compressors/package.json'), 'utf8'),
    );
    const bundled = { commander: devDependencies.commander, ...dependencies, ...unpackers };
    expect(names).toEqual(Object.keys(bundled).toSorted());
    for (const name of names) expect(text).toContain(`${name} ${bundled[name as keyof typeof bundled]}\n`);
    expect(text.match(/Permission is hereby granted/g)?.length).toBe(names.length);
  });

  it('gives both entries under the same conditions, so that they never come from different copies', () => {
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(exports['./node'])).toEqual(Object.keys(exports['.']));
    const targets = [exports['.'], exports['./node']].flatMap((entry) => Object.values<string>(entry));
    for (const target of targets) expect(paths).toContain(target.replace('./', ''));
  });
});

describe('where nothing else is installed', () => {
  it('threads find the passes of the package and those from outside, and errors keep their class', async () => {
    for (const file of ['program.mjs', 'where-pass.mjs']) cpSync(join(root, 'test/packed', file), scratch.file(file));
    const { where, refused, sameBits } = JSON.parse(await run('program.mjs'));
    expect(where.elsewhere).toBeGreaterThan(0);
    expect(Object.entries(refused).filter(([, isInputError]) => isInputError !== true)).toEqual([]);
    expect(Object.keys(sameBits).length).toBeGreaterThan(10);
    expect(Object.entries(sameBits).filter(([, same]) => !same)).toEqual([]);
  });

  it('the example of a method from outside runs', async () => {
    for (const file of ['clipped-l4.mjs', 'learn-with-clipped-l4.mjs']) {
      cpSync(join(installed, 'examples', file), scratch.file(file));
    }
    const [robust, plain] = (await run('learn-with-clipped-l4.mjs')).trim().split('\n');
    const errorOf = (line: string) => Number(/error (\S+)$/.exec(line)?.[1]);
    expect(robust).toMatch(/^clipped-l4: /);
    expect(errorOf(robust)).toBeLessThan(errorOf(plain));
  });

  it('the command line learns, and refuses with its exit code', async () => {
    const cli = join(installed, 'dist/cli/main.js');
    await run(cli, ...'generate --samples 500 --features 8 --theta 0.3 --out d.npz'.split(' '));
    expect(await run(cli, ...'learn d.npz --out m.npz --threads 2 --json'.split(' '))).toContain(
      '"status":"converged"',
    );
    const { code, stderr } = await start(cli, 'learn no.npz --out m.npz'.split(' '), scratch.path).finished;
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'no.npz: cannot be read (no such file).\n' });
  });
});
