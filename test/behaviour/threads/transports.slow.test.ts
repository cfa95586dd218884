/**
 * Two transports from a caller to its threads: through shared memory, without messages, and by messages. Both give the bits
 * of the tree written as a recursion; and whatever happens on one of them, the next pass may take the other.
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rowRange, toFloat32 } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { sharedZeros, shareMatrix } from '#src/core/shared-memory.ts';
import type { Executor } from '#src/engine/executor.ts';
import { PassTimings } from '#src/engine/executor.ts';
import type { Pass } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import { sliceOf, splitSide, subsampleOf } from '#src/engine/source/views.ts';
import type { WaitRequest } from '#src/engine/workers/protocol.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { correlatePass } from '#src/passes/correlate.ts';
import { encodePass } from '#src/passes/encode.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { deadlyPass, slowPass } from '../../contracts/odd-pass.mjs';
import { byMessages } from '../../helpers/by-messages.ts';
import { bits } from '../../helpers/bytes.ts';
import { DIST, start } from '../../helpers/run.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { testSeed } from '../../helpers/seed.ts';
import { bitsByRecursion } from '../../helpers/sum-tree.ts';

const random = createRandom(testSeed(41), 'transports');
const [ROWS, COLS, CHUNKS] = [6011, 31, 19];
const matrix = normalMatrix(ROWS, COLS, random);
const atoms = normalMatrix(COLS, COLS, random);
const conditioning = { offset: normalMatrix(1, COLS, random).data, scale: 0.7 };
const mask = { kind: 'mask', thresholds: new Float64Array(COLS).fill(1.1), meanNorm: 3 } as const;

/** With chunks of its own, the last one shorter: so there are several. */
const inChunks = (source: Source, chunks = CHUNKS): Source => {
  const size = Math.ceil(source.rows / chunks);
  const ranges = Array.from({ length: chunks }, (_, k) => ({
    start: Math.min(source.rows, k * size),
    end: Math.min(source.rows, (k + 1) * size),
  }));
  return { ...source, ranges: ranges.filter(({ start, end }) => end > start) };
};
const sharedMatrix = shareMatrix(matrix);
const shared = inChunks(memorySource(sharedMatrix));
const large = inChunks(memorySource(normalMatrix(9000, COLS, random))); // too large to be carried, not shared
const sources: [string, Source][] = [
  ['shared', shared],
  ['shared float32', inChunks(memorySource(shareMatrix(toFloat32(matrix))))],
  ['a subsample of shared memory', inChunks(subsampleOf(memorySource(sharedMatrix), 4001))],
  [
    'a slice of a subsample of shared memory',
    inChunks(sliceOf(subsampleOf(memorySource(sharedMatrix), 5000), 17, 4321)),
  ],
  [
    'samples held out of shared memory',
    inChunks(splitSide(memorySource(sharedMatrix), { held: 900, side: 'learned' })),
  ],
  ['a little memory that is not shared', inChunks(memorySource(rowRange(matrix, 0, 500)), 7)],
  ['many little chunks that are not shared', inChunks(memorySource(rowRange(matrix, 0, 300)), 300)],
  ['much memory that is not shared', large],
];

// biome-ignore lint/suspicious/noExplicitAny: passes with parameters of different types in one table
const passes: [pass: Pass<any, any>, params: object][] = [
  [surveyPass, { moments: true }],
  [correlatePass, { atoms, conditioning, response: { kind: 'power', norm: 4 }, precision: 'f32' }],
  [correlatePass, { atoms, conditioning, response: mask, precision: 'f64', gram: true, countRows: 3 }],
  [encodePass, { transform: { kind: 'dense', encoder: atoms }, conditioning, selection: { keep: 3 } }],
];

const survey = surveyPass as Pass<unknown, unknown>;
/** Counts the chunks of the caller and those of threads. */
const counters = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

const scratch = scratchDirectory();
const executors: Executor[] = [];
async function warmExecutor(threads: number, transport: 'shared memory' | 'messages'): Promise<Executor> {
  const create = () => createNodeExecutor({ threads });
  const executor = await (transport === 'messages' ? byMessages(create) : create());
  executors.push(executor);
  await executor.warm?.();
  return executor;
}
const warmed = new Map<string, Promise<Executor>>();
/** One for all tests that leave its threads usable. */
function commonExecutor(threads: number, transport: 'shared memory' | 'messages'): Promise<Executor> {
  const key = `${threads} ${transport}`;
  if (!warmed.has(key)) warmed.set(key, warmExecutor(threads, transport));
  return warmed.get(key)!;
}
afterAll(async () => {
  for (const executor of executors) await executor.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets the caller share every pass, however brief. */
const neverBrief = () => vi.spyOn(PassTimings.prototype, 'estimate').mockReturnValue(undefined);

/** Counts the messages to and from threads from now on. */
function countMessages(): () => number {
  const sent = vi.spyOn(Worker.prototype, 'postMessage');
  const received = vi.spyOn(Worker.prototype, 'emit');
  return () => sent.mock.calls.length + received.mock.calls.filter(([event]) => event === 'message').length;
}

const expectRight = async (executor: Executor, pass: Pass<unknown, unknown>, params: object, source: Source) => {
  const sum = bits(await executor.sum(pass, params, source));
  expect(sum === (await bitsByRecursion(pass, params, source, executor.kernels)), pass.name).toBe(true);
};

describe.each(['shared memory', 'messages'] as const)('through %s', (transport) => {
  beforeEach(() => {
    neverBrief();
  });

  it.each([1, 2, 3, 5])('%d threads give the same bits, from every source and again', async (threads) => {
    const executor = await commonExecutor(threads, transport);
    for (let round = 0; round < 2; round++) {
      for (const [, source] of sources) {
        for (const [pass, params] of passes) await expectRight(executor, pass, params, source);
      }
    }
  });

  it('many passes at once give the same bits', async () => {
    const executor = await commonExecutor(3, transport);
    const jobs = passes.flatMap(([pass, params]) => sources.map(([, source]) => [pass, params, source] as const));
    await Promise.all(jobs.map(([pass, params, source]) => expectRight(executor, pass, params, source)));
  });

  it('an abort in the middle leaves chunks undone, and the threads usable', async () => {
    const executor = await commonExecutor(2, transport);
    for (const delay of [0, 5, 20, 60]) {
      const seen = counters();
      const controller = new AbortController();
      const reason = new Error('enough');
      const sum = executor.sum(slowPass, { milliseconds: 20, seen }, shared, controller.signal);
      setTimeout(() => controller.abort(reason), delay);
      await expect(sum).rejects.toBe(reason);
      expect(seen[0] + seen[1]).toBeLessThan(CHUNKS);
      await expectRight(executor, survey, { moments: true }, shared);
    }
  });

  it('a chunk that fails in a thread rejects the pass, and leaves the threads usable', async () => {
    const executor = await commonExecutor(2, transport);
    for (let k = 0; k < 3; k++) {
      const failing = executor.sum(deadlyPass, { how: 'fails', seen: counters() }, shared);
      await expect(failing).rejects.toThrow('not in a thread');
      await expectRight(executor, survey, { moments: true }, shared);
    }
  });

  it('a thread that dies in a pass rejects it, those under way, and all that follow', async () => {
    const executor = await warmExecutor(2, transport);
    const sums = [
      executor.sum(deadlyPass, { how: 'ends', seen: counters() }, shared),
      executor.sum(slowPass, { milliseconds: 1, seen: counters() }, shared),
      executor.sum(surveyPass, { moments: true }, large),
    ];
    for (const { status, ...rest } of await Promise.allSettled(sums)) {
      expect([status, String((rest as { reason: Error }).reason)]).toEqual([
        'rejected',
        'Error: executor: a thread ended by itself, with code 7.',
      ]);
    }
    await expect(executor.sum(surveyPass, { moments: true }, shared)).rejects.toThrow('ended by itself');
  });

  it('the event loop gets its turns during a pass', async () => {
    const executor = await commonExecutor(2, transport);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await executor.sum(slowPass, { milliseconds: 15, seen: counters() }, shared);
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(2); // at least 140 ms
  });
});

describe('through shared memory', () => {
  it('there are no messages once the threads know a pass and its samples', async () => {
    neverBrief();
    const executor = await warmExecutor(3, 'shared memory');
    const all = passes.slice(0, 3);
    const kept = sources.slice(0, 5);
    const sums = async () => {
      const turned = normalMatrix(COLS, COLS, random);
      for (const [pass, params] of all) {
        for (const [, source] of kept) await executor.sum(pass, { ...params, atoms: turned }, source);
      }
    };
    const messages = countMessages();
    const counts: number[] = [];
    // on a busy machine one more thread joins late and gets the passes then
    while (counts.length < 10 && counts.at(-1) !== 0) {
      const before = messages();
      for (let round = 0; round < 5; round++) await sums();
      counts.push(messages() - before);
    }
    expect(counts.at(-1)).toBe(0);
    expect(counts.length).toBeLessThanOrEqual(4);
  });

  it('threads forget the samples of earlier passes', async () => {
    neverBrief();
    const executor = await warmExecutor(2, 'shared memory');
    const sent = vi.spyOn(Worker.prototype, 'postMessage');
    const [size, runs] = [1 << 22, 100];
    for (let run = 0; run < runs; run++) {
      const samples = sharedZeros(Math.ceil(size / 80), 10, 'f64');
      await executor.sum(surveyPass, { moments: false }, inChunks(memorySource(samples)));
    }
    const requests = sent.mock.calls.flatMap(([message]) => ('control' in message ? [message as WaitRequest] : []));
    const count = (list: 'buffers' | 'forget') => requests.reduce((sum, message) => sum + message[list].length, 0);
    expect(count('buffers')).toBeGreaterThanOrEqual(runs);
    expect(count('buffers') - count('forget')).toBeLessThanOrEqual(17); // the last one, and 64 MB of earlier ones
  });

  it('the caller and its threads share a pass', async () => {
    const executor = await warmExecutor(2, 'shared memory');
    const seen = counters();
    const { rows } = await executor.sum(slowPass, { milliseconds: 1, seen, together: true }, shared);
    expect(rows).toBe(ROWS);
    expect(seen[0] + seen[1]).toBe(CHUNKS);
    expect(Math.min(...seen)).toBeGreaterThan(0);
  });

  it('the caller does a brief pass alone', async () => {
    const executor = await warmExecutor(2, 'shared memory');
    const few = inChunks(sliceOf(memorySource(sharedMatrix), 0, 200), 4);
    for (let k = 0; k < 8; k++) await executor.sum(slowPass, { milliseconds: 0, seen: counters() }, few);
    const seen = counters();
    await executor.sum(slowPass, { milliseconds: 0, seen }, few);
    expect(seen[0]).toBe(4);
  });

  it('the caller keeps out of passes whose chunks take long, when there is a thread in its place', async () => {
    const executor = await warmExecutor(2, 'shared memory');
    const few = inChunks(memorySource(sharedMatrix), 4);
    let own = 4;
    for (let k = 0; k < 100 && own > 0; k++) {
      const seen = counters();
      await executor.sum(slowPass, { milliseconds: 40, seen }, few);
      expect(seen[0] + seen[1]).toBe(4);
      own = seen[0];
    }
    expect(own).toBe(0);
    for (let k = 0; k < 4; k++) await executor.sum(slowPass, { milliseconds: 1, seen: counters() }, few);
    const seen = counters();
    await executor.sum(slowPass, { milliseconds: 1, seen, together: true }, few);
    expect(seen[0]).toBeGreaterThan(0);
  });

  it('a pass inside the loop over another one does not wait for its end', async () => {
    const executor = await warmExecutor(2, 'shared memory');
    const params = { transform: { kind: 'dense', encoder: atoms }, conditioning, selection: {} } as const;
    let parts = 0;
    for await (const part of executor.map(encodePass, params, shared)) {
      parts += part.rows;
      await expectRight(executor, survey, { moments: true }, shared);
    }
    expect(parts).toBe(ROWS);
  });

  it('passes take turns between the two ways', async () => {
    const executor = await warmExecutor(3, 'shared memory');
    for (let k = 0; k < 40; k++) {
      const [pass, params] = passes[random.integer(passes.length)];
      const [, source] = sources[random.integer(sources.length)];
      const controller = new AbortController();
      if (k % 5 === 4) setTimeout(() => controller.abort(new Error('enough')), random.integer(4));
      const sum = executor.sum(pass, params, source, controller.signal);
      if (k % 3 === 0) await sum.catch(() => {});
      else void sum.catch(() => {});
      await expectRight(executor, pass, params, source);
    }
  });
});

/** Runs a script on the build, to the end of its process. */
async function runScript(name: string, text: string) {
  const script = scratch.file(`${name}.mjs`);
  const url = (path: string) => JSON.stringify(pathToFileURL(`${DIST}${path}`).href);
  writeFileSync(
    script,
    `import { createNodeExecutor } from ${url('node/threads/threads.js')};
     import { surveyPass } from ${url('passes/survey.js')};
     import { memorySource } from ${url('engine/source/memory.js')};
     const shared = (rows) => new Float64Array(new SharedArrayBuffer(rows * 80)).fill(1);
     const survey = async (executor, rows) =>
       (await executor.sum(surveyPass, { moments: true }, memorySource({ rows, cols: 10, data: shared(rows) }))).samples;
     ${text}`,
  );
  const { code, stdout, stderr } = await start(script, []).finished;
  return [code, stdout, stderr];
}

describe('a process', () => {
  const warm = 'const executor = await createNodeExecutor({ threads: 3 }); await executor.warm();';

  it('waits for a pass through shared memory, and ends although threads wait for the next', async () => {
    const text = `${warm} survey(executor, 2_000_000).then(() => survey(executor, 1_000_000)).then(console.log);`;
    expect(await runScript('waits', text)).toEqual([0, '1000000\n', '']);
  });

  it('ends while threads start that nobody needs', async () => {
    const text = 'const executor = await createNodeExecutor({ threads: 3 }); void executor.warm(); console.log(1);';
    expect(await runScript('starts', text)).toEqual([0, '1\n', '']);
  });
});
