/** Samples to codes and back: the same bits from memory and from sources, in one piece and in chunks, on every executor. */
import { afterAll, describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { fromRows, identity, type Matrix, rowRange, stackRows, toFloat32 } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { denseDictionary } from '#src/dictionaries/dense.ts';
import type { Dictionary } from '#src/dictionaries/dictionary.ts';
import { decode, decodeChunks, encode, encodeChunks } from '#src/dictionaries/encode.ts';
import { factorGivens } from '#src/dictionaries/factoring/factor-givens.ts';
import { factorHouseholder } from '#src/dictionaries/factoring/factor-householder.ts';
import { givensDictionary } from '#src/dictionaries/givens.ts';
import { householderDictionary } from '#src/dictionaries/householder.ts';
import { overcompleteDictionary } from '#src/dictionaries/overcomplete.ts';
import type { Source } from '#src/engine/source/source.ts';
import type { Progress } from '#src/engine/stop.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { bits } from '../helpers/bytes.ts';
import { testSeed } from '../helpers/seed.ts';

const N = 12;
/** Eight chunks. */
const ROWS = 60_000;
const random = createRandom(testSeed(71), 'encode');
const samples = normalMatrix(ROWS, N, random);
const mean = Float64Array.from({ length: N }, (_, k) => k / 3);
const orthogonal = randomOrthogonal(N, random);

const kinds: readonly (readonly [string, () => Promise<Dictionary>])[] = [
  ['dense', async () => denseDictionary({ atoms: orthogonal, mean })],
  ['reflectors', async () => householderDictionary({ ...(await factorHouseholder(orthogonal, 3)), mean })],
  ['rotations', async () => givensDictionary({ ...(await factorGivens(orthogonal, 9)), mean })],
  ['pursuit', async () => overcompleteDictionary({ atoms: normalMatrix(20, N, random), keep: 3, mean })],
];

/** Wraps a matrix as a caller's own source. */
const sourceOf = (matrix: Matrix): Source => ({
  rows: matrix.rows,
  cols: matrix.cols,
  precision: matrix.data instanceof Float32Array ? 'f32' : 'f64',
  read: async (start, end) => rowRange(matrix, start, end),
});

async function joined(chunks: AsyncIterable<Matrix>): Promise<Matrix> {
  let whole: Matrix | undefined;
  for await (const chunk of chunks) whole = whole ? stackRows(whole, chunk) : chunk;
  return whole!;
}

const threads = createNodeExecutor({ threads: 2, backend: 'wasm' });
afterAll(async () => (await threads).close());

describe.each(kinds)('a dictionary of kind %s', (_, make) => {
  it.each(['f64', 'f32'])('gives the same codes and samples in every way, %s', async (precision) => {
    const dictionary = await make();
    const given: Matrix = precision === 'f32' ? toFloat32(samples) : samples;
    const one = await createNodeExecutor({ threads: 1, backend: 'wasm' });
    const codes = await encode(dictionary, given, { keep: 4 }, { executor: one });
    expect([codes.rows, codes.cols]).toEqual([ROWS, dictionary.components]);
    const back = await decode(dictionary, codes, {}, { executor: one });
    expect([back.rows, back.cols]).toEqual([ROWS, N]);
    for (const executor of [one, await threads]) {
      const run = { executor };
      expect(bits(await encode(dictionary, sourceOf(given), { keep: 4 }, run))).toBe(bits(codes));
      expect(bits(await joined(encodeChunks(dictionary, given, { keep: 4 }, run)))).toBe(bits(codes));
      expect(bits(await decode(dictionary, sourceOf(codes), {}, run))).toBe(bits(back));
      expect(bits(await joined(decodeChunks(dictionary, codes, {}, run)))).toBe(bits(back));
    }
  });

  it('has methods that are these functions', async () => {
    const dictionary = await make();
    const codes = await dictionary.encode(samples, { threshold: 0.5 });
    expect(bits(codes)).toBe(bits(await encode(dictionary, samples, { threshold: 0.5 })));
    expect(bits(await dictionary.decode(codes))).toBe(bits(await decode(dictionary, codes)));
  });

  it('gives the precision that is asked for', async () => {
    const dictionary = await make();
    const [wide, narrow] = [samples, toFloat32(samples)];
    const codes = await encode(dictionary, narrow, { precision: 'f64' });
    expect(codes.data).toBeInstanceOf(Float64Array);
    expect((await encode(dictionary, wide, { precision: 'f32' })).data).toBeInstanceOf(Float32Array);
    expect((await decode(dictionary, codes, { precision: 'f32' })).data).toBeInstanceOf(Float32Array);
  });
});

describe('a run', () => {
  const dictionary = denseDictionary({ atoms: orthogonal });

  it('counts the rows that are done', async () => {
    const seen: Progress[] = [];
    const onProgress = (progress: Progress) => void seen.push(progress);
    await encode(dictionary, samples, {}, { onProgress });
    expect(seen[0]).toMatchObject({ solver: 'checking the samples', iteration: 0 });
    expect(seen.at(-1)).toMatchObject({ solver: 'encode', iteration: ROWS, ends: { iterations: ROWS } });
    expect(seen.length).toBeGreaterThan(4);
    const counts = seen.map(({ iteration }) => iteration);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    await decode(dictionary, samples, {}, { onProgress });
    expect(seen.at(-1)).toMatchObject({ solver: 'decode', iteration: ROWS, ends: { iterations: ROWS } });
  });

  it('ends where its signal says so', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const chunks = decodeChunks(dictionary, samples, {}, { signal: controller.signal });
    await chunks.next();
    controller.abort(reason);
    await expect(joined(chunks)).rejects.toBe(reason);
    await expect(encode(dictionary, samples, {}, { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('refuses in one sentence', () => {
  const dictionary = denseDictionary({ atoms: identity(2) });
  const odd = fromRows([
    [1, 2],
    [3, Number.NaN],
  ]);
  it.each([
    [
      'samples that are not finite',
      () => encode(dictionary, odd),
      'encode: samples must be finite; got NaN at row 1, column 1.',
    ],
    [
      'codes that are not finite',
      () => decode(dictionary, odd),
      'decode: codes must be finite; got NaN at row 1, column 1.',
    ],
    [
      'a precision of another name',
      () => encode(dictionary, identity(2), { precision: 'f16' as never }),
      'encode: precision must be f32 or f64; got f16.',
    ],
    [
      'what is no dictionary',
      () => decode(identity(2) as never, identity(2)),
      'decode: dictionary must be a dictionary; got 2×2 and 4 numbers.',
    ],
  ])('%s', async (_, refused, sentence) => {
    await expect(refused()).rejects.toThrow(new InputError(sentence));
  });
});
