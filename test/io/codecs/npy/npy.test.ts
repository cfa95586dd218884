/** Arrays of any shape survive a round trip, and the same arrays give the same bytes. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FloatArray, Matrix } from '#src/core/matrix.ts';
import { readArray, readArrays, readMatrix, writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { scratchFiles } from '../../../helpers/files.ts';

const { inDirectory } = scratchFiles();

const floats = (length: number): fc.Arbitrary<FloatArray> =>
  fc.oneof(
    fc.float32Array({ minLength: length, maxLength: length }),
    fc.float64Array({ minLength: length, maxLength: length }),
  );

const shaped = (least: number, most: number) =>
  fc
    .array(fc.integer({ min: least, max: 7 }), { maxLength: most })
    .chain((shape) => floats(shape.reduce((a, b) => a * b, 1)).map((data) => ({ shape, data })));

const matrices: fc.Arbitrary<Matrix> = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 }))
  .chain(([rows, cols]) => floats(rows * cols).map((data) => ({ rows, cols, data })));

describe('round trips', () => {
  it('keeps arrays of any shape, with zero-sized axes and without axes', async () => {
    const path = inDirectory('any.npy');
    await fc.assert(
      fc.asyncProperty(shaped(0, 5), async (array) => {
        await writeArray(path, array);
        expect(await readArray(path)).toEqual({ dtype: array.data instanceof Float32Array ? '<f4' : '<f8', ...array });
      }),
      { numRuns: 150 },
    );
  });

  it('keeps archives of arrays and text with any names', async () => {
    const path = inDirectory('any.npz');
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__');
    const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.endsWith('\0'));
    const archives = fc.dictionary(names, fc.oneof(shaped(0, 3), texts), {
      minKeys: 1,
      maxKeys: 5,
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(archives, async (arrays) => {
        await writeArrays(path, arrays);
        const read = await readArrays(path);
        expect([...read.keys()]).toEqual(Object.keys(arrays));
        for (const [name, array] of Object.entries(arrays)) {
          expect(read.get(name)?.data).toEqual(typeof array === 'string' ? [array] : array.data);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps matrices', async () => {
    const path = inDirectory('matrix.npz');
    await fc.assert(
      fc.asyncProperty(matrices, async (matrix) => {
        await writeArrays(path, { matrix, meta: '{}' });
        expect(await readMatrix(path)).toEqual(matrix);
      }),
      { numRuns: 50 },
    );
  });
});

describe('writing', () => {
  it('gives the same bytes for the same arrays', async () => {
    const arrays = { a: { rows: 1, cols: 2, data: Float64Array.of(1, 2) }, meta: '{}' };
    await writeArrays(inDirectory('one.npz'), arrays);
    await writeArrays(inDirectory('two.npz'), arrays);
    expect(readFileSync(inDirectory('one.npz'))).toEqual(readFileSync(inDirectory('two.npz')));
  });

  it('lets the numbers of a .npy file begin at a multiple of 64', async () => {
    await writeArray(inDirectory('aligned.npy'), { shape: [1], data: Float64Array.of(1) });
    expect(readFileSync(inDirectory('aligned.npy'))).toHaveLength(128 + 8);
  });

  it('refuses a shape that does not fit the numbers, and leaves no file', async () => {
    const wrong = { shape: [3], data: Float64Array.of(1) };
    await expect(writeArray(inDirectory('wrong.npy'), wrong)).rejects.toThrow(
      'writeArray: array must be a matrix {rows, cols, data}, numbers {shape, data}, pieces {shape, precision, pieces} or a text; got 1 numbers of shape 3.',
    );
  });
});
