/** One suite for every kind of dictionary: encode and decode, selections, precision, files. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { fromRows, identity, type Matrix, type Matrix64, maxDifference, row, transpose } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { dctAtoms } from '#src/dictionaries/dct.ts';
import { denseDictionary } from '#src/dictionaries/dense.ts';
import type { Dictionary } from '#src/dictionaries/dictionary.ts';
import { givensDictionary } from '#src/dictionaries/givens.ts';
import { householderDictionary } from '#src/dictionaries/householder.ts';
import { overcompleteDictionary } from '#src/dictionaries/overcomplete.ts';
import { solve } from '#src/linalg/lu.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { readArrays, writeArrays } from '#src/node/io/arrays.ts';
import { loadModel, saveModel } from '#src/node/io/model-file.ts';
import { expectSameBits } from '../helpers/bytes.ts';
import {
  geometric,
  orthonormalityError,
  product,
  randomReflectors,
  randomRotations,
  withSingularValues,
} from '../helpers/matrices.ts';
import { describeWithNumpy, python } from '../helpers/numpy.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(81);
const scratch = scratchDirectory();
const random = createRandom(seed, 'dictionaries');
const N = 9;
const firstRows = (matrix: Matrix64, count: number): Matrix64 => ({
  rows: count,
  cols: matrix.cols,
  data: matrix.data.slice(0, count * matrix.cols),
});

const orthogonal = randomOrthogonal(N, random);
const completeAtoms = withSingularValues(geometric(N, 20), random);
const inverse = transpose(solve(completeAtoms, identity(N))!);
const mean = normalMatrix(1, N, random).data;
// K < n, not orthogonal: the encoder is the pseudo-inverse, encoder·atomsᵀ = I
const wide = firstRows(completeAtoms, 4);
const pseudoInverse = product(solve(product(wide, transpose(wide)), identity(4))!, wide);

interface Kind {
  readonly make: () => Dictionary;
  /** Spans the whole space: decoding restores every sample. */
  readonly whole: boolean;
  /** Codes have the norm of their sample. */
  readonly orthogonal?: boolean;
  /** Codes are found by a pursuit, not by a matrix. */
  readonly pursuit?: boolean;
}

const many = normalMatrix(14, N, random);
const threeReflectors = randomReflectors(3, N, random);
const twentyRotations = randomRotations(20, N, random);

const kinds: [string, Kind][] = [
  ['orthogonal', { make: () => denseDictionary({ atoms: orthogonal }), whole: true }],
  ['orthogonal, with a mean', { make: () => denseDictionary({ atoms: orthogonal, mean }), whole: true }],
  ['orthonormal, K < n', { make: () => denseDictionary({ atoms: firstRows(orthogonal, 4) }), whole: false }],
  ['complete', { make: () => denseDictionary({ atoms: completeAtoms, encoder: inverse }), whole: true }],
  [
    'complete, with a mean',
    { make: () => denseDictionary({ atoms: completeAtoms, encoder: inverse, mean }), whole: true },
  ],
  [
    'K < n with an encoder',
    { make: () => denseDictionary({ atoms: wide, encoder: pseudoInverse, mean }), whole: false },
  ],
  ...[0, 1, 4, N].map((m): [string, Kind] => {
    const reflectors = randomReflectors(m, N, random);
    return [`${m} reflectors`, { make: () => householderDictionary({ reflectors }), whole: true, orthogonal: true }];
  }),
  [
    'reflectors, with a mean',
    { make: () => householderDictionary({ reflectors: threeReflectors, mean }), whole: true, orthogonal: true },
  ],
  ...[0, 1, 40].map((g): [string, Kind] => {
    const parts = randomRotations(g, N, random);
    return [`${g} rotations`, { make: () => givensDictionary(parts), whole: true, orthogonal: true }];
  }),
  [
    'rotations, with a mean',
    { make: () => givensDictionary({ ...twentyRotations, mean }), whole: true, orthogonal: true },
  ],
  ['overcomplete', { make: () => overcompleteDictionary({ atoms: many, keep: 4 }), whole: false, pursuit: true }],
  [
    'overcomplete, with a mean, by residual',
    { make: () => overcompleteDictionary({ atoms: many, residual: 0.2, mean }), whole: false, pursuit: true },
  ],
  ['a single atom', { make: () => denseDictionary({ atoms: firstRows(orthogonal, 1), mean }), whole: false }],
];

const samples = normalMatrix(30, N, random);
const single = (matrix: Matrix): Matrix => ({ ...matrix, data: Float32Array.from(matrix.data) });
/** Condition 20, a few sums of nine terms. */
const ROUNDING = 1e-12;

it('every kind of dictionary in the library is in the table', async () => {
  const library = await import('#src/index.ts');
  const makers = Object.keys(library).filter((name) => /^(?!update)[a-z]+Dictionary$/.test(name));
  const kindsOf = (some: readonly [string, Kind][]) => new Set(some.map(([, { make }]) => make().transform.kind));
  expect(makers).toEqual(['denseDictionary', 'givensDictionary', 'householderDictionary', 'overcompleteDictionary']);
  expect([...kindsOf(kinds)].sort()).toEqual(['dense', 'pursuit', 'reflectors', 'rotations']);
});

/** A test for only some kinds of dictionaries. */
const itIf = (applies: boolean | undefined) => (applies ? it : (_title: string, _test: () => Promise<void>) => {});

describe.each(kinds)('%s', (_, { make, whole, orthogonal: isometric, pursuit = false }) => {
  const dictionary = make();
  const { components: K, features: n } = dictionary;

  it('has shapes that agree', async () => {
    const shapes = [dictionary.atoms, dictionary.encoder].map(({ rows, cols }) => [rows, cols]);
    expect(shapes).toEqual([
      [K, n],
      [K, n],
    ]);
    const codes = await dictionary.encode(samples);
    expect([codes.rows, codes.cols]).toEqual([30, K]);
    const decoded = await dictionary.decode(codes);
    expect([decoded.rows, decoded.cols]).toEqual([30, n]);
  });

  itIf(pursuit)('uses few atoms, the more the nearer, and for an atom itself that atom alone', async () => {
    const { atoms } = dictionary;
    const shifted = { ...atoms, data: atoms.data.map((a, i) => a + (dictionary.mean?.[i % n] ?? 0)) };
    expect(maxDifference(await dictionary.encode(shifted), identity(K))).toBeLessThan(ROUNDING);
    let last = Number.POSITIVE_INFINITY;
    for (const keep of [1, 2, 5, n]) {
      const codes = await dictionary.encode(samples, { keep });
      for (let j = 0; j < samples.rows; j++) {
        expect(row(codes, j).filter((x) => x !== 0).length).toBeLessThanOrEqual(keep);
      }
      const decoded = await dictionary.decode(codes);
      const error = Math.hypot(...decoded.data.map((y, i) => y - samples.data[i]));
      expect(error).toBeLessThan(last);
      last = error;
    }
    expect(last).toBeLessThan(1e-5); // n atoms span the space
  });

  itIf(!pursuit)('encodes what it decodes, and decodes what it encodes where it spans the space', async () => {
    const codes = normalMatrix(12, K, createRandom(seed, 'codes'));
    expect(maxDifference(await dictionary.encode(await dictionary.decode(codes)), codes)).toBeLessThan(ROUNDING);
    const projected = await dictionary.decode(await dictionary.encode(samples));
    if (whole) expect(maxDifference(projected, samples)).toBeLessThan(ROUNDING);
    else expect(maxDifference(projected, samples)).toBeGreaterThan(0.1);
    // a projection: repeating it changes nothing
    const again = await dictionary.decode(await dictionary.encode(projected));
    expect(maxDifference(again, projected)).toBeLessThan(ROUNDING);
  });

  itIf(!pursuit)('has codes = (y − mean)·encoderᵀ and y = codes·atoms + mean', async () => {
    const centred = { ...samples, data: samples.data.map((y, i) => y - (dictionary.mean?.[i % n] ?? 0)) };
    const codes = product(centred, transpose(dictionary.encoder));
    expect(maxDifference(await dictionary.encode(samples), codes)).toBeLessThan(ROUNDING);
    const decoded = product(codes, dictionary.atoms);
    const expected = { ...decoded, data: decoded.data.map((y, i) => y + (dictionary.mean?.[i % n] ?? 0)) };
    expect(maxDifference(await dictionary.decode(codes), expected)).toBeLessThan(ROUNDING);
  });

  itIf(isometric)('keeps norms, and has atoms that are orthonormal and encoded as unit vectors', async () => {
    const { atoms } = dictionary;
    expect(orthonormalityError(atoms)).toBeLessThan(ROUNDING);
    const centred = { ...samples, data: samples.data.map((y, i) => y - (dictionary.mean?.[i % n] ?? 0)) };
    const codes = await dictionary.encode(samples);
    for (let j = 0; j < samples.rows; j++) {
      expect(Math.hypot(...row(codes, j)) - Math.hypot(...row(centred, j))).toBeCloseTo(0, 12);
    }
    const shifted = { ...atoms, data: atoms.data.map((a, i) => a + (dictionary.mean?.[i % n] ?? 0)) };
    expect(maxDifference(await dictionary.encode(shifted), identity(n))).toBeLessThan(ROUNDING);
  });

  itIf(!pursuit)('keeps the k largest codes, or those above a threshold, and leaves them as they are', async () => {
    const all = await dictionary.encode(samples);
    await fc.assert(
      fc.asyncProperty(fc.nat(K + 2), async (keep) => {
        const kept = await dictionary.encode(samples, { keep });
        for (let j = 0; j < samples.rows; j++) {
          const [full, some] = [row(all, j), row(kept, j)];
          const order = [...full.keys()].sort((a, b) => Math.abs(full[b]) - Math.abs(full[a]) || a - b);
          order.forEach((i, rank) => {
            expect(some[i]).toBe(rank < keep ? full[i] : 0);
          });
        }
      }),
      { numRuns: 6 },
    );
    for (const threshold of [0, 0.5, Math.abs(all.data[0])]) {
      const kept = await dictionary.encode(samples, { threshold });
      expect([...kept.data]).toEqual([...all.data].map((x) => (Math.abs(x) >= threshold ? x : 0)));
    }
  });

  it('keeps float32 float32 and float64 float64', async () => {
    const codes = await dictionary.encode(single(samples));
    expect(codes.data).toBeInstanceOf(Float32Array);
    expect((await dictionary.decode(codes)).data).toBeInstanceOf(Float32Array);
    expect((await dictionary.encode(samples)).data).toBeInstanceOf(Float64Array);
    expect((await dictionary.decode(await dictionary.encode(samples))).data).toBeInstanceOf(Float64Array);
    // condition 20 times a few roundings of float32
    expect(maxDifference(codes, await dictionary.encode(samples))).toBeLessThan(1e-4);
  });

  it('is read back from a file bit for bit, and the same dictionary writes the same bytes', async () => {
    const [a, b] = [scratch.file('a.npz'), scratch.file('b.npz')];
    const meta = { format: 1, method: 'msp', options: { seed: 3 }, status: 'converged', extra: { nested: [1, 'ü'] } };
    await saveModel(a, { dictionary, meta });
    await saveModel(b, { dictionary: make(), meta });
    expect(Buffer.compare(readFileSync(a), readFileSync(b))).toBe(0);
    const loaded = await loadModel(a);
    expect(loaded.meta).toEqual({ ...meta, precision: 'f64' });
    expect(loaded.dictionary.transform).toEqual(dictionary.transform);
    expectSameBits(loaded.dictionary.atoms, dictionary.atoms);
    expectSameBits(loaded.dictionary.encoder, dictionary.encoder);
    expect(loaded.dictionary.mean).toEqual(dictionary.mean);
    expect(loaded.dictionary.encoder === loaded.dictionary.atoms).toBe(dictionary.encoder === dictionary.atoms);
    expectSameBits(await loaded.dictionary.encode(samples), await dictionary.encode(samples));
  });

  it('is read back from a float32 file to float32 precision', async () => {
    const path = scratch.file('single.npz');
    await saveModel(path, { dictionary, meta: { format: 1, options: {} } }, { precision: 'f32' });
    const { atoms, transform } = (await loadModel(path)).dictionary;
    if (transform.kind === 'dense') {
      expectSameBits(atoms, { ...dictionary.atoms, data: dictionary.atoms.data.map(Math.fround) });
    }
    expect(maxDifference(atoms, dictionary.atoms)).toBeLessThan(40 * 2 ** -24); // a rounding for each of 40 factors
    if (isometric) expect(orthonormalityError(atoms)).toBeLessThan(ROUNDING);
  });

  it('refuses samples and codes of another length', async () => {
    const long = normalMatrix(2, n + 1, random);
    await expect(dictionary.encode(long)).rejects.toThrow(
      new InputError(`encode: samples must be of ${n} columns, one per feature of the dictionary; got 2×${n + 1}.`),
    );
    await expect(dictionary.decode(normalMatrix(2, K + 1, random))).rejects.toThrow(
      new InputError(`decode: codes must be of ${K} columns, one per atom of the dictionary; got 2×${K + 1}.`),
    );
    await expect(dictionary.encode(samples, { keep: 1, threshold: 1 })).rejects.toBeInstanceOf(InputError);
  });
});

describe('ties', () => {
  it('are kept in the order of the atoms', async () => {
    const { data } = await denseDictionary({ atoms: identity(4) }).encode(fromRows([[2, -2, 2, 1]]), { keep: 2 });
    expect([...data]).toEqual([2, -2, 0, 0]);
  });
});

describe('denseDictionary', () => {
  it('refuses parts that do not fit', () => {
    expect(() => denseDictionary({ atoms: identity(3), encoder: identity(2) })).toThrow(
      new InputError('dictionary: encoder must be 3×3, like the atoms; got 2×2.'),
    );
    expect(() => denseDictionary({ atoms: identity(3), mean: new Float64Array(2) })).toThrow(
      new InputError('dictionary: mean must be of length 3; got 2.'),
    );
  });
});

describe('householderDictionary', () => {
  it.each<[string, number[][], string]>([
    [
      'rows that are not unit',
      [
        [1, 0, 0],
        [0.5, 0, 0],
      ],
      'reflectors must be rows of length 1; got 0.5 in row 1.',
    ],
    ['NaN', [[Number.NaN, 0, 0]], 'reflectors must be rows of length 1; got NaN in row 0.'],
    ['more reflectors than features', [[1], [1]], 'reflectors must be at most as many as features; got 2×1.'],
  ])('refuses %s', (_, rows, message) => {
    expect(() => householderDictionary({ reflectors: fromRows(rows) })).toThrow(
      new InputError(`dictionary: ${message}`),
    );
  });

  it('is H_1 … H_M in that order', () => {
    const [u, v] = [0, 1].map((k) => row(threeReflectors, k));
    const H = (w: Float64Array) => ({
      ...identity(N),
      data: identity(N).data.map((e, k) => e - 2 * w[Math.floor(k / N)] * w[k % N]),
    });
    const two = householderDictionary({ reflectors: firstRows(threeReflectors, 2) });
    expect(maxDifference(transpose(two.atoms), product(H(u), H(v)))).toBeLessThan(1e-14);
  });

  it('forms no atoms until they are asked for', async () => {
    const n = 50_000; // n×n would not fit in memory
    const data = new Float64Array(n).fill(1 / Math.sqrt(n));
    const dictionary = householderDictionary({ reflectors: { rows: 1, cols: n, data } });
    const sample = { rows: 1, cols: n, data: Float64Array.from({ length: n }, (_, i) => i % 7) };
    expect(maxDifference(await dictionary.decode(await dictionary.encode(sample)), sample)).toBeLessThan(1e-10);
  });
});

describe('givensDictionary', () => {
  const parts = { rotations: fromRows([[0, 1, 0.6, 0.8]]), order: [0, 1, 2], signs: [1, 1, -1] };
  it.each<[string, object, string]>([
    [
      'a feature out of range',
      { rotations: fromRows([[0, 3, 0.6, 0.8]]) },
      'rotations must be of two different features from 0 to 2; got 0, 3 in row 0.',
    ],
    [
      'a feature that is not an integer',
      { rotations: fromRows([[0.5, 1, 1, 0]]) },
      'rotations must be of two different features from 0 to 2; got 0.5, 1 in row 0.',
    ],
    [
      'a feature with itself',
      { rotations: fromRows([[1, 1, 1, 0]]) },
      'rotations must be of two different features from 0 to 2; got 1, 1 in row 0.',
    ],
    [
      'c² + s² ≠ 1',
      { rotations: fromRows([[0, 1, 1, 1]]) },
      'rotations must be rows with c² + s² = 1; got c 1, s 1 in row 0.',
    ],
    [
      'NaN',
      { rotations: fromRows([[0, 1, Number.NaN, 1]]) },
      'rotations must be rows with c² + s² = 1; got c NaN, s 1 in row 0.',
    ],
    ['three columns', { rotations: fromRows([[0, 1, 1]]) }, 'rotations must be G×4: rows of i, j, c, s; got 1×3.'],
    ['an order that is none', { order: [0, 1, 1] }, 'order must be a permutation of 0 to 2; got 1 at 2.'],
    ['signs of another length', { signs: [1, 1] }, 'signs must be of length 3, like order; got 2.'],
    ['signs that are none', { signs: [1, 2, 1] }, 'signs must be 1 or −1; got 2 at 1.'],
  ])('refuses %s', (_, wrong, message) => {
    expect(() => givensDictionary({ ...parts, ...wrong })).toThrow(new InputError(`dictionary: ${message}`));
  });

  it('rotates, then orders, then signs', async () => {
    const codes = await givensDictionary({ ...parts, order: [2, 0, 1] }).encode(fromRows([[1, 2, 3]]));
    [3, 0.6 + 1.6, -(1.2 - 0.8)].forEach((x, k) => {
      expect(codes.data[k]).toBeCloseTo(x, 15);
    });
  });
});

describe('a structured model file', () => {
  it('holds no atoms unless asked for', async () => {
    const path = scratch.file('structured.npz');
    const dictionary = householderDictionary({ reflectors: threeReflectors });
    const model = { dictionary, meta: { format: 1, options: {} } };
    await saveModel(path, model);
    expect([...(await readArrays(path)).keys()]).toEqual(['reflectors', 'meta']);
    await saveModel(path, model, { atoms: true });
    expect([...(await readArrays(path)).keys()]).toEqual(['reflectors', 'atoms', 'meta']);
    expect((await loadModel(path)).dictionary.transform.kind).toBe('reflectors');
  });
});

describe('loadModel', () => {
  it('loads atoms saved by another program', async () => {
    const path = scratch.file('foreign.npz');
    await writeArrays(path, { atoms: orthogonal });
    expectSameBits((await loadModel(path)).dictionary.atoms, orthogonal);
  });

  it.each<[string, Parameters<typeof writeArrays>[1], string]>([
    [
      'no atoms',
      { samples: orthogonal },
      ': a model must have the array "atoms", "reflectors" or "rotations"; got samples.',
    ],
    [
      'atoms of one dimension',
      { atoms: { shape: [3], data: mean.slice(0, 3) } },
      ':atoms must be a matrix of numbers; got <f8 (1-d, 3).',
    ],
    [
      'atoms that are not finite',
      { atoms: fromRows([[1, Number.NaN]]) },
      ':atoms must be finite; got NaN at row 0, column 1.',
    ],
    ['meta that is not JSON', { atoms: orthogonal, meta: 'hello' }, ':meta must be JSON text; got something else.'],
    [
      'a later format',
      { atoms: orthogonal, meta: '{"format":99}' },
      ': the model must be of format 1 or older; got 99.',
    ],
    [
      'an encoder of another shape',
      { atoms: orthogonal, encoder: identity(2) },
      ':encoder must be of shape 9 × 9, like atoms; got 2 × 2.',
    ],
    [
      'a mean that is not finite',
      { atoms: identity(2), mean: { shape: [2], data: Float64Array.of(0, Number.NaN) } },
      ':mean must be finite',
    ],
    [
      'reflectors that are not finite',
      { reflectors: fromRows([[1, Number.NaN]]) },
      ':reflectors must be finite; got NaN at row 0, column 1.',
    ],
    [
      'rotations alone',
      { rotations: fromRows([[0, 1, 1, 0]]) },
      ': a model of rotations must have the arrays "order" and "signs" too.',
    ],
    ['a mean that is text', { atoms: identity(2), mean: 'xy' }, ':mean must be'],
  ])('refuses %s', async (_, arrays, message) => {
    const path = scratch.file('bad.npz');
    await writeArrays(path, arrays);
    const error = await loadModel(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toContain(message.startsWith(':') ? `${path}${message}` : message);
  });
});

describe('dctAtoms', () => {
  it.each([
    [1, 1],
    [8, 8],
    [5, 3],
  ])('%d×%d is orthogonal, the constant first', (width, height) => {
    const atoms = dctAtoms(width, height);
    expect(orthonormalityError(atoms)).toBeLessThan(1e-14);
    for (const x of row(atoms, 0)) expect(x).toBeCloseTo(1 / Math.sqrt(width * height), 14);
  });
});

describeWithNumpy('a model and NumPy', () => {
  it('is read without pickle, with the arrays and the text of the format', async () => {
    const path = scratch.file('numpy.npz');
    const meta = { format: 1, method: 'msp', options: { norm: 4 }, status: 'converged' };
    await saveModel(path, { dictionary: denseDictionary({ atoms: completeAtoms, encoder: inverse, mean }), meta });
    const script = `
import sys, json, numpy as np
with np.load(sys.argv[1], allow_pickle=False) as f:
    print(json.dumps({
        "names": sorted(f.files), "shapes": [list(f[k].shape) for k in sorted(f.files)],
        "dtype": f["atoms"].dtype.str, "meta": json.loads(str(f["meta"])),
        "atoms": f["atoms"].tobytes().hex(), "mean": f["mean"].tobytes().hex(),
        "product": float(np.abs(f["encoder"] @ f["atoms"].T - np.eye(9)).max())}))`;
    const seen = JSON.parse(python(script, path));
    expect(seen).toMatchObject({
      names: ['atoms', 'encoder', 'mean', 'meta'],
      shapes: [[9, 9], [9, 9], [9], []],
      dtype: '<f8',
      meta,
    });
    expect(seen.atoms).toBe(Buffer.from(completeAtoms.data.buffer).toString('hex'));
    expect(seen.mean).toBe(Buffer.from(mean.buffer, mean.byteOffset, mean.byteLength).toString('hex'));
    expect(seen.product).toBeLessThan(1e-12);
  });

  it('reproduces the codes of structured models from their arrays', async () => {
    const script = `
import sys, json, numpy as np
f = np.load(sys.argv[1], allow_pickle=False)
y = np.load(sys.argv[2])['samples'] - f['mean']
if 'reflectors' in f.files:
    for u in f['reflectors']: y = y - 2 * np.outer(y @ u, u)
else:
    for i, j, c, s in f['rotations']:
        i, j = int(i), int(j)
        y[:, i], y[:, j] = c * y[:, i] + s * y[:, j], c * y[:, j] - s * y[:, i]
    y = f['signs'] * y[:, f['order']]
print(json.dumps(y.ravel().tolist()))`;
    await writeArrays(scratch.file('samples.npz'), { samples });
    for (const dictionary of [
      householderDictionary({ reflectors: threeReflectors, mean }),
      givensDictionary({ ...twentyRotations, mean }),
    ]) {
      const path = scratch.file('numpy-structured.npz');
      await saveModel(path, { dictionary, meta: { format: 1, options: {} } });
      const data = Float64Array.from(JSON.parse(python(script, path, scratch.file('samples.npz'))));
      expect(maxDifference(await dictionary.encode(samples), { rows: 30, cols: N, data })).toBeLessThan(ROUNDING);
    }
  });
});
