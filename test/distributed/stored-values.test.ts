/** Values stored under their hash: once for any number of passes, and stored again if they are lost. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { StoredValues } from '#src/distributed/stored-values.ts';

/** A Redis that takes note of what it is asked. */
function noting() {
  const stored = new Map<string, Buffer>();
  const log: string[] = [];
  const redis = {
    async set(key: string, value: Buffer, ...life: unknown[]) {
      stored.set(key, value);
      log.push(`set ${key} ${life.join(' ')}`);
    },
    async expire(key: string, seconds: number) {
      log.push(`expire ${key} ${seconds}`);
      return Number(stored.has(key));
    },
  };
  const values = new StoredValues(redis as never, (hash) => `v:${hash.slice(0, 4)}`);
  const during = async (act: () => Promise<unknown>) => {
    log.length = 0;
    await act();
    return [...log];
  };
  return { stored, values, during };
}

const bytes = Uint8Array.of(1, 2, 3);
const hash = createHash('sha256').update(bytes).digest('hex');
const key = `v:${hash.slice(0, 4)}`;
const [SET, KEEP, LEAVE] = [`set ${key} EX 3600`, `expire ${key} 3600`, `expire ${key} 30`];

it('are stored once, and let go when nobody needs them any more', async () => {
  const { stored, values, during } = noting();
  expect(await during(async () => expect(await values.hold(bytes)).toBe(hash))).toEqual([SET]);
  expect([...stored.get(key)!]).toEqual([1, 2, 3]);
  expect(await during(() => values.hold(bytes.slice()))).toEqual([]);
  expect(await during(() => values.release(hash))).toEqual([]);
  expect(await during(() => values.release(hash))).toEqual([LEAVE]);
  expect(await during(() => values.release(hash))).toEqual([]);
  expect(await during(() => values.hold(bytes))).toEqual([SET]);
});

it('are kept alive while they are held, and put back if they are lost', async () => {
  const { stored, values, during } = noting();
  expect(await during(() => values.keep())).toEqual([]);
  await values.hold(new Uint8Array(Uint8Array.of(9, 1, 2, 3, 9).buffer, 1, 3)); // part of other memory
  expect(await during(() => values.keep())).toEqual([KEEP]);
  stored.clear();
  expect(await during(() => values.keep())).toEqual([KEEP, SET]);
  expect([...stored.get(key)!]).toEqual([1, 2, 3]);
  await values.release(hash);
  expect(await during(() => values.keep())).toEqual([]);
});
