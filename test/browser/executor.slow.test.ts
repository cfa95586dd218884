/** The executor of a page, on threads with the face of web workers. test/browser/pages/bundles.slow.test.ts runs it in a browser. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBrowserExecutor } from '#src/browser/executor.ts';
import text from '#src/browser/generated/page-worker-text.ts';
import { packagePasses } from '#src/browser/generated/passes.ts';
import { FOR_PASSES } from '#src/browser/web-worker.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { shareMatrix } from '#src/core/shared-memory.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import type { AnyPass } from '#src/engine/pass.ts';
import { definePass, describePass, registeredPasses } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import '#src/index.ts';
import { correlatePass } from '#src/passes/correlate.ts';
import { slowPass } from '../contracts/odd-pass.mjs';
import { byMessages } from '../helpers/by-messages.ts';
import { bits } from '../helpers/bytes.ts';
import { fakeWorker, PAGE_WORKER } from '../helpers/web-worker.ts';

const n = 23;
const random = createRandom(1, 'a page');
const matrix = normalMatrix(4000, n, random);
const ranges = Array.from({ length: 16 }, (_, k) => ({ start: 250 * k, end: 250 * (k + 1) }));
const inChunks = (source: Source): Source => ({ ...source, ranges });
const [own, shared] = [matrix, shareMatrix(matrix)].map((each) => inChunks(memorySource(each)));
const params = {
  atoms: normalMatrix(n, n, random),
  conditioning: { scale: 1 },
  response: { kind: 'power', norm: 4 },
  precision: 'f64',
} as const;
const correlate = (executor: Executor, source: Source) => executor.sum(correlatePass, params, source);

const warnings: unknown[] = [];
const executors: Executor[] = [];
const workers: ReturnType<typeof fakeWorker>[] = [];

/** Creates workers and keeps them in `workers`. */
const keep = (make: () => ReturnType<typeof fakeWorker>) => () => {
  workers.push(make());
  return workers.at(-1)!;
};
const fakes = keep(() => fakeWorker());

async function create(options: Parameters<typeof createBrowserExecutor>[0]): Promise<Executor> {
  const executor = await createBrowserExecutor(options);
  executors.push(executor);
  return executor;
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation((text) => void warnings.push(text));
});
afterEach(async () => {
  await Promise.all(executors.splice(0).map((executor) => executor.close()));
  await Promise.all(workers.splice(0).map(({ ended }) => ended)); // none is left
  warnings.splice(0);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const inPackage = ({ module }: { readonly module: string }) => module.includes('/dist/');
const namesOf = (passes: readonly AnyPass[]) => passes.map(({ name }) => name).toSorted();

it('workers know every pass of the package', () => {
  const loaded = registeredPasses().filter((pass) => inPackage(describePass(pass)));
  expect(namesOf(packagePasses)).toEqual(namesOf(loaded));
  expect(loaded.length).toBeGreaterThan(15);
});

describe.each(['by shared memory', 'by messages'])('%s', (way) => {
  const createThis = (options: Parameters<typeof create>[0]) =>
    way === 'by messages' ? byMessages(() => create(options)) : create(options);

  it('workers compute, to the bits of the calling thread, and end', async () => {
    const executor = await createThis({ threads: 2, createWorker: fakes });
    await executor.warm?.();
    const seen = new Int32Array(new SharedArrayBuffer(8));
    const { rows } = await executor.sum(slowPass, { milliseconds: 2, seen, together: true }, shared);
    expect([rows, executor.threads]).toEqual([matrix.rows, 2]);
    expect(seen[1]).toBeGreaterThan(0);
    const expected = bits(await correlate(inlineExecutor(executor.kernels), own));
    for (const source of [shared, own, shared]) expect(bits(await correlate(executor, source))).toBe(expected);
    const waits = workers[0].sent.filter((message) => 'control' in (message as object)).length;
    expect(waits > 0).toBe(way === 'by shared memory');
    expect(warnings).toEqual([]);
  });

  it('a pass that is a part of the page is refused with what to do', async () => {
    const executor = await createThis({ threads: 2, createWorker: fakes });
    await executor.warm?.();
    await expect(executor.sum(pagePass, { way }, shared)).rejects.toThrow(
      /^passes: a web worker cannot load "of-a-page" from data:\S+ \(document is not defined\); in a bundle, give createBrowserExecutor a createWorker whose module imports the module of the pass, then 'orthodict\/browser\/worker'\.$/,
    );
  });
});

/** Its module would run in a page only. The calling thread lets the workers come first. */
const pagePass = definePass('data:text/javascript,document.title', {
  name: 'of-a-page',
  contribute() {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    return 1;
  },
  add: (total: number, part: number) => total + part,
});

it('a module of its own brings its passes, then those of the package', async () => {
  const entry = `import ${JSON.stringify(new URL('../contracts/odd-pass.mjs', import.meta.url).href)};
    import ${JSON.stringify(PAGE_WORKER)};`;
  const createWorker = keep(() => fakeWorker(`data:text/javascript,${encodeURIComponent(entry)}`));
  const executor = await byMessages(() => create({ threads: 2, createWorker }));
  await executor.warm?.();
  const seen = new Int32Array(new SharedArrayBuffer(8));
  await executor.sum(slowPass, { milliseconds: 0, seen }, shared);
  expect(seen[1]).toBeGreaterThan(0);
});

describe('computes alone, and says why, where a worker', () => {
  it.each([
    [
      'cannot be created',
      () => {
        throw new Error('too many workers.');
      },
      'too many workers',
    ],
    [
      'cannot be loaded',
      keep(() => fakeWorker('data:text/javascript,nowhere()')),
      'executor: a web worker failed: nowhere is not defined',
    ],
    ['has no WebAssembly', keep(() => fakeWorker(PAGE_WORKER, 'WebAssembly')), 'there is no WebAssembly'],
  ])('%s', async (_, createWorker, reason) => {
    const executor = await create({ threads: 2, createWorker });
    await executor.warm?.();
    expect(bits(await correlate(executor, own))).toBe(bits(await correlate(inlineExecutor(executor.kernels), own)));
    expect([executor.threads, warnings]).toEqual([
      1,
      [`orthodict: 1 thread cannot be started (${reason}): computing without it.`],
    ]);
  });
});

it('where a bundler has left the file out, workers start from text', async () => {
  const addresses: string[] = [];
  class Worker {
    constructor(url: URL | string) {
      addresses.push(String(url).replace(/.*\/|:.*/g, ''));
      if (typeof url === 'string') Object.assign(this, fakeFromText());
      else Object.assign(this, { ...silent(), addEventListener: failsToLoad });
    }
  }
  const fakeFromText = keep(() => fakeWorker(`data:text/javascript,${encodeURIComponent(text)}`));
  const failsToLoad = (type: string, listener: (event: object) => void) => {
    if (type === 'error') setTimeout(() => listener({}));
  };
  vi.stubGlobal('Worker', Worker);
  const executor = await byMessages(() => create({ threads: 2 }));
  await executor.warm?.();
  expect(bits(await correlate(executor, own))).toBe(bits(await correlate(inlineExecutor(executor.kernels), own)));
  expect(workers[0].sent.some((message) => 'chunks' in (message as object))).toBe(true);
  expect(warnings).toEqual([]);
  expect(addresses.slice(0, 2)).toEqual(['page-worker.js', 'blob']);
  expect(addresses.filter((address) => address === 'page-worker.js').length).toBe(1); // once is enough
});

/** A worker that never says anything. */
const silent = () => ({ postMessage: () => {}, addEventListener: () => {}, terminate: vi.fn() });

it('closes although a worker has not answered', async () => {
  const worker = silent();
  const executor = await createBrowserExecutor({ threads: 2, createWorker: () => worker });
  const warm = executor.warm?.();
  await executor.close();
  await warm;
  expect(worker.terminate).toHaveBeenCalledTimes(1);
  expect(warnings).toEqual([]);
});

it('refuses a wrong number of threads, and to compute in a worker for passes', async () => {
  await expect(createBrowserExecutor({ threads: 0 })).rejects.toThrow(
    'createBrowserExecutor: threads must be a whole number from 1 to 1024; got 0.',
  );
  expect((await create({ threads: 1 })).threads).toBe(1);
  vi.stubGlobal('navigator', { hardwareConcurrency: 1 });
  expect((await create({ threads: 99, createWorker: fakes })).threads).toBe(4);
  vi.stubGlobal(FOR_PASSES as unknown as string, true);
  await expect(createBrowserExecutor()).rejects.toThrow('put the pass into a module of its own');
});
