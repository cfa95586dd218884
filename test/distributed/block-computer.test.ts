/** A worker trusts nothing that comes from the queue: jobs are checked, and only passes of the package run. */
import { createHash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { identity } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { BlockComputer } from '#src/distributed/block-computer.ts';
import { keysOf } from '#src/distributed/protocol.ts';
import { fromBytes, toBytes, toText } from '#src/distributed/wire.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { MOST_NORM } from '#src/learn/powers.ts';
import { openSource, writeArray } from '#src/node/index.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { bits } from '../helpers/bytes.ts';
import { scratchDirectory } from '../helpers/scratch.ts';

const scratch = scratchDirectory();
const executor = inlineExecutor(referenceKernels);
const hash = 'a'.repeat(64);
const keys = keysOf('q');
/** What Redis holds. */
const stored = new Map<string, Buffer>([
  [keys.run('run'), Buffer.from('1')],
  [keys.value(hash), Buffer.from(toBytes({ moments: true }, 'it', 1000))],
]);
const redis = {
  exists: async (key: string) => Number(stored.has(key)),
  getBuffer: async (key: string) => stored.get(key) ?? null,
  set: async (key: string, value: Buffer) => void stored.set(key, value),
};
const blocks = new BlockComputer(executor, redis as never, 'q');
const matrix = normalMatrix(9000, 4, createRandom(1, 'blocks'));
let job: Record<string, unknown>;
let source: Record<string, unknown>;
/** Stores a value; returns its hash. */
const store = (bytes: Uint8Array): string => {
  const name = createHash('sha256').update(bytes).digest('hex');
  stored.set(keys.value(name), Buffer.from(bytes));
  return name;
};
const storeSource = (changes: object = {}): string => store(toText({ ...source, ...changes }, 'it', 10_000));
const storeParams = (params: unknown): string => store(toBytes(params, 'it', 10_000));
/** Parameters of `correlate`. */
const correlate = (changes: object = {}) => ({
  pass: 'correlate',
  params: storeParams({
    atoms: identity(4),
    conditioning: { scale: 1 },
    response: { kind: 'power', norm: 4 },
    precision: 'f64',
    ...changes,
  }),
});

beforeAll(async () => {
  await writeArray(scratch.file('data.npy'), matrix);
  const opened = await openSource(scratch.file('data.npy'), { memoryLimit: 0 });
  const { locator, rows, cols, precision } = opened;
  await opened.close?.();
  source = { locator, rows, cols, precision, ranges: [0, 4000, 4000, 8000, 8000, 9000] };
  job = {
    run: 'run',
    pass: 'survey',
    params: hash,
    mode: 'sum',
    source: storeSource(),
    block: { first: 0, count: 2, level: 1 },
    result: 'run-0',
  };
});

it('computes the node of the tree that it was asked for', async () => {
  expect(await blocks.compute(job)).toMatchObject({ bytes: expect.any(Number) });
  const found = fromBytes(stored.get(keys.result('run-0'))!);
  const opened = await openSource(scratch.file('data.npy'));
  const chunks = [0, 4000, 8000].map((start) => ({ start, end: Math.min(start + 4000, 9000) }));
  const whole = { ...opened, ranges: chunks };
  const expected = await executor.sum(surveyPass, { moments: true }, whole, undefined, {
    first: 0,
    count: 2,
    level: 1,
  });
  expect(bits(found)).toBe(bits(expected));
});

it('opens views of a file, and a file whose name does not say its format', async () => {
  await copyFile(scratch.file('data.npy'), scratch.file('data.bin'));
  const { locator, ...rest } = await openSource(scratch.file('data.bin'), { memoryLimit: 0, table: { format: 'npy' } });
  await rest.close?.();
  const slice = { kind: 'slice', of: locator, start: 100, end: 8000 };
  const subsample = { kind: 'subsample', of: slice, rows: 6000, turn: 2 };
  const held = { kind: 'split', of: subsample, held: 500, side: 'held' };
  const block = { first: 0, count: 1, level: 0 };
  for (const [rows, view] of [
    [9000, locator],
    [7900, slice],
    [6000, subsample],
    [500, held],
  ] as const) {
    await blocks.compute({ ...job, source: storeSource({ locator: view, rows, ranges: [0, rows] }), block });
    expect(fromBytes(stored.get(keys.result('run-0'))!)).toMatchObject({ samples: rows });
  }
});

it('leaves out the jobs of a driver that is gone', async () => {
  expect(await blocks.compute({ ...job, run: 'other' })).toBeNull();
});

it.each<[string, (good: typeof job) => unknown, string]>([
  ['nothing', () => undefined, 'a job is damaged'],
  ['a pass from elsewhere', (good) => ({ ...good, pass: 'file:///tmp/evil.mjs' }), 'is not one of this package'],
  ['more than it knows', (good) => ({ ...good, module: 'evil' }), 'a job is damaged (module)'],
  ['a key of its own', (good) => ({ ...good, result: '../x' }), 'a job is damaged (result)'],
  [
    'another kind of source',
    (good) => ({ ...good, source: storeSource({ locator: { kind: 'memory' } }) }),
    'a source is damaged (locator.kind)',
  ],
  ['another shape', (good) => ({ ...good, source: storeSource({ cols: 5 }) }), 'samples must be 9000×5 f64'],
  ['a block too many', (good) => ({ ...good, block: { first: 2, count: 2, level: 1 } }), 'not a node of the tree'],
  ['a block that is not aligned', (good) => ({ ...good, block: { first: 1, count: 2, level: 1 } }), 'not a node'],
  ['to write nowhere', (good) => ({ ...good, mode: 'write' }), 'a job is damaged (target)'],
  [
    'to write by a mark that no run makes',
    (good) => ({ ...good, mode: 'write', target: { folder: scratch.path, mark: 'bashrc', name: 'x' } }),
    'a job is damaged (target.mark)',
  ],
  [
    'to write where no run is',
    (good) => ({
      ...good,
      mode: 'write',
      target: { folder: scratch.path, mark: `run-${'0'.repeat(36)}`, name: 'x' },
    }),
    'is not the folder of this run',
  ],
  [
    'a norm that takes for ever',
    (good) => ({ ...good, ...correlate({ response: { kind: 'power', norm: 1e9 } }) }),
    'cluster: response.norm in the parameters of correlate must be a whole number from 1 to 64; got 1000000000.',
  ],
  [
    'a norm that is none',
    (good) => ({ ...good, ...correlate({ response: { kind: 'power', norm: 'four' } }) }),
    'must be a whole number from 1 to 64; got string.',
  ],
  ['half a row', (good) => ({ ...good, ...correlate({ countRows: 0.5 }) }), 'countRows in the parameters'],
  [
    'a matrix smaller than it says',
    (good) => ({ ...good, ...correlate({ atoms: { ...identity(4), rows: 1e6 } }) }),
    'cluster: the parameters of correlate are damaged (atoms).',
  ],
  [
    'no parameters',
    (good) => ({ ...good, pass: 'correlate', params: storeParams({}) }),
    'a job of correlate is damaged',
  ],
  ['parameters that are gone', (good) => ({ ...good, params: 'b'.repeat(64) }), 'no longer there'],
])('refuses %s', async (_, change, message) => {
  await expect(blocks.compute(change(job))).rejects.toThrow(message);
});

it('computes with the largest norm that the option of learn has', async () => {
  const params = correlate({ response: { kind: 'power', norm: MOST_NORM } });
  expect(await blocks.compute({ ...job, ...params })).toMatchObject({ bytes: expect.any(Number) });
});

it('refuses a file that is not the one that the driver saw', async () => {
  const locator = { ...(source.locator as object), stamp: '1' };
  const changed = blocks.compute({ ...job, source: storeSource({ locator }) });
  await expect(changed).rejects.toThrow(InputError);
  await expect(changed).rejects.toThrow(/changed/);
});
