/** Sums, codes, files and parts of sums on 1 to 3 MPI ranks are those of one thread; wrong data and kernels are refused. */
import { spawnSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { beforeAll, describe, expect } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { MpiExecutorOptions } from '#src/distributed/mpi-executor.ts';
import { writeArray } from '#src/node/index.ts';
import { patient } from '../helpers/patience.ts';
import { DIST } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { itUnless } from '../helpers/skip.ts';

const scratch = scratchDirectory();
const OPTIONS: MpiExecutorOptions = { backend: 'js', brief: 0 };
const PROGRAM = new URL('./ranks.mjs', import.meta.url).pathname;

beforeAll(async () => {
  await writeArray(scratch.file('data.npy'), normalMatrix(1000, 3, createRandom(1, 'ranks')));
  utimesSync(scratch.file('data.npy'), 1e9, 1e9); // a time that can be set again
});

/** What ranks.mjs prints, a line for each rank. */
function run(launcher: readonly string[], env: NodeJS.ProcessEnv = {}): string[] {
  const [program, ...args] = [...launcher, process.execPath, PROGRAM, DIST, scratch.path, JSON.stringify(OPTIONS)];
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: patient(60_000),
    killSignal: 'SIGKILL',
  });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trim().split('\n').sort();
}

const launchers: [name: string, args: (ranks: number) => string[]][] = [
  ['mpirun.openmpi', (ranks) => ['--allow-run-as-root', '--oversubscribe', '-n', String(ranks)]],
  ['mpirun.mpich', (ranks) => ['-n', String(ranks)]],
];
const why = (name: string) => (spawnSync(name, ['--version']).status === 0 ? undefined : `there is no ${name}`);

const CHANGED = expect.stringMatching(/^InputError: .*data\.npy.*changed/);

describe.each(launchers)('%s', (name, args) => {
  for (const ranks of [1, 2, 3]) {
    itUnless(why(name), `${ranks} give the bits of one thread, and refuse in its words`, () => {
      const lines = run([name, ...args(ranks)]);
      expect(lines.filter((line) => line === 'served')).toHaveLength(ranks - 1);
      const found = JSON.parse(lines.find((line) => line.startsWith('{'))!);
      expect(found).toMatchObject({ threads: ranks, kernels: 'js', differences: [] });
      expect(found.refusals[0]).toBe('Error: enough');
      expect(found.refusals.slice(1)).toEqual([CHANGED, CHANGED]);
    });
  }

  itUnless(why(name), 'a rank that computes otherwise is named by all', () => {
    const lines = run([name, ...args(3)], { ODD_RANK: '2' });
    const words = /^InputError at (\d): cluster: rank 2 must compute as rank 0 \(\S+ js-\w+\); got \S+ wasm\S*-\w+\.$/;
    expect(lines.map((line) => words.exec(line)?.[1])).toEqual(['0', '1', '2']);
  });
});
