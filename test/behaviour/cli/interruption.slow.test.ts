/** Ctrl-C and SIGKILL: exit code 130, a checkpoint, and a resumed run with the same bytes as an uninterrupted one. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileCheckpoint } from '#src/node/io/checkpoint-file.ts';
import { callJson, callRefused } from '../../helpers/cli.ts';
import { type Finished, type Running, runCli, startCli } from '../../helpers/run.ts';
import { leftoverFiles, scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;

const ITERATIONS = 150;
/** Not sparse, not white, tolerances of 0: runs to the limit of iterations, in a single stage. */
const long = [
  '--precision',
  'f64',
  '--tolerance',
  '0',
  '--objective-tolerance',
  '0',
  '--max-iterations',
  `${ITERATIONS}`,
];
const learn = (out: string, ...more: string[]) => ['learn', f('data.npz'), '--out', f(out), ...long, ...more];

beforeAll(async () => {
  const args = 'generate --samples 48000 --features 24 --theta 0.9 --condition 30 --noise 0.3 --seed 2';
  await callJson(...args.split(' '), '--out', f('data.npz'));
  expect(await callJson(...learn('whole.npz'))).toMatchObject({ iterations: ITERATIONS });
});

/** The iterations in the checkpoint, which must exist and load. */
async function savedIterations(checkpoint: string): Promise<number> {
  const saved = await fileCheckpoint(checkpoint).load();
  expect(saved?.current, 'a checkpoint in the middle of a loop').toBeDefined();
  return saved!.current!.iteration;
}

/** Waits until the run has saved its state, so that the signal arrives during its steps on any machine. */
async function untilSaved(path: string, { finished }: Running): Promise<void> {
  let over = false;
  finished.then(() => {
    over = true;
  });
  while (!existsSync(path) && !over) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(over, 'the run ended before it could be interrupted').toBe(false);
}

async function interrupted(
  checkpoint: string,
  out: string,
  signal: NodeJS.Signals,
  ...more: string[]
): Promise<Finished> {
  const run = startCli(learn(out, '--checkpoint', checkpoint, '--checkpoint-every', '0', ...more));
  await untilSaved(checkpoint, run);
  run.kill(signal);
  return run.finished;
}

describe.each<[NodeJS.Signals]>([['SIGINT'], ['SIGTERM'], ['SIGHUP']])('%s', (signal) => {
  it('exits with 130, leaves a checkpoint and no model; --resume ends with the same bytes', async () => {
    const [checkpoint, out] = [f(`${signal}.npz`), `${signal}-model.npz`];
    const { code, stdout, stderr } = await interrupted(checkpoint, out, signal);
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toMatch(
      /^learn: interrupted after \d+ iterations\. The state is in .*; --resume continues from there\.\n$/,
    );
    expect(existsSync(f(out))).toBe(false);
    const iterations = await savedIterations(checkpoint);
    expect(iterations).toBeGreaterThan(0);
    expect(iterations).toBeLessThan(ITERATIONS);

    await callJson(...learn(out, '--checkpoint', checkpoint, '--resume', '--threads', '1'));
    expect(readFileSync(f(out)).equals(readFileSync(f('whole.npz')))).toBe(true);
  });
});

describe('SIGKILL', () => {
  it('at any moment leaves a checkpoint that loads; runs killed again and again end with the same bytes', async () => {
    const checkpoint = f('killed.npz');
    const out = 'killed-model.npz';
    let iterations = 0;
    for (const [k, pause] of [0, 7, 23].entries()) {
      const run = startCli(
        learn(out, '--checkpoint', checkpoint, '--checkpoint-every', '0', ...(k ? ['--resume'] : [])),
      );
      const old = existsSync(checkpoint) ? readFileSync(checkpoint) : undefined;
      let over = false;
      run.finished.then(() => {
        over = true;
      });
      // until it has saved something new, then a little longer, perhaps into the middle of a save
      while (!over && (!existsSync(checkpoint) || old?.equals(readFileSync(checkpoint)))) await sleep(5);
      await sleep(pause);
      run.kill('SIGKILL');
      expect((await run.finished).signal, 'the run ended before it could be killed').toBe('SIGKILL');
      const before = iterations;
      iterations = await savedIterations(checkpoint);
      expect(iterations).toBeGreaterThan(before);
    }
    expect(iterations).toBeLessThan(ITERATIONS);
    expect(existsSync(f(out))).toBe(false);
    await callJson(...learn(out, '--checkpoint', checkpoint, '--resume'));
    expect(readFileSync(f(out)).equals(readFileSync(f('whole.npz')))).toBe(true);
    for (const name of leftoverFiles(scratch.path, /\.tmp$/)) rmSync(f(name)); // left by a kill during a save
  });
});

describe('ksvd', () => {
  it('continues where SIGINT stopped it, and ends with the same bytes as an uninterrupted run', async () => {
    const own = ['--method', 'ksvd', '--max-iterations', '12'];
    const [checkpoint, out, alone] = [f('ksvd.npz'), 'ksvd-model.npz', 'ksvd-alone.npz'];
    const stopped = await interrupted(checkpoint, out, 'SIGINT', ...own);
    expect([stopped.code, stopped.stdout]).toEqual([130, '']);
    expect(existsSync(f(out))).toBe(false);
    const iterations = await savedIterations(checkpoint);
    expect(iterations).toBeGreaterThan(0);
    expect(iterations).toBeLessThan(12);
    await callJson(...learn(out, '--checkpoint', checkpoint, '--resume', ...own));
    await callJson(...learn(alone, ...own));
    expect(readFileSync(f(out)).equals(readFileSync(f(alone)))).toBe(true);
  });
});

describe('without a checkpoint', () => {
  it('SIGINT exits with 130, says so in one line and leaves nothing', async () => {
    const interruptAfter = async (pause: number) => {
      const run = startCli(
        learn(
          'nothing.npz',
          '--method',
          'ksvd',
          '--max-iterations',
          '100000',
          '--tolerance',
          '0',
          '--objective-tolerance',
          '0',
        ),
      );
      await sleep(pause);
      run.kill('SIGINT');
      return run.finished;
    };
    let ended = await interruptAfter(1200);
    for (let pause = 5000; ended.code === null && pause < 50_000; pause *= 3) ended = await interruptAfter(pause); // Node was still starting
    const { code, stdout, stderr } = ended;
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr.trimEnd().split('\n').length).toBe(1);
    expect(stderr).toMatch(/interrupted/);
    expect(existsSync(f('nothing.npz'))).toBe(false);
    expect(leftoverFiles(scratch.path, /\.tmp$/)).toEqual([]);
  });
});

describe('while a file is written', () => {
  const sizes = '--samples 400000 --features 24 --theta 0.1 --seed 1'.split(' ');
  beforeAll(async () => {
    await callJson('generate', ...sizes, '--out', f('large.npz'));
  });

  it.each([
    ['decode', () => ['decode', f('whole.npz'), `${f('large.npz')}:codes`, '--out', f('written.npz')]],
    ['encode', () => ['encode', f('whole.npz'), f('large.npz'), '--out', f('written.npz'), '--threads', '1']],
    ['generate', () => ['generate', ...sizes, '--out', f('written.npz')]],
  ])('%s exits with 130 on SIGINT, says so, and leaves nothing', async (_, args) => {
    const run = startCli(args());
    const watcher = watch(scratch.path, (_, name) => {
      const isWritten = name && /^\.written/.test(name) && existsSync(f(name)) && statSync(f(name)).size > 0;
      if (!isWritten) return; // the attempt whether it can be written leaves it empty
      watcher.close(); // a second signal would end the process without a word
      run.kill('SIGINT');
    });
    const { code, stdout, stderr } = await run.finished;
    watcher.close();
    expect([code, stdout, stderr]).toEqual([130, '', 'orthodict: interrupted.\n']);
    expect(leftoverFiles(scratch.path, /written/)).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe as --out', () => {
  it('gets the bytes of the model, whose checksums are written last', async () => {
    execFileSync('mkfifo', [f('pipe.npz')]);
    const args = ['learn', f('data.npz'), '--method', 'pca', '--out'];
    const [bytes, { code }] = await Promise.all([readFile(f('pipe.npz')), runCli([...args, f('pipe.npz')])]);
    expect(code).toBe(0);
    await callJson(...args, f('no-pipe.npz'));
    expect(bytes.equals(readFileSync(f('no-pipe.npz')))).toBe(true);
  });

  it('that nobody reads is refused before anything is learned', async () => {
    execFileSync('mkfifo', [f('lonely.npz')]);
    expect(await callRefused('learn', f('data.npz'), '--out', f('lonely.npz'))).toMatch(
      /lonely\.npz: cannot be written \(no program reads from this pipe; start the reader first\)\.\n$/,
    );
  });
});

describe('--resume', () => {
  it('refuses a checkpoint of other options or other data, in one line', async () => {
    const checkpoint = f('other.npz');
    await interrupted(checkpoint, 'other-model.npz', 'SIGINT');
    const resume = ['--checkpoint', checkpoint, '--resume'];
    expect(await callRefused(...learn('x.npz', ...resume, '--seed', '5'))).toBe(
      'learn: the checkpoint must have been made with the same options; got another seed (0 there, 5 here). Delete the checkpoint, or run without resuming.\n',
    );
    await callJson(...'generate --samples 900 --features 24 --theta 0.9 --seed 9 --out'.split(' '), f('data2.npz'));
    expect(await callRefused('learn', f('data2.npz'), '--out', f('x.npz'), ...long, ...resume)).toBe(
      'learn: the checkpoint must have been made from the same data; got one from other samples. Delete the checkpoint, or run without resuming.\n',
    );
    expect(existsSync(f('x.npz'))).toBe(false);
  });
});

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
