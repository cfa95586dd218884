/** The costs of the model, measured one by one on this machine. */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Executor, Source } from 'orthodict';
import { fromBytes, STORED_LIMITS, toBytes } from 'orthodict/cluster';
import { correlatePass, createRandom, memorySource, normalMatrix, shareMatrix } from 'orthodict/extend';
import { median } from '../../median.ts';
import type { RedisCosts } from './model.ts';
import { correlateParams } from './passes.ts';

const ROUNDS = 5;
/** Values on their way at the same time, as those of many workers are. */
const KEYS = [0, 1, 2, 3, 4, 5, 6, 7];
/** Multiplications for some tenths of a second, and the most rows for them. */
const WORK = 2e9;
const MOST_ROWS = 200_000;

async function secondsOf(work: () => unknown): Promise<number> {
  const seconds: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const started = performance.now();
    await work();
    if (round >= 0) seconds.push((performance.now() - started) / 1000);
  }
  return median(seconds);
}

/** Seconds a sample on one thread, and the bytes of a sum. */
export async function computingCosts(
  executor: Executor,
  features: number,
): Promise<{ readonly sample: number; readonly bytes: number }> {
  const rows = Math.min(Math.max(512, Math.round(WORK / features ** 2)), MOST_ROWS);
  const samples = shareMatrix(normalMatrix(rows, features, createRandom(1, 'costs')));
  const params = correlateParams(features);
  const source = memorySource(samples);
  const sum = await executor.sum(correlatePass, params, source);
  const seconds = await secondsOf(() => executor.sum(correlatePass, params, source));
  return { sample: seconds / rows, bytes: toBytes(sum, 'a sum', STORED_LIMITS.result).length };
}

/** What a byte costs on its way, from sums for these numbers of features. */
export async function transferCosts(
  redis: Redis,
  executor: Executor,
  features: number,
): Promise<Omit<RedisCosts, 'job'>> {
  const params = correlateParams(features);
  const samples = memorySource(normalMatrix(8, features, createRandom(1, 'costs')));
  const sum = await executor.sum(correlatePass, params, samples);
  const bytes = toBytes(sum, 'a sum', STORED_LIMITS.result);
  const stored = Buffer.from(bytes.buffer);
  const key = 'orthodict-bench';
  const together = (act: (name: string) => Promise<unknown>) =>
    secondsOf(() => Promise.all(KEYS.map((name) => act(`${key}-${name}`)))).then((seconds) => seconds / KEYS.length);
  const set = await together((name) => redis.set(name, stored));
  const get = await together((name) => redis.getBuffer(name));
  await redis.unlink(...KEYS.map((name) => `${key}-${name}`));
  const prepare = await secondsOf(() =>
    createHash('sha256')
      .update(toBytes(params, 'parameters', STORED_LIMITS.value))
      .digest('hex'),
  );
  const store = await secondsOf(() => toBytes(sum, 'a sum', STORED_LIMITS.result));
  const add = await secondsOf(() => correlatePass.add(sum, fromBytes(stored) as typeof sum));
  const each = 1 / bytes.length;
  return { perByte: ((set + get) / 2) * each, prepare: prepare * each, store: store * each, add: add * each };
}

const JOB_ROUNDS = 40;

/** What a job costs on each side: passes of two blocks with nothing to compute and small sums, on one worker. */
export async function jobCosts(redis: Redis, executor: Executor, source: Source): Promise<RedisCosts['job']> {
  const params = correlateParams(source.cols);
  const pass = () => executor.sum(correlatePass, params, source);
  await pass();
  const before = { server: await serverSeconds(redis), driver: process.cpuUsage() };
  const started = performance.now();
  for (let k = 0; k < JOB_ROUNDS; k++) await pass();
  const jobs = 2 * JOB_ROUNDS;
  const all = (performance.now() - started) / 1000 / jobs;
  const { user, system } = process.cpuUsage(before.driver);
  const driver = Math.min((user + system) / 1e6 / jobs, all / 2);
  const server = Math.min(((await serverSeconds(redis)) - before.server) / jobs, all / 2);
  return { server, driver, worker: Math.max(0, all - server - driver) };
}

/** Processor time of the server so far. */
async function serverSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const of = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0);
  return of('used_cpu_user') + of('used_cpu_sys');
}
