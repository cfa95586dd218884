/** Ctrl-C and sudden death: exit code 130, a checkpoint, and a resumed run with the bytes of one that was left alone. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileCheckpoint } from '#src/node/files/checkpoint-file.ts';
import { type Finished, type Running, runCli, startCli } from '../helpers/run.ts';
import { leftoverFiles, scratchDirectory } from '../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;

/** Not sparse, not white, tolerances of 0: hundreds of iterations on the way to the limit. */
const long = ['--precision', 'f64', '--tolerance', '0', '--objective-tolerance', '0', '--max-iterations', '150'];
const learn = (out: string, ...more: string[]) => ['learn', f('data.npz'), '--out', f(out), ...long, '--json', ...more];

beforeAll(async () => {
  const args = 'generate --samples 12000 --features 24 --theta 0.9 --condition 30 --noise 0.3 --seed 2';
  expect((await runCli([...args.split(' '), '--out', f('data.npz')])).code).toBe(0);
  expect((await runCli(learn('whole.npz'))).code).toBe(0);
});

/** Waits until the run has saved its state, so that the signal falls into its steps on any machine. */
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

describe.each<[NodeJS.Signals]>([['SIGINT'], ['SIGTERM']])('%s', (signal) => {
  it('exits with 130, leaves a checkpoint and no model; --resume ends with the same bytes', async () => {
    const [checkpoint, out] = [f(`${signal}.npz`), `${signal}-model.npz`];
    const { code, stdout, stderr } = await interrupted(checkpoint, out, signal);
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toMatch(
      /^learn: interrupted after \d+ iterations\. The state is in .*; --resume goes on from there\.\n$/,
    );
    expect(existsSync(f(out))).toBe(false);
    const { position } = (await fileCheckpoint(checkpoint).load())!;
    expect(position!.iteration).toBeGreaterThan(0);
    expect(position!.iteration).toBeLessThan(150);

    const resumed = await runCli(learn(out, '--checkpoint', checkpoint, '--resume', '--threads', '1'));
    expect([resumed.code, resumed.stderr]).toEqual([0, '']);
    expect(readFileSync(f(out)).equals(readFileSync(f('whole.npz')))).toBe(true);
  });
});

describe('SIGKILL', () => {
  it('at any moment leaves a checkpoint that loads; runs that are killed again and again end with the same bytes', async () => {
    const checkpoint = f('killed.npz');
    const out = 'killed-model.npz';
    for (const [k, pause] of [0, 7, 23].entries()) {
      const run = startCli(
        learn(out, '--checkpoint', checkpoint, '--checkpoint-every', '0', ...(k ? ['--resume'] : [])),
      );
      const before = existsSync(checkpoint) ? readFileSync(checkpoint) : undefined;
      let over = false;
      run.finished.then(() => {
        over = true;
      });
      // until it has saved something new, then a little longer, which may fall into the middle of a save
      while (!over && (!existsSync(checkpoint) || before?.equals(readFileSync(checkpoint)))) await sleep(5);
      await sleep(pause);
      run.kill('SIGKILL');
      await run.finished;
      expect((await fileCheckpoint(checkpoint).load())?.position?.iteration ?? 150).toBeGreaterThan(0);
    }
    const { code, stderr } = await runCli(learn(out, '--checkpoint', checkpoint, '--resume'));
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(f(out)).equals(readFileSync(f('whole.npz')))).toBe(true);
    for (const name of leftoverFiles(scratch.path, /\.tmp$/)) rmSync(f(name)); // what a kill in a save leaves
  });
});

describe('ksvd', () => {
  it('goes on where SIGINT stopped it, and ends with the bytes of a run that was left alone', async () => {
    const own = ['--method', 'ksvd', '--max-iterations', '20'];
    const [checkpoint, out, alone] = [f('ksvd.npz'), 'ksvd-model.npz', 'ksvd-alone.npz'];
    const stopped = await interrupted(checkpoint, out, 'SIGINT', ...own);
    expect([stopped.code, stopped.stdout]).toEqual([130, '']);
    expect(existsSync(f(out))).toBe(false);
    const { position } = (await fileCheckpoint(checkpoint).load())!;
    expect(position!.iteration).toBeGreaterThan(0);
    expect(position!.iteration).toBeLessThan(20);
    expect((await runCli(learn(out, '--checkpoint', checkpoint, '--resume', ...own))).code).toBe(0);
    expect((await runCli(learn(alone, ...own))).code).toBe(0);
    expect(readFileSync(f(out)).equals(readFileSync(f(alone)))).toBe(true);
  });
});

describe('without a checkpoint', () => {
  it('SIGINT exits with 130, says so in one line and leaves nothing', async () => {
    const interruptAfter = async (pause: number) => {
      const run = startCli(learn('nothing.npz', '--max-iterations', '100000'));
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

describe('--resume', () => {
  it('refuses a checkpoint of other options or other data, in one line', async () => {
    const checkpoint = f('other.npz');
    await interrupted(checkpoint, 'other-model.npz', 'SIGINT');
    const options = await runCli(learn('x.npz', '--checkpoint', checkpoint, '--resume', '--seed', '5'));
    expect(options).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'learn: the checkpoint must be of the same options; got another seed (0 there, 5 here).\n',
    });
    await runCli([...'generate --samples 900 --features 24 --theta 0.9 --seed 9 --out'.split(' '), f('data2.npz')]);
    const data = await runCli([
      'learn',
      f('data2.npz'),
      '--out',
      f('x.npz'),
      ...long,
      '--checkpoint',
      checkpoint,
      '--resume',
    ]);
    expect(data).toMatchObject({
      code: 2,
      stderr: 'learn: the checkpoint must be of the same data; got one of other samples.\n',
    });
    expect(existsSync(f('x.npz'))).toBe(false);
  });
});

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
