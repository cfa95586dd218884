/** Every method of `learn` on every strange data set, on every backend: a third of its options on each, in turn. */
import { describe, expect, it } from 'vitest';
import { inlineExecutor } from '#src/engine/inline.ts';
import { methods } from '#src/learn/method-list.ts';
import { NODE_BACKENDS, selectNodeKernels } from '#src/node/threads/kernels.ts';
import { strangeData } from '../fuzz/strange-data.ts';
import { judge, waysOf } from '../fuzz/strange-runs.ts';
import { testSeed } from '../helpers/seed.ts';

const sets = [...strangeData(testSeed(8))];
const all = methods.map((method) => [method.name, method] as const);

const backends = NODE_BACKENDS.filter((name) => name !== 'auto').map((name, place) => [name, place] as const);

describe.each(backends)('%s', (backend, place) => {
  it.each(all)('%s gives a sane result or says why not', async (_, method) => {
    const { kernels } = await selectNodeKernels(backend).catch(() => selectNodeKernels('auto'));
    const executor = inlineExecutor(kernels);
    const wrong: string[] = [];
    for (const [at, set] of sets.entries()) {
      for (const way of waysOf(method).filter((_, number) => (at + number) % backends.length === place)) {
        const found = await judge(way, set.samples, executor);
        if (found) wrong.push(`${way.name} on ${set.name}: ${found}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
