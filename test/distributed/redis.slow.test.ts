/** The same bytes on a cluster as on one thread, whatever happens to workers, to Redis and to the driver. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Running, runCli, startCli } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { noRedis, RedisServer } from './redis-server.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const workers: Running[] = [];
let server: RedisServer;

const learnFlags = ['--backend', 'wasm', '--precision', 'f64', '--max-iterations', '25', '--tolerance', '0'];
const learn = (out: string, ...more: string[]) => ['learn', f('data.npy'), '--out', f(out), ...learnFlags, ...more];
const onCluster = (out: string, ...more: string[]) => learn(out, '--redis', server.url, ...more);

function startWorker(...more: string[]): Running {
  const worker = startCli(['worker', '--redis', server.url, '--threads', '1', '--backend', 'wasm', ...more]);
  workers.push(worker);
  return worker;
}

async function succeed(running: Running): Promise<string> {
  const { code, stderr, stdout } = await running.finished;
  expect(`${code} ${code === 0 ? '' : stderr}`).toBe('0 ');
  return stdout + stderr;
}

const sameBytes = (a: string, b: string) => readFileSync(f(a)).equals(readFileSync(f(b)));

describe.skipIf(noRedis)('through Redis', () => {
  beforeAll(async () => {
    server = await RedisServer.start(scratch.path, '--appendonly', 'yes', '--appendfsync', 'always');
    await succeed(
      startCli(['generate', '--samples', '60000', '--features', '60', '--theta', '0.3', '--out', f('all.npz')]),
    );
    const { readMatrix, writeArray } = await import('#src/node/index.ts');
    await writeArray(f('data.npy'), await readMatrix(`${f('all.npz')}:samples`));
    await succeed(startCli(learn('one.npz', '--threads', '1')));
  }, 60_000);
  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.splice(0).map(({ finished }) => finished));
  });
  afterAll(async () => server?.stop());

  it('three workers give the bytes of one thread', async () => {
    for (let k = 0; k < 3; k++) startWorker();
    await succeed(startCli(onCluster('three.npz')));
    expect(sameBytes('three.npz', 'one.npz')).toBe(true);
  });

  it.each(['ksvd', 'pca', 'givens'])('so they do with %s', async (method) => {
    const flags = method === 'pca' ? [] : ['--max-iterations', '3'];
    const args = (out: string) => [
      'learn',
      f('data.npy'),
      '--out',
      f(out),
      '--backend',
      'wasm',
      '--method',
      method,
      ...flags,
    ];
    startWorker();
    startWorker();
    await succeed(startCli(args('a.npz').concat('--threads', '1')));
    await succeed(startCli(args('b.npz').concat('--redis', server.url)));
    expect(sameBytes('a.npz', 'b.npz')).toBe(true);
  });

  describe('in a run of some seconds', () => {
    const long = (out: string, ...more: string[]) =>
      [
        'learn',
        f('data.npy'),
        '--out',
        f(out),
        '--backend',
        'wasm',
        '--method',
        'ksvd',
        '--max-iterations',
        '20',
      ].concat(more);
    beforeAll(async () => {
      await succeed(startCli(long('long.npz', '--threads', '1')));
    }, 60_000);

    it('a worker may be killed, and another may join late', async () => {
      const [first] = [startWorker(), startWorker()];
      await sleep(1000);
      const run = startCli(long('killed.npz', '--redis', server.url));
      await sleep(2000);
      first.kill('SIGKILL');
      startWorker();
      await succeed(run);
      expect(sameBytes('killed.npz', 'long.npz')).toBe(true);
    }, 90_000);

    it('a worker may be stopped, and go on after others have taken over its block', async () => {
      const [first] = [startWorker(), startWorker()];
      await sleep(1000);
      const run = startCli(long('stopped.npz', '--redis', server.url));
      await sleep(1500);
      first.kill('SIGSTOP');
      const timer = setTimeout(() => first.kill('SIGCONT'), 15_000);
      await succeed(run);
      clearTimeout(timer);
      first.kill('SIGCONT');
      expect(sameBytes('stopped.npz', 'long.npz')).toBe(true);
    }, 90_000);

    it('Redis may be restarted', async () => {
      startWorker();
      startWorker();
      await sleep(1000);
      const run = startCli(long('restarted.npz', '--redis', server.url));
      await sleep(1500);
      await server.stop();
      await sleep(1000);
      await server.begin();
      await succeed(run);
      expect(sameBytes('restarted.npz', 'long.npz')).toBe(true);
    }, 90_000);

    it('the driver may be killed, and resumes', async () => {
      startWorker();
      startWorker();
      const flags = ['--redis', server.url, '--checkpoint', f('run.npz'), '--checkpoint-every', '0'];
      const run = startCli(long('resumed.npz', ...flags));
      while (!existsSync(f('run.npz'))) await sleep(20);
      await sleep(300);
      run.kill('SIGKILL');
      await run.finished;
      expect(existsSync(f('resumed.npz'))).toBe(false);
      await succeed(startCli(long('resumed.npz', ...flags, '--resume')));
      expect(sameBytes('resumed.npz', 'long.npz')).toBe(true);
    }, 90_000);
  });

  it('a run waits for workers, and says so', async () => {
    const run = startCli(onCluster('late.npz', '--queue', 'late'));
    await run.said(/waiting for workers/);
    startWorker('--queue', 'late');
    expect(await succeed(run)).toContain('waiting for workers at queue late');
    expect(sameBytes('late.npz', 'one.npz')).toBe(true);
  });

  it('a worker leaves on SIGTERM', async () => {
    const worker = startWorker();
    await worker.said(/ready at queue/);
    worker.kill('SIGTERM');
    const { code, stderr } = await worker.finished;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/ready at queue orthodict.*\n.*leaving/)]);
  });

  it('a worker with other kernels is not used, and both say so', async () => {
    const other = startCli(['worker', '--redis', server.url, '--backend', 'js', '--threads', '1']);
    workers.push(other);
    await other.said(/ready at queue/);
    startWorker();
    expect(await succeed(startCli(onCluster('other.npz')))).toMatch(/not used: worker .*js-/);
    expect(sameBytes('other.npz', 'one.npz')).toBe(true);
  });

  it('says that Redis is full, or wants a password, which it does not show', async () => {
    const full = await RedisServer.start(scratch.path, '--maxmemory', '1kb', '--maxmemory-policy', 'noeviction');
    const locked = await RedisServer.start(scratch.path, '--requirepass', 'right');
    try {
      const run = await runCli(learn('full.npz', '--redis', full.url));
      expect([run.code, run.stderr]).toEqual([2, 'cluster: Redis has no memory left: raise its maxmemory.\n']);
      const wrong = await runCli(['worker', '--redis', `redis://:wrong@127.0.0.1:${locked.port}`]);
      expect([wrong.code, wrong.stderr]).toEqual([
        2,
        expect.stringMatching(/redis:\/\/:\*\*\*@.* cannot be reached \(WRONGPASS/),
      ]);
    } finally {
      await Promise.all([full.stop(), locked.stop()]);
    }
  }, 60_000);
});

it('says what is wrong with an address', async () => {
  const nowhere = await runCli(['worker', '--redis', 'redis://127.0.0.1:1']);
  expect([nowhere.code, nowhere.stderr]).toEqual([
    2,
    expect.stringMatching(/redis:\/\/127.0.0.1:1.* cannot be reached/),
  ]);
  const odd = await runCli(['worker', '--redis', 'localhost']);
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringMatching(/must look like redis:\/\/host:6379/)]);
}, 30_000);
