/**
 * A pass from outside the package that says where its chunks were computed. `seen`, in shared memory, becomes 1 when a
 * thread has met it; the calling thread waits for that, so that it cannot compute everything alone. In a thread it refuses
 * samples if asked to.
 */
import { isMainThread } from 'node:worker_threads';
import { InputError } from 'orthodict';
import { definePass } from 'orthodict/extend';

const LIMIT = 20_000;

export const wherePass = definePass(import.meta.url, {
  name: 'where',
  contribute(_chunk, { seen, refuse }) {
    for (const end = performance.now() + 1; performance.now() < end; ); // a brief pass would stay in the calling thread
    if (isMainThread) Atomics.wait(seen, 0, 0, LIMIT);
    else {
      Atomics.store(seen, 0, 1);
      Atomics.notify(seen, 0);
      if (refuse) throw new InputError('where: refused in a thread.');
    }
    return { here: Number(isMainThread), elsewhere: Number(!isMainThread) };
  },
  add: (total, part) => ({ here: total.here + part.here, elsewhere: total.elsewhere + part.elsewhere }),
});
