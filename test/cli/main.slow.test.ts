/** What the command line loads, and when: the fewer files and modules, the sooner it answers. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '#src/cli/commands/index.ts';
import { writeArray } from '#src/node/io/arrays.ts';
import { callCli } from '../helpers/cli.ts';
import { type Loaded, loadedBy } from '../helpers/loaded.ts';
import { DIST } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const loadedByCli = (...args: string[]): Promise<Loaded> => loadedBy(`${DIST}cli/main.js`, args);

/** Modules in these folders of src/. */
const from = ({ modules }: Loaded, ...folders: string[]): string[] =>
  modules.filter((name) => folders.some((folder) => name.startsWith(`src/${folder}/`)));

beforeAll(async () => {
  await callCli([...'generate --samples 500 --features 8 --theta 0.3 --out'.split(' '), f('small.npz')]);
  // five chunks of several features, which are worth threads
  await writeArray(f('large.npy'), { rows: 20_000, cols: 64, data: Float64Array.from({ length: 20_000 * 64 }, odd) });
});

/** Numbers without structure. */
const odd = (_: unknown, k: number): number => Math.sin(k * k) ** 3;

describe('loads', () => {
  it.each(['--version', '-V'])('one file for %s', async (flag) => {
    const loaded = await loadedByCli(flag);
    expect(loaded).toEqual({ files: ['cli/main.js'], modules: ['src/cli/main.ts'], packages: [] });
  });

  it.each([['--help'], ['-h'], ['help']])('the list of commands and no command for %s', async (...args) => {
    const loaded = await loadedByCli(...args);
    expect(from(loaded, 'cli/commands')).toEqual(['src/cli/commands/index.ts']);
    expect(loaded.modules).toContain('src/core/errors.ts');
    expect(from(loaded, 'engine', 'kernels', 'learn', 'models', 'node')).toEqual([]);
    expect(loaded.files.length).toBeLessThanOrEqual(5);
    expect(loaded.packages).toEqual([]);
  });

  it.each([
    ['learn', '--help'],
    ['help', 'learn'],
  ])('one command for %s %s', async (...args) => {
    const loaded = await loadedByCli(...args);
    expect(from(loaded, 'cli/commands').map((name) => name.split('/').at(-1))).toEqual([
      'index.ts',
      'learn-help.ts',
      'learn.ts',
    ]);
    expect(from(loaded, 'pictures', 'metrics', 'synthetic', 'cli/charts/topics-chart')).toEqual([]);
    expect(loaded.packages).toEqual([]);
  });

  it('what learning takes, and no other model, picture, chart or checkpoint', async () => {
    const loaded = await loadedByCli('learn', f('small.npz'), '--out', f('m.npz'), '--backend', 'wasm');
    expect(loaded.modules).toContain('src/learn/learn.ts');
    expect(from(loaded, 'pictures', 'metrics', 'synthetic', 'models/topics')).toEqual([]);
    expect(loaded.modules).not.toContain('src/node/io/checkpoint-file.ts');
    expect(loaded.files).not.toContain('bundle/thread-worker.js');
    expect(loaded.files.length).toBeLessThanOrEqual(12);
    expect(loaded.packages).toEqual([]);
  });

  it('in a thread the kernels and the passes, each once in the process', async () => {
    const { files, modules } = await loadedByCli(
      ...['learn', f('large.npy'), '--out', f('m.npz'), '--backend', 'wasm', '--threads', '2', '--max-iterations', '1'],
    );
    expect(files).toContain('bundle/thread-worker.js');
    expect(modules.filter((name) => name === 'src/engine/pass.ts').length).toBe(1); // no second copy in another file
    expect(modules.length).toBe(new Set(modules).size);
    expect(files.filter((name) => !/^(bundle\/[\w-]+|cli\/main)\.js$/.test(name))).toEqual([]);
  });
});

describe('the list of commands', () => {
  it('is what the bundle shows', async () => {
    const { stdout } = await callCli(['--help']);
    const lines = stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '));
    for (const [name, { takes, summary }] of Object.entries(commands)) {
      expect(lines).toContain(`${[name, '[options]', takes].join(' ').trim()}  ${summary}`);
    }
    const shown = lines.slice(lines.indexOf('Commands:') + 1, lines.indexOf('', lines.indexOf('Commands:')));
    expect(shown.map((line) => line.split(' ')[0])).toEqual([...Object.keys(commands), 'help']);
  });

  it.each(Object.entries(commands))(
    'says of %s what it takes, and the bundle has it',
    async (name, { takes, load }) => {
      const command = await load();
      expect([command.name(), command.usage()]).toEqual([name, `[options] ${takes}`.trim()]);
      const { code, stdout } = await callCli([name, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: orthodict ${name} ${command.usage()}\n`);
      for (const option of command.options.filter(({ hidden }) => !hidden)) expect(stdout).toContain(option.flags);
    },
  );
});

it('the file that Node starts is small', () => {
  expect(readFileSync(`${DIST}cli/main.js`).length).toBeLessThan(2000);
});
