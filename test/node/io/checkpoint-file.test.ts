/** A checkpoint is read from its file as it was saved, whatever its numbers; a file with any other content is refused. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Checkpoint } from '#src/engine/checkpoint.ts';
import type { ArrayInput } from '#src/io/arrays.ts';
import { readArrays, writeArrays } from '#src/node/io/arrays.ts';
import { fileCheckpoint, type PackedArray, requireOwnCheckpoint, withChecksum } from '#src/node/io/checkpoint-file.ts';
import { bits } from '../../helpers/bytes.ts';
import { scratchFiles } from '../../helpers/files.ts';

const { inDirectory, put, refusal } = scratchFiles();
const path = inDirectory('run.checkpoint');

const state = {
  count: 3,
  flag: true,
  vector: Float64Array.of(1, -0),
  atoms: { rows: 2, cols: 3, data: Float64Array.of(1, 2, 3, 4, 5, 6) },
};
const current = {
  solver: 'msp',
  iteration: 4,
  effort: 10,
  looped: 2,
  seconds: 1.5,
  recentObjectives: [1, Number.NaN, Number.NEGATIVE_INFINITY],
  recentChanges: [0.1, -0],
  state,
};
const finished = {
  ...current,
  status: 'converged',
  code: 'change',
  reason: 'change',
  budgets: { maxIterations: 5 },
} as const;
const identity = { data: 'hash', backend: 'wasm', options: { norm: 4, names: ['a'] } };
const checkpoint: Checkpoint = { identity, finished: [finished, { ...finished, state: {} }], current };

describe('a file', () => {
  it('gives back what was saved last, and nothing before', async () => {
    const store = fileCheckpoint(inDirectory('again.checkpoint'), 7);
    expect(store).toMatchObject({ name: inDirectory('again.checkpoint'), interval: 7 });
    expect(fileCheckpoint(path).interval).toBe(10);
    expect(await store.load()).toBeUndefined();
    for (const each of [checkpoint, { identity, finished: [] }, { ...checkpoint, finished: [] }]) {
      await store.save(each);
      const found = (await store.load())!;
      expect(bits(found)).toBe(bits({ current: undefined, ...each }));
    }
  });

  it('keeps every number and every name', async () => {
    const store = fileCheckpoint(path);
    const values = fc.oneof(fc.double(), fc.boolean(), fc.float64Array());
    const names = fc.stringMatching(/^[a-zA-Z][\w]*$/).filter((name) => !/^(state|solver)$/.test(name));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, values, { noNullPrototype: true }),
        fc.array(fc.double()),
        async (own, list) => {
          const saved = { identity, finished: [], current: { ...current, recentChanges: list, state: own } };
          await store.save(saved as never);
          const found = (await store.load())!.current!;
          expect(bits(found)).toBe(bits(saved.current));
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('is refused', () => {
  const advice = 'Delete it, or run without resuming.';
  const meta = (fields: object) => JSON.stringify({ checkpoint: 6, identity, finished: [], ...fields });
  const vector = { shape: [2], data: Float64Array.of(1, 2) };
  const load = async (arrays: Record<string, ArrayInput>) => {
    await writeArrays(path, arrays);
    return refusal(fileCheckpoint(path).load());
  };

  it.each<[string, Record<string, PackedArray>, string]>([
    ['without meta', { vector }, 'a file without meta.'],
    ['with numbers for meta', { meta: vector }, 'a file without meta.'],
    ['with meta that is no JSON', { meta: '{' }, 'a file of another kind.'],
    ['with a list for meta', { meta: '5' }, 'a file of another kind.'],
    ['without a version', { meta: '{"identity": {}}' }, 'a file of another kind.'],
    ['of another version', { meta: meta({ checkpoint: 5 }) }, `one of another version of orthodict. ${advice}`],
    [
      'with arrays of a loop that is not in it',
      { meta: meta({}), 'current.vector': vector },
      `one that is damaged: it has arrays of current, which is not in it. ${advice}`,
    ],
    [
      'with arrays of a finished loop too many',
      { meta: meta({ finished: [{ state: {} }] }), 'finished.0.v': vector, 'finished.1.v': vector },
      `one that is damaged: it has arrays of finished.1, which is not in it. ${advice}`,
    ],
    [
      'with a value twice',
      { meta: meta({ current: { state: { vector: 1 } } }), 'current.vector': vector },
      `one that is damaged: current.vector. ${advice}`,
    ],
    [
      'with a cube',
      { meta: meta({ current: {} }), 'current.cube': { shape: [1, 1, 2], data: vector.data } },
      `one that is damaged: current.cube is no float64 vector or matrix. ${advice}`,
    ],
    [
      'with a single number as an array',
      { meta: meta({ current: {} }), 'current.one': { shape: [], data: Float64Array.of(1) } },
      `one that is damaged: current.one is no float64 vector or matrix. ${advice}`,
    ],
    [
      'with text in a state',
      { meta: meta({ current: {} }), 'current.text': 'words' },
      `one that is damaged: current.text is no float64 vector or matrix. ${advice}`,
    ],
  ])('one %s', async (_, arrays, words) => {
    expect(await load(withChecksum(arrays))).toBe(`run.checkpoint: must be a checkpoint of orthodict; got ${words}`);
  });

  it('one with an array of another precision', async () => {
    const single = { shape: [2], data: Float32Array.of(1, 2) };
    expect(await load({ meta: meta({ current: {} }), 'current.v': single })).toContain(
      'one that is damaged: current.v is no float64 array.',
    );
  });

  it('one of which anything has changed: a number, a shape, a name, the text', async () => {
    const good: Record<string, PackedArray> = { meta: meta({ current: { state: {} } }), 'current.v': vector };
    const { checksum } = withChecksum(good);
    for (const change of [
      { 'current.v': { shape: [2], data: Float64Array.of(1, 2 + 2 ** -51) } },
      { 'current.v': { shape: [1, 2], data: vector.data } },
      { meta: `${good.meta} ` },
      { meta: (good.meta as string).replace('hash', 'cash') }, // of the same length
      { 'current.w': vector },
    ]) {
      expect(await load({ ...good, ...change, checksum })).toContain('its checksum is wrong.');
    }
    await writeArrays(path, { checksum, ...good }); // in any order
    expect(await fileCheckpoint(path).load()).toMatchObject({ current: { state: { v: vector.data } } });
  });
});

it('takes no text for a number but what it writes itself', async () => {
  const odd = ['', ' 5', '1e3', '0x10', '5.0', '+1', 'nan', 'five'];
  const scalars = Object.fromEntries(odd.map((text, k) => [`s${k}`, { number: text }]));
  const loop = {
    recentObjectives: ['5', ...odd],
    recentChanges: 'none',
    state: { ...scalars, right: { number: '-0' } },
  };
  await writeArrays(
    path,
    withChecksum({ meta: JSON.stringify({ checkpoint: 6, identity, finished: [], current: loop }) }),
  );
  expect((await fileCheckpoint(path).load())!.current).toEqual({
    recentObjectives: [5, ...odd],
    recentChanges: 'none',
    state: { ...scalars, right: -0 },
  });
});

describe('a file that is to be replaced', () => {
  it('may be new, empty or a checkpoint, of any version', async () => {
    await requireOwnCheckpoint('learn', inDirectory('nothing'));
    await requireOwnCheckpoint('learn', put('empty', ''));
    await fileCheckpoint(inDirectory('own.npz')).save(checkpoint);
    await requireOwnCheckpoint('learn', inDirectory('own.npz'));
    await writeArrays(inDirectory('older.npz'), { meta: '{"checkpoint": 1}' });
    await requireOwnCheckpoint('learn', inDirectory('older.npz'));
  });

  it.each<[string, Record<string, ArrayInput> | string]>([
    ['words', 'years of work'],
    ['a model', { atoms: { shape: [1], data: Float64Array.of(1) }, meta: '{"format": 1}' }],
    ['arrays', { atoms: { shape: [1], data: Float64Array.of(1) } }],
    ['numbers for meta', { meta: { shape: [1], data: Float64Array.of(1) } }],
    ['meta that is no object', { meta: '7' }],
    ['meta that is null', { meta: 'null' }],
    ['meta that is no JSON', { meta: '{' }],
  ])('is refused and kept if it holds %s', async (_, content) => {
    const file = inDirectory('mine.npz');
    if (typeof content === 'string') put('mine.npz', content);
    else await writeArrays(file, content);
    const before = readFileSync(file);
    expect(await refusal(requireOwnCheckpoint('learn', file))).toMatch(
      /^learn: --checkpoint must be a new file or a checkpoint of orthodict; got mine\.npz, which is damaged or something else\./,
    );
    expect(readFileSync(file)).toEqual(before);
  });

  it('is an archive that other programs read', async () => {
    await fileCheckpoint(path).save(checkpoint);
    const arrays = await readArrays(path);
    expect([...arrays].map(([name, { dtype, shape }]) => `${name} ${dtype.slice(0, 2)} ${shape.join('×')}`)).toEqual([
      'finished.0.vector <f 2',
      'finished.0.atoms <f 2×3',
      'current.vector <f 2',
      'current.atoms <f 2×3',
      'meta <U ',
      'checksum <U ',
    ]);
  });
});
