/** What a model file holds is checked before anything is built of it; every refusal names the file and the array. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { identity } from '#src/core/matrix.ts';
import type { ArrayInput } from '#src/io/arrays.ts';
import { npyHeaderBytes } from '#src/io/codecs/npy/header.ts';
import { learn } from '#src/learn/learn.ts';
import { StreamLearner } from '#src/learn/stream/stream-learner.ts';
import { writeArrays } from '#src/node/io/arrays.ts';
import { loadModel, saveModel } from '#src/node/io/model-file.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { scratchFiles } from '../../helpers/files.ts';
import { zipOf } from '../../helpers/zip.ts';

const { inDirectory, put, refusal } = scratchFiles();

const vector = (...values: number[]) => ({ shape: [values.length], data: Float64Array.from(values) });
const matrix = (rows: number, cols: number, value = 1) => ({
  rows,
  cols,
  data: new Float64Array(rows * cols).fill(value),
});
const atoms = identity(3);
const rotations = { rows: 1, cols: 4, data: Float64Array.of(0, 1, 0.6, 0.8) };

async function load(arrays: Record<string, ArrayInput>) {
  await writeArrays(inDirectory('m.npz'), arrays);
  return loadModel(inDirectory('m.npz'));
}

describe('a model is refused', () => {
  it.each<[string, Record<string, ArrayInput>, string]>([
    [
      'without atoms',
      { codes: atoms },
      'm.npz: a model must have the array "atoms", "reflectors" or "rotations"; got codes.',
    ],
    ['with no atoms', { atoms: matrix(0, 3) }, 'm.npz: atoms must be at least one; got 0 × 3.'],
    ['with atoms of no features', { atoms: matrix(3, 0) }, 'm.npz: atoms must be at least one; got 3 × 0.'],
    ['with a vector of atoms', { atoms: vector(1, 2) }, 'm.npz:atoms must be a matrix of numbers; got <f8 (1-d, 2).'],
    ['with text for atoms', { atoms: 'none' }, 'm.npz:atoms must be a matrix of numbers; got <U4 (0-d).'],
    ['with NaN', { atoms: matrix(2, 2, Number.NaN) }, 'm.npz:atoms must be finite; got NaN at row 0, column 0.'],
    [
      'with another encoder',
      { atoms, encoder: matrix(2, 3) },
      'm.npz:encoder must be of shape 3 × 3, like atoms; got 2 × 3.',
    ],
    [
      'with a wider encoder',
      { atoms, encoder: matrix(3, 4) },
      'm.npz:encoder must be of shape 3 × 3, like atoms; got 3 × 4.',
    ],
    ['with a longer mean', { atoms, mean: vector(1, 2, 3, 4) }, 'm.npz:mean must be of shape 3, like atoms; got 4.'],
    ['with an infinite mean', { atoms, mean: vector(1, Infinity, 3) }, 'm.npz:mean must be finite; got Infinity at 1.'],
    ['with a matrix for a mean', { atoms, mean: atoms }, 'm.npz:mean must be a vector of numbers; got <f8 (3 × 3).'],
    ['with three limits', { atoms, pursuit: vector(1, 0, 0) }, 'm.npz:pursuit must be of shape 2; got 3.'],
    [
      'with half an atom',
      { atoms, pursuit: vector(1.5, 0) },
      'm.npz: pursuit must be the most atoms a sample may use, and the residual to reach; got 1.5 and 0.',
    ],
    [
      'with NaN for a limit',
      { atoms, pursuit: vector(1, Number.NaN) },
      'm.npz: pursuit must be the most atoms a sample may use, and the residual to reach; got 1 and NaN.',
    ],
    [
      'with long reflectors',
      { reflectors: matrix(1, 3) },
      'm.npz: dictionary: reflectors must be rows of length 1; got 1.7320508075688772 in row 0.',
    ],
    [
      'with atoms of other features',
      { reflectors: matrix(1, 1), atoms },
      'm.npz:atoms must be of shape 3 × 1, like reflectors; got 3 × 3.',
    ],
    [
      'with rotations alone',
      { rotations },
      'm.npz: a model of rotations must have the arrays "order" and "signs" too.',
    ],
    [
      'with rotations of five',
      { rotations: matrix(1, 5), order: vector(0), signs: vector(1) },
      'm.npz:rotations must be of shape 1 × 4; got 1 × 5.',
    ],
    [
      'with fewer signs',
      { rotations, order: vector(0, 1), signs: vector(1) },
      'm.npz:signs must be of shape 2, like order; got 1.',
    ],
    [
      'with an order that is none',
      { rotations, order: vector(0, 0), signs: vector(1, 1) },
      'm.npz: dictionary: order must be a permutation of 0 to 1; got 0 at 1.',
    ],
    ['with numbers for meta', { atoms, meta: vector(1) }, 'm.npz:meta must be one text; got <f8 (1-d, 1).'],
    ['with a list for meta', { atoms, meta: '[]' }, 'm.npz:meta must describe a model; got a list.'],
    [
      'with other kinds in meta',
      { atoms, meta: '{"method": 3}' },
      'm.npz:meta must describe a model; got Invalid type: Expected string but received 3.',
    ],
    ['with text that is no JSON', { atoms, meta: '{' }, 'm.npz:meta must be JSON text; got something else.'],
    [
      'with a prototype',
      { atoms, meta: '{"options": {"__proto__": {"seed": 1}}}' },
      'm.npz:meta must not have a key "__proto__".',
    ],
    [
      'with JSON of great depth',
      { atoms, meta: `{"a": ${'['.repeat(1e5)}${']'.repeat(1e5)}}` },
      'm.npz:meta must be nested at most 32 deep; got more.',
    ],
    ['of a later format', { atoms, meta: '{"format": 9}' }, 'm.npz: the model must be of format 1 or older; got 9.'],
  ])('%s', async (_, arrays, message) => {
    expect(await refusal(load(arrays))).toBe(message);
  });

  it('with an empty array for meta', async () => {
    const members = {
      'atoms.npy': [npyHeaderBytes('<f8', [1, 1]), Buffer.from(Float64Array.of(1).buffer)],
      'meta.npy': [npyHeaderBytes('<U4', [0])],
    };
    const zip = zipOf(Object.entries(members).map(([name, parts]) => ({ name, content: Buffer.concat(parts) })));
    expect(await refusal(loadModel(put('e.npz', zip)))).toBe('e.npz:meta must be one text; got <U4 (1-d, 0).');
  });
});

describe('a model is saved', () => {
  it('from the whole result of learn, as from its dictionary and what is known of it', async () => {
    const { samples } = generate({ samples: 600, features: 6, theta: 0.3, seed: 1 });
    const result = await learn(samples);
    await saveModel(inDirectory('whole.npz'), result);
    await saveModel(inDirectory('parts.npz'), { dictionary: result.dictionary, meta: result.meta });
    expect(readFileSync(inDirectory('whole.npz'))).toEqual(readFileSync(inDirectory('parts.npz')));
  });

  it('from nothing else, in one sentence', async () => {
    const mustBe = 'saveModel: model must be a model {dictionary, meta}, or what learn returned';
    for (const wrong of [new StreamLearner({}), { dictionary: {} }, { dictionary: { transform: {} } }, identity(3)]) {
      expect(await refusal(saveModel(inDirectory('never.npz'), wrong as never))).toContain(mustBe);
    }
    expect(existsSync(inDirectory('never.npz'))).toBe(false);
  });
});

describe('a model is read', () => {
  it('with arrays that belong to something else', async () => {
    const { dictionary, meta } = await load({
      atoms,
      order: vector(7),
      extra: 'text',
      meta: '{"method": "msp", "note": [1]}',
    });
    expect([dictionary.components, dictionary.features]).toEqual([3, 3]);
    expect(meta).toEqual({ format: 1, options: {}, method: 'msp', note: [1], precision: 'f64' });
  });

  it('without touching arrays it does not know', async () => {
    const bomb = Buffer.concat([npyHeaderBytes('|u1', [4e8]), Buffer.alloc(1e6)]); // declares more than it holds
    const zip = zipOf([
      {
        name: 'atoms.npy',
        content: Buffer.concat([npyHeaderBytes('<f8', [1, 1]), Buffer.from(Float64Array.of(1).buffer)]),
      },
      { name: 'bomb.npy', content: bomb, deflated: true },
    ]);
    expect((await loadModel(put('b.npz', zip))).dictionary.components).toBe(1);
  });
});
