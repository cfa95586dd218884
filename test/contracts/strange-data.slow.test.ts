/** Every method of `learn` on every strange data set, on every backend: a third of its options on each, in turn. */
import { describe, expect } from 'vitest';
import { inlineExecutor } from '#src/engine/inline.ts';
import { methods } from '#src/learn/method-list.ts';
import { NODE_BACKENDS, selectNodeKernels } from '#src/node/threads/kernels.ts';
import { strangeData } from '../fuzz/strange-data.ts';
import { judge, waysOf } from '../fuzz/strange-runs.ts';
import { testSeed } from '../helpers/seed.ts';
import { itUnless } from '../helpers/skip.ts';

const sets = [...strangeData(testSeed(8))];
const backends = NODE_BACKENDS.filter((name) => name !== 'auto');

for (const [place, backend] of backends.entries()) {
  const found = await selectNodeKernels(backend).catch((error: Error) => error);
  const missing = found instanceof Error ? found.message.replace(/\.$/, '') : undefined;
  describe(backend, () => {
    for (const method of methods) {
      itUnless(missing, `${method.name} gives a sane result or says why not`, async () => {
        if (found instanceof Error) return;
        const executor = inlineExecutor(found.kernels);
        const wrong: string[] = [];
        for (const [at, set] of sets.entries()) {
          for (const way of waysOf(method).filter((_, number) => (at + number) % backends.length === place)) {
            const words = await judge(way, set.samples, executor);
            if (words) wrong.push(`${way.name} on ${set.name}: ${words}`);
          }
        }
        expect(wrong).toEqual([]);
      });
    }
  });
}
