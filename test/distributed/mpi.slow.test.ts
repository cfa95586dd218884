/** The ranks of mpirun give the bytes of one thread, with Open MPI and with MPICH; a rank that dies ends the run, which resumes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { spawnBound } from '../helpers/bound-process.ts';
import { callCli } from '../helpers/call-cli.ts';
import { patient } from '../helpers/patience.ts';
import { DIST, type Finished } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;

/** How each implementation starts three ranks on this machine, whoever runs the tests. */
const LAUNCHERS: Record<string, readonly string[]> = {
  'mpirun.openmpi': ['--allow-run-as-root', '--oversubscribe', '-n', '3'],
  'mpirun.mpich': ['-n', '3'],
};
const present = Object.keys(LAUNCHERS).filter((name) => spawnSync(name, ['--version']).status === 0);
for (const name of Object.keys(LAUNCHERS)) {
  if (!present.includes(name)) console.warn(`cluster: tests with ${name} skipped, it is not installed.`);
}

const learn = (out: string, ...more: string[]) => [
  'learn',
  f('data.npy'),
  '--out',
  f(out),
  '--backend',
  'wasm',
  ...more,
];
const sameBytes = (a: string, b: string) => readFileSync(f(a)).equals(readFileSync(f(b)));

function startRanks(launcher: string, args: readonly string[]) {
  const all = [...LAUNCHERS[launcher], process.execPath, `${DIST}cli/main.js`, ...args];
  const child = spawnBound(launcher, all, { stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...texts }));
  });
  return { pid: child.pid!, finished };
}

const KSVD = ['--method', 'ksvd', '--growth', 'none', '--max-iterations', '6'];

beforeAll(async () => {
  const size = '--samples 60000 --features 40 --theta 0.3'.split(' ');
  expect((await callCli(['generate', ...size, '--out', f('all.npz')])).code).toBe(0);
  const { readMatrix, writeArray } = await import('#src/node/index.ts');
  await writeArray(f('data.npy'), await readMatrix(`${f('all.npz')}:samples`));
  for (const [out, ...more] of [['msp.npz'], ['ksvd.npz', ...KSVD]]) {
    expect((await callCli(learn(out, '--threads', '1', ...more))).code).toBe(0);
  }
}, patient(60_000));

describe.each(present)('%s', (launcher) => {
  it('gives the bytes of one thread, and only rank 0 prints', async () => {
    const { code, stdout, stderr } = await startRanks(launcher, learn('ranks.npz', '--mpi')).finished;
    expect(code, stderr).toBe(0);
    expect(stdout.match(/^model /gm)?.length).toBe(1);
    expect(sameBytes('ranks.npz', 'msp.npz')).toBe(true);
  });

  it(
    'ends with an error if a rank dies, and resumes from the checkpoint',
    async () => {
      const run = (...more: string[]) => {
        const flags = ['--mpi', ...KSVD, '--checkpoint', f(`${launcher}.npz`)];
        return startRanks(launcher, learn(`resumed-${launcher}.npz`, ...flags, '--checkpoint-every', '0', ...more));
      };
      const dying = run();
      while (!existsSync(f(`${launcher}.npz`))) await sleep(10);
      process.kill(lastRankOf(dying.pid), 'SIGKILL');
      expect((await dying.finished).code).not.toBe(0);
      expect(existsSync(f(`resumed-${launcher}.npz`))).toBe(false);
      expect((await run('--resume').finished).code).toBe(0);
      expect(sameBytes(`resumed-${launcher}.npz`, 'ksvd.npz')).toBe(true);
    },
    patient(150_000),
  ); // ranks that wait keep a core busy

  it('says once what is wrong with the data', async () => {
    const { code, stderr } = await startRanks(launcher, ['learn', f('no.npy'), '--out', f('x.npz'), '--mpi']).finished;
    expect(code).toBe(2);
    expect(stderr.match(/cannot be read \(no such file\)/g)?.length).toBe(1);
  });
});

/** A process that an mpirun has started, directly or through its helper: the last of them. */
function lastRankOf(launcher: number): number {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!.slice(1));
  const below = new Set([String(launcher)]);
  for (let grew = true; grew; ) {
    const size = below.size;
    for (const [pid, parent] of processes) if (below.has(parent)) below.add(pid);
    grew = below.size > size;
  }
  const ranks = processes.filter(([pid, , args]) => below.has(pid) && args.startsWith(process.execPath));
  return Number(ranks.at(-1)![0]);
}

it('names the packages where there is no MPI', async () => {
  const child = spawnSync(process.execPath, [`${DIST}cli/main.js`, ...learn('x.npz', '--mpi')], {
    env: { ...process.env, ORTHODICT_MPI: 'libnothing.so' },
    encoding: 'utf8',
  });
  expect([child.status, child.stderr]).toEqual([
    2,
    expect.stringMatching(/Open MPI or MPICH, in Debian openmpi-bin or mpich/),
  ]);
});
