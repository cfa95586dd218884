/** Passes from outside the package that are hard on threads: loaded by the tests, and by the threads they start. */
import { isMainThread } from 'node:worker_threads';
import { definePass } from '../../dist/engine/pass.js';

/** Contributions that are hard to send. */
export const oddPass = definePass(import.meta.url, {
  name: 'odd',
  contribute(_chunk, { what }) {
    const data = Float64Array.of(1);
    return what === 'a function' ? { data, code: () => 1 } : { data, again: data };
  },
  add: (total) => total,
});

/** Ends a thread that computes it, or fails there; the caller computes it once a thread has been there. */
export const deadlyPass = definePass(import.meta.url, {
  name: 'deadly',
  contribute({ samples }, { how, seen }) {
    if (isMainThread) {
      Atomics.wait(seen, 1, 0, 30_000);
      return samples.rows;
    }
    Atomics.store(seen, 1, 1);
    Atomics.notify(seen, 1);
    if (how === 'ends') process.exit(7);
    throw new Error('not in a thread');
  },
  add: (total, part) => total + part,
});

/**
 * Takes `milliseconds` per chunk. In `seen`, which is shared memory, it counts the chunks of the caller and those of
 * threads. `together`: the caller waits in its first chunk until a thread has computed one.
 */
export const slowPass = definePass(import.meta.url, {
  name: 'slow',
  contribute({ samples }, { milliseconds, seen, together = false }) {
    if (together && isMainThread) Atomics.wait(seen, 1, 0, 30_000);
    for (const end = performance.now() + milliseconds; performance.now() < end; );
    Atomics.add(seen, isMainThread ? 0 : 1, 1);
    Atomics.notify(seen, 1);
    return { rows: samples.rows, sum: samples.data.reduce((sum, value) => sum + value, 0) };
  },
  add: (total, part) => ({ rows: total.rows + part.rows, sum: total.sum + part.sum }),
});
