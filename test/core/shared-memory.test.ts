/** Shared memory that nobody has any more is collected, although collectors do not count it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sharedZeros } from '#src/core/shared-memory.ts';
import { memorySource } from '#src/engine/source/memory.ts';

const theirs = () => new Float64Array(new SharedArrayBuffer(1 << 21));

it.each([
  ['of its own', () => sharedZeros(1 << 9, 1 << 9, 'f64').data],
  ['of its caller', () => memorySource({ rows: 1 << 9, cols: 1 << 9, data: theirs() }).matrix.data],
])('of 200 matrices %s of 2 MB that are dropped one after the other, most are collected', async (_, create) => {
  const all: WeakRef<ArrayBufferLike>[] = [];
  for (let k = 0; k < 200; k++) {
    all.push(new WeakRef(create().buffer));
    await sleep(0); // what a WeakRef was made of lives until the end of the turn
  }
  expect(all.filter((each) => each.deref() !== undefined).length).toBeLessThan(120);
});
