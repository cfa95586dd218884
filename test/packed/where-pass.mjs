/** A pass from outside the package that says where its chunks were computed, and refuses samples in threads if asked to. */
import { isMainThread } from 'node:worker_threads';
import { definePass, InputError } from 'orthodict';

export const wherePass = definePass(import.meta.url, {
  name: 'where',
  contribute(_chunk, { refuse }) {
    if (refuse && !isMainThread) throw new InputError('where: refused in a thread.');
    return { here: Number(isMainThread), elsewhere: Number(!isMainThread) };
  },
  add: (total, part) => ({ here: total.here + part.here, elsewhere: total.elsewhere + part.elsewhere }),
});
