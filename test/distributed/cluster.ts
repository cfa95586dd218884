/** A small cluster on this machine, for tests: data, a Redis server, workers of one thread each. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { callCli } from '../helpers/call-cli.ts';
import { DIST, type Running, start, startCli } from '../helpers/run.ts';
import type { Scratch } from '../helpers/scratch.ts';
import { RedisServer } from './redis-server.ts';

export async function succeed(running: Running): Promise<string> {
  const { code, stderr, stdout } = await running.finished;
  expect(`${code} ${code === 0 ? '' : stderr}`).toBe('0 ');
  return stdout + stderr;
}

export class TestCluster {
  readonly #workers: Running[] = [];

  private constructor(
    readonly server: RedisServer,
    readonly file: Scratch['file'],
  ) {}

  /** `flags`: of redis-server. Writes data.npy, 60,000 samples of 40 features. */
  static async start({ path, file }: Scratch, ...flags: string[]): Promise<TestCluster> {
    const server = await RedisServer.start(path, ...flags);
    const size = '--samples 60000 --features 40 --theta 0.3'.split(' ');
    expect(await callCli(['generate', ...size, '--out', file('all.npz')])).toMatchObject({ code: 0, stderr: '' });
    const { readMatrix, writeArray } = await import('#src/node/index.ts');
    await writeArray(file('data.npy'), await readMatrix(`${file('all.npz')}:samples`));
    return new TestCluster(server, file);
  }

  /** `orthodict learn data.npy --out out …` */
  learn(out: string, ...more: string[]): Running {
    return startCli(this.#learning(out, ...more));
  }

  /** Learns on one thread, in this process. */
  async learnAlone(out: string, ...more: string[]): Promise<void> {
    const { code, stderr } = await callCli(this.#learning(out, '--threads', '1', ...more));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }

  #learning(out: string, ...more: string[]): string[] {
    return ['learn', this.file('data.npy'), '--out', this.file(out), '--backend', 'wasm', ...more];
  }

  /** Learns through Redis. */
  learnHere(out: string, ...more: string[]): Running {
    return this.learn(out, '--redis', this.server.url, ...more);
  }

  startWorker(...more: string[]): Running {
    return this.startWorkerOf(DIST, {}, ...more);
  }

  /** A worker of another build, or in another environment. */
  startWorkerOf(dist: string, env: NodeJS.ProcessEnv, ...more: string[]): Running {
    const args = ['worker', '--redis', this.server.url, '--threads', '1', '--backend', 'wasm', ...more];
    const worker = start(`${dist}cli/main.js`, args, undefined, env);
    this.#workers.push(worker);
    return worker;
  }

  /** Ends all workers. */
  async clear(): Promise<void> {
    for (const worker of this.#workers) worker.kill('SIGKILL');
    await Promise.all(this.#workers.splice(0).map(({ finished }) => finished));
  }

  sameBytes(a: string, b: string): boolean {
    return readFileSync(this.file(a)).equals(readFileSync(this.file(b)));
  }
}
