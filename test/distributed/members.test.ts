/** The members of a queue, through a Redis stub in this process with a clock of its own. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Presence } from '#src/distributed/members.ts';

const now = { seconds: 1000 };
const members = new Map<string, string>();
let expired: string[] = [];
const redis = {
  hset: async (_: string, id: string, text: string) => void members.set(id, text),
  hdel: async (_: string, id: string) => void members.delete(id),
  hgetall: async () => Object.fromEntries(members),
  expire: async (key: string, seconds: number) => expired.push(`${key} ${seconds}`),
  time: async () => [String(now.seconds), '0'],
};

const self = (role: 'driver' | 'worker', change: object = {}) => ({
  role,
  version: '1',
  backend: 'wasm-1',
  threads: 2,
  host: 'h',
  pid: 7,
  ...change,
});

const said: string[] = [];
const begin = (id: string, own: ReturnType<typeof self>) =>
  Presence.begin(redis as never, ['q:members', 'q:wait'], id, own, (words) => said.push(words));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  members.clear();
  said.length = 0;
  expired = [];
});
afterEach(() => void vi.useRealTimers());

it('a driver finds the workers that fit, and names each other one once', async () => {
  const driver = await begin('d', self('driver'));
  expect(await driver.others()).toEqual([]);
  await begin('w1', self('worker'));
  await begin('w2', self('worker', { backend: 'js-2' }));
  await begin('w3', self('worker', { version: '2', threads: 1 }));
  await begin('d2', self('driver', { version: '3' }));
  said.length = 0;
  for (let k = 0; k < 2; k++) {
    expect(await driver.others()).toEqual([{ ...self('worker'), seen: 1_000_000 }]);
  }
  expect(said).toEqual([
    'not used: worker h:7 (version 1, js-2, 2 threads); this is version 1, wasm-1.',
    'not used: worker h:7 (version 2, wasm-1, 1 thread); this is version 1, wasm-1.',
  ]);
});

it('who has not been heard of for a while is gone, and what is no member, too', async () => {
  const driver = await begin('d', self('driver'));
  await begin('w', self('worker'));
  members.set('odd', '{"role": "king"}');
  members.set('text', 'hello');
  now.seconds += 15;
  expect(await driver.others()).toHaveLength(1);
  expect([...members.keys()]).toEqual(['d', 'w']);
  now.seconds += 1;
  expect(await driver.others()).toEqual([]);
  expect([...members.keys()]).toEqual([]);
});

it('says every few seconds that it is there, until it stops, and takes itself away at the end', async () => {
  const worker = await begin('w', self('worker'));
  expect(expired).toEqual(['q:members 3600', 'q:wait 3600']);
  now.seconds += 10;
  await vi.advanceTimersByTimeAsync(5000);
  expect(JSON.parse(members.get('w')!).seen).toBe(1000 * now.seconds);
  expect(expired).toHaveLength(4);
  members.clear();
  await vi.advanceTimersByTimeAsync(4000);
  expect(members.has('w')).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(members.has('w')).toBe(true);
  expired = [];
  await worker.end();
  expect([members.size, expired]).toEqual([0, ['q:members 3600', 'q:wait 3600']]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(members.size).toBe(0);
});

it('goes on while Redis is away', async () => {
  const worker = await begin('w', self('worker'));
  const away = vi.spyOn(redis, 'hset').mockRejectedValue(new Error('away'));
  await vi.advanceTimersByTimeAsync(10_000);
  away.mockRestore();
  members.clear();
  await vi.advanceTimersByTimeAsync(5000);
  expect(members.has('w')).toBe(true);
  worker.stop();
});
