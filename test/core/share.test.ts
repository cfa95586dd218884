/** Shared memory that nobody has any more is collected, although collectors do not count it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sharedZeros } from '#src/core/share.ts';

it('of 200 matrices of 2 MB that are dropped one after the other, most are collected', async () => {
  const all: WeakRef<ArrayBufferLike>[] = [];
  for (let k = 0; k < 200; k++) {
    all.push(new WeakRef(sharedZeros(1 << 9, 1 << 9, 'f64').data.buffer));
    await sleep(0); // what a WeakRef was made of lives until the end of the turn
  }
  expect(all.filter((each) => each.deref() !== undefined).length).toBeLessThan(120);
});
