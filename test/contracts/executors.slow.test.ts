/**
 * One suite for every executor: the result never depends on where it is computed. Sums are compared bit for bit with
 * the tree written as a recursion, in this thread. passes.slow.test.ts does the same for every registered pass.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import type { FloatArray, Matrix } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import type { Pass } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { chunkRanges, type Source } from '#src/engine/source/source.ts';
import { selectKernels } from '#src/kernels/select.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { correlatePass } from '#src/passes/correlate.ts';
import { encodePass } from '#src/passes/encode.ts';
import { histogramPass } from '#src/passes/histogram.ts';
import { secondMomentsPass } from '#src/passes/second-moments.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { byMessages } from '../helpers/by-messages.ts';
import { bits } from '../helpers/bytes.ts';
import { DIST, start } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';
import { bitsByRecursion } from '../helpers/sum-tree.ts';
import { oddPass } from './odd-pass.mjs';

const scratch = scratchDirectory();
const random = createRandom(testSeed(31), 'executors');
const FEATURES = 67;
/** Sixteen chunks, the last one shorter. */
const samples = normalMatrix(20_500, FEATURES, random);
const atoms = normalMatrix(11, FEATURES, random);
const conditioning = { offset: normalMatrix(1, FEATURES, random).data, scale: 0.7 };
const thresholds = new Float64Array(11).fill(1.1);
const meanNorm = 3;
const mask = { kind: 'mask', thresholds, meanNorm };

// biome-ignore lint/suspicious/noExplicitAny: passes with parameters of different types in one table
const passes: [pass: Pass<any, any>, params: object][] = [
  [surveyPass, { moments: true }],
  [secondMomentsPass, { conditioning }],
  [correlatePass, { atoms, conditioning, response: { kind: 'power', norm: 4 }, precision: 'f32' }],
  [correlatePass, { atoms, conditioning, response: { kind: 'power', norm: 3 }, precision: 'f64' }],
  [correlatePass, { atoms, conditioning, response: mask, precision: 'f64', gram: true }],
  [correlatePass, { atoms, conditioning, response: mask, precision: 'f32', countRows: 300 }],
  [histogramPass, { atoms, conditioning, meanNorm }],
];

function shared(matrix: Matrix): Matrix {
  const { data } = matrix;
  const buffer = new SharedArrayBuffer(data.byteLength);
  const copy: FloatArray = data instanceof Float32Array ? new Float32Array(buffer) : new Float64Array(buffer);
  copy.set(data);
  return { ...matrix, data: copy };
}

/** A source that reuses one buffer, as a file reader may. */
function reusingSource(matrix: Matrix): Source {
  const { rows, cols } = matrix;
  const buffer = new Float64Array(rows * cols);
  return {
    rows,
    cols,
    precision: 'f64',
    async read(start, end) {
      await Promise.resolve();
      buffer.fill(Number.NaN);
      buffer.set(matrix.data.subarray(start * cols, end * cols));
      return { rows: end - start, cols, data: buffer.subarray(0, (end - start) * cols) };
    },
  };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const single = { ...samples, data: Float32Array.from(samples.data) };
const sources: [string, Source][] = [
  ['float64 in memory', memorySource(samples)],
  ['float32 in memory', memorySource(single)],
  ['float64 in shared memory', memorySource(shared(samples))],
  ['float32 in shared memory', memorySource(shared(single))],
  ['a buffer that is used again', reusingSource(samples)],
];

const executors: [string, () => Promise<Executor>][] = [
  ['inline', async () => inlineExecutor(await selectKernels('auto'))],
  ['1 thread', () => createNodeExecutor({ threads: 1 })],
  ['2 threads', () => warm(createNodeExecutor({ threads: 2 }))],
  ['3 threads', () => warm(createNodeExecutor({ threads: 3 }))],
  ['2 threads by messages', () => warm(byMessages(() => createNodeExecutor({ threads: 2 })))],
  ['2 threads that start when there has been work', () => createNodeExecutor({ threads: 2 })],
];

/** Threads have started, so that passes go there. */
async function warm(created: Promise<Executor>): Promise<Executor> {
  const executor = await created;
  await executor.warm?.();
  return executor;
}

describe.each(executors)('%s', (_, create) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await create();
  });
  afterAll(() => executor.close());

  const expected = (pass: Pass<unknown, unknown>, params: object, source: Source): Promise<string> =>
    bitsByRecursion(pass, params, source, executor.kernels);

  it.each(sources)('gives the sums of every pass to the last bit: %s', async (_, source) => {
    expect(chunkRanges(source.rows, source.cols).length).toBe(16);
    for (const [pass, params] of passes) {
      const sum = await executor.sum(pass, params, source);
      expect(bits(sum) === (await expected(pass, params, source)), pass.name).toBe(true);
    }
  });

  it('leaves samples and parameters as they were', async () => {
    const before = [bits(samples), bits(passes.map(([, params]) => params))];
    for (const [pass, params] of passes) await executor.sum(pass, params, memorySource(samples));
    expect([bits(samples), bits(passes.map(([, params]) => params))]).toEqual(before);
  });

  it('hands out contributions in the order of the chunks', async () => {
    const source = memorySource(samples);
    const params = { transform: { kind: 'dense', encoder: atoms } as const, conditioning, selection: {} };
    const parts = await collect(executor.map(encodePass, params, source));
    const ranges = chunkRanges(source.rows, source.cols);
    expect(parts.map((part) => part.rows)).toEqual(ranges.map(({ start, end }) => end - start));
    for (const [k, { start, end }] of ranges.entries()) {
      const chunk = { samples: await source.read(start, end), start, index: k };
      expect(bits(parts[k]) === bits(encodePass.contribute(chunk, params, executor.kernels))).toBe(true);
    }
  });

  it('tells a chunk its position: the first number that is not finite is named by its row', async () => {
    const spoiled = { ...samples, data: samples.data.slice() };
    spoiled.data[15_123 * FEATURES + 5] = Number.NaN;
    spoiled.data[20_000 * FEATURES] = Number.POSITIVE_INFINITY;
    const { offender } = await executor.sum(surveyPass, { moments: true }, memorySource(spoiled));
    expect(offender).toEqual({ row: 15_123, column: 5, value: Number.NaN });
  });

  it('rejects with the reason of an abort, between chunks, and keeps working', async () => {
    const source = memorySource(samples);
    const controller = new AbortController();
    const reason = new Error('enough');
    const seen: unknown[] = [];
    const run = (async () => {
      for await (const part of executor.map(surveyPass, { moments: true }, source, controller.signal)) {
        seen.push(part);
        if (seen.length === 2) controller.abort(reason);
      }
    })();
    await expect(run).rejects.toBe(reason);
    expect(seen.length).toBe(2);
    expect((await executor.sum(surveyPass, { moments: true }, source)).samples).toBe(samples.rows);
  });

  it('rejects an abort that comes while a chunk is being read, and one that came before', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let reads = 0;
    const source: Source = {
      ...memorySource(samples),
      async read(start, end) {
        if (++reads === 2) setTimeout(() => controller.abort(reason));
        await new Promise((resolve) => setTimeout(resolve, 5));
        return memorySource(samples).read(start, end);
      },
    };
    await expect(executor.sum(surveyPass, { moments: true }, source, controller.signal)).rejects.toBe(reason);
    expect(reads).toBeLessThan(chunkRanges(samples.rows, FEATURES).length);
    await expect(executor.sum(surveyPass, { moments: true }, source, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('rejects when a chunk cannot be computed, and keeps working', async () => {
    const source = memorySource(samples);
    const params = { ...passes[2][1], atoms: { rows: 2, cols: 3, data: null } };
    await expect(executor.sum(correlatePass, params as never, source)).rejects.toThrow(Error);
    expect((await executor.sum(surveyPass, { moments: true }, source)).samples).toBe(samples.rows);
  });

  it('rejects every time the source fails, and keeps working', async () => {
    const source: Source = {
      ...memorySource(samples),
      read: async (start) => {
        throw new InputError(`no rows from ${start}`);
      },
    };
    for (let k = 0; k < 6; k++) {
      await expect(executor.sum(surveyPass, { moments: true }, source)).rejects.toThrow('no rows from 0');
    }
    expect((await executor.sum(surveyPass, { moments: true }, memorySource(samples))).samples).toBe(samples.rows);
  });

  it('rejects parameters that cannot be sent, or contributions, and keeps working', async () => {
    const source = memorySource(samples);
    const params = { moments: false, extra: () => 1 };
    if (executor.threads > 1)
      await expect(executor.sum(surveyPass, params, source)).rejects.toThrow(/could not be cloned/);
    const sent = executor.sum(oddPass, { what: 'an array under two names' }, source);
    expect(await sent).toBeDefined();
    await executor.warm?.(); // what the calling thread computes need not be sent
    const stuck = executor.sum(oddPass, { what: 'a function' }, source);
    if (executor.threads > 1) await expect(stuck).rejects.toThrow('cannot be sent');
    else expect(await stuck).toBeDefined();
    expect((await executor.sum(surveyPass, { moments: false }, source)).samples).toBe(samples.rows);
  });

  it('refuses a pass that is not registered, which a worker could not find', async () => {
    const stray = { ...surveyPass, name: 'stray' };
    await expect(executor.sum(stray, { moments: false }, memorySource(samples))).rejects.toThrow(
      '"stray" is not registered',
    );
  });

  it('lets a reader leave early, and keeps working', async () => {
    for await (const _ of executor.map(surveyPass, { moments: true }, memorySource(samples))) break;
    expect((await executor.sum(surveyPass, { moments: true }, memorySource(samples))).samples).toBe(samples.rows);
  });

  it('runs two passes at once without mixing them up', async () => {
    const [first, second] = [sources[0][1], sources[1][1]];
    const jobs = passes.map(([pass, params], k) => [pass, params, k % 2 ? first : second] as const);
    const sums = await Promise.all(jobs.map(([pass, params, source]) => executor.sum(pass, params, source)));
    for (const [k, [pass, params, source]] of jobs.entries()) {
      expect(bits(sums[k]) === (await expected(pass, params, source)), pass.name).toBe(true);
    }
  });
});

describe('createNodeExecutor', () => {
  it.each([0, -1, 1.5, Number.NaN, 2000])('refuses %d threads', async (threads) => {
    await expect(createNodeExecutor({ threads })).rejects.toThrow(
      new InputError(`createNodeExecutor: threads must be a whole number from 1 to 1024; got ${threads}.`),
    );
  });

  it('starts at most four threads per core, however many are asked for', async () => {
    const executor = await createNodeExecutor({ threads: 1024 });
    expect(executor.threads).toBe(Math.min(1024, 4 * availableParallelism()));
    await executor.close();
  });

  it.each([2, 4])(
    'can be closed at once, before %d threads have started, and in the middle of a pass',
    async (threads) => {
      const script = scratch.file(`close-${threads}.mjs`);
      const url = (path: string) => JSON.stringify(pathToFileURL(`${DIST}${path}`).href);
      writeFileSync(
        script,
        `
      import { createNodeExecutor } from ${url('node/threads/threads.js')};
      import { surveyPass } from ${url('passes/survey.js')};
      import { memorySource } from ${url('engine/source/memory.js')};
      const source = memorySource({ rows: 200000, cols: 10, data: new Float64Array(2000000).fill(1) });
      for (let k = 0; k < 6; k++) {
        const executor = await createNodeExecutor({ threads: ${threads} });
        void executor.warm();
        if (k % 3 === 1) await new Promise((resolve) => setTimeout(resolve, 10 * k));
        if (k % 3 === 2) for await (const part of executor.map(surveyPass, { moments: true }, source)) break;
        await executor.close();
      }
      console.log('closed');`,
      );
      const { code, stdout, stderr } = await start(script, []).finished;
      expect([code, stdout, stderr]).toEqual([0, 'closed\n', '']);
    },
  );

  it.each([
    ['after close', 'await executor.close();'],
    ['with an idle pool that nobody closed', ''],
  ])('lets the process end %s', async (name, ending) => {
    const script = scratch.file(`${name.replaceAll(' ', '-')}.mjs`);
    const url = (path: string) => JSON.stringify(pathToFileURL(`${DIST}${path}`).href);
    writeFileSync(
      script,
      `
      import { createNodeExecutor } from ${url('node/threads/threads.js')};
      import { surveyPass } from ${url('passes/survey.js')};
      import { memorySource } from ${url('engine/source/memory.js')};
      const executor = await createNodeExecutor({ threads: 2 });
      await executor.warm();
      const source = memorySource({ rows: 400000, cols: 10, data: new Float64Array(4000000).fill(1) });
      console.log((await executor.sum(surveyPass, { moments: true }, source)).samples);
      ${ending}`,
    );
    const { code, stdout, stderr } = await start(script, []).finished;
    expect([code, stdout, stderr]).toEqual([0, '400000\n', '']);
  });

  it('closed during a pass, makes the pass fail instead of hanging', async () => {
    const executor = await warm(createNodeExecutor({ threads: 2 }));
    const parts = executor.map(surveyPass, { moments: true }, memorySource(shared(samples)));
    await parts.next();
    const rest = (async () => {
      for await (const part of parts) void part;
    })();
    const failed = expect(rest).rejects.toThrow('closed while a pass was running');
    await executor.close();
    await failed;
  });

  it('runs in a script on the command line of Node', async () => {
    const url = (path: string) => JSON.stringify(pathToFileURL(`${DIST}${path}`).href);
    const script = `
      import { learn } from ${url('node/index.js')};
      const data = Float64Array.from({ length: 3000 }, (_, i) => Math.sin(i * i));
      console.log((await learn({ rows: 1000, cols: 3, data }, { maxIterations: 2 }, { threads: 2 })).threads);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--max-old-space-size=2048',
      '--input-type=module',
      '--eval',
      script,
    ]);
    expect(stdout).toBe('2\n');
  });
});
