/** Streams that stop and continue: interrupted in the middle, and continued with later samples. */
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Matrix64 } from '#src/core/matrix.ts';
import { readArrays, writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { generateSparseComponents } from '#src/synthetic/sparse-components.ts';
import { callJson, callRefused } from '../../helpers/cli.ts';
import { startCli } from '../../helpers/run.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const f = scratchDirectory().file;
const { samples } = generateSparseComponents({ samples: 3000, features: 60, components: 3, nonzeros: 8, seed: 3 });
const rows = (first: number, end: number): Matrix64 => ({
  rows: end - first,
  cols: 60,
  data: samples.data.slice(first * 60, end * 60),
});

const command = (data: string, out: string, ...more: string[]) => [
  'sparse-pca',
  f(data),
  '--stream',
  '--components',
  '3',
  '--nonzeros',
  '8',
  '--out',
  f(out),
  ...more,
];

beforeAll(async () => {
  await writeArray(f('all.npy'), samples);
  await callJson(...command('all.npy', 'whole.npz'));
});

describe('interrupted', () => {
  it('exits with 130 and a checkpoint; --resume ends with the same bytes as an uninterrupted run', async () => {
    const checkpoint = f('run.npz');
    const run = startCli(command('all.npy', 'resumed.npz', '--checkpoint', checkpoint, '--checkpoint-every', '0'));
    let over = false;
    run.finished.then(() => {
      over = true;
    });
    while (!existsSync(checkpoint) && !over) await new Promise((resolve) => setTimeout(resolve, 5));
    run.kill('SIGINT');
    const { code, stdout, stderr } = await run.finished;
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toMatch(
      /^sparse-pca: interrupted after [\d,]+ samples\. The state is in .*; --resume continues from there\.\n$/,
    );
    expect(existsSync(f('resumed.npz'))).toBe(false);
    const meta = JSON.parse(String((await readArrays(checkpoint)).get('meta')!.data[0]));
    expect(meta.current.iteration).toBeGreaterThan(0);
    expect(meta.current.iteration).toBeLessThan(3000);

    const resumed = await callJson(...command('all.npy', 'resumed.npz', '--checkpoint', checkpoint, '--resume'));
    expect(resumed.samples).toBe(3000);
    expect(readFileSync(f('resumed.npz')).equals(readFileSync(f('whole.npz')))).toBe(true);
  });
});

describe('continued', () => {
  beforeAll(async () => {
    await writeArray(f('monday.npy'), rows(0, 1500));
    await writeArray(f('tuesday.npy'), rows(1500, 3000));
    await callJson(...command('monday.npy', 'monday.npz', '--checkpoint', f('state.npz')));
  });

  it.each([
    ['with other samples', 'tuesday.npy', ['--after', 'state.npz']],
    ['with a file that has grown', 'all.npy', ['--resume', '--checkpoint', 'state.npz']],
  ])('%s gives the components of all', async (_, data, flags) => {
    const more = flags.map((word) => (word.endsWith('.npz') ? f(word) : word));
    expect((await callJson(...command(data, 'continued.npz', ...more))).samples).toBe(3000);
    const [found, whole] = [await readArrays(f('continued.npz')), await readArrays(f('whole.npz'))];
    expect(found.get('loadings')).toEqual(whole.get('loadings'));
  });
});

describe('bad checkpoints are one line and exit code 2', () => {
  beforeAll(async () => {
    await writeArrays(f('other.npz'), { samples: rows(0, 3) });
    await writeArray(f('changed.npy'), rows(100, 3000));
  });

  it.each([
    ['changed.npy', ['--checkpoint', 'state.npz', '--resume'], 'the checkpoint must have been made from the same data'],
    ['all.npy', ['--checkpoint', 'state.npz', '--resume', '--seed', '5'], 'got another seed (0 there, 5 here)'],
    [
      'all.npy',
      ['--checkpoint', 'other.npz', '--resume'],
      '--checkpoint must be a new file or a checkpoint of orthodict; got',
    ],
    ['all.npy', ['--after', 'nowhere.npz'], '--after must be a checkpoint that exists'],
  ])('%s %j', async (data, flags, message) => {
    const more = flags.map((word) => (word.endsWith('.npz') ? f(word) : word));
    expect(await callRefused(...command(data, 'never.npz', ...more))).toContain(message);
    expect(existsSync(f('never.npz'))).toBe(false);
  });
});
