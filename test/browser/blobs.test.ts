/** What a page offers for download: the bytes that Node writes, and what was written is read again. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { arrayBlob, arraysBlob, csvBlob, loadModel, modelBlob } from '#src/browser/blobs.ts';
import { openSource } from '#src/browser/open-source.ts';
import { pictureBlob, readPicture } from '#src/browser/pictures.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { denseDictionary } from '#src/dictionaries/dense.ts';
import { givensDictionary } from '#src/dictionaries/givens.ts';
import { householderDictionary } from '#src/dictionaries/householder.ts';
import { overcompleteDictionary } from '#src/dictionaries/overcomplete.ts';
import { csvChunks } from '#src/io/codecs/csv/write.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { readMatrix, writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { writeAtomically } from '#src/node/io/atomic-write.ts';
import { loadModel as loadFile, saveModel } from '#src/node/io/model-file.ts';
import { bits, expectSameBits } from '../helpers/bytes.ts';
import { readAll, scratchFiles } from '../helpers/files.ts';
import { randomReflectors } from '../helpers/matrices.ts';

const { inDirectory, put, refusal } = scratchFiles();
const random = createRandom(5, 'test');
const atoms = randomOrthogonal(6, random);
const mean = normalMatrix(1, 6, random).data;
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer());

describe('a model has the bytes that saveModel writes', () => {
  it.each([
    ['dense', denseDictionary({ atoms, mean })],
    ['with an encoder', denseDictionary({ atoms, encoder: normalMatrix(6, 6, random) })],
    ['overcomplete', overcompleteDictionary({ atoms, keep: 2 })],
    ['of reflectors', householderDictionary({ reflectors: randomReflectors(2, 6, random) })],
    [
      'of rotations',
      givensDictionary({
        rotations: { rows: 1, cols: 4, data: Float64Array.of(0, 1, 0.6, 0.8) },
        order: Float64Array.of(0, 1, 2),
        signs: Float64Array.of(1, -1, 1),
      }),
    ],
  ])('%s', async (_, dictionary) => {
    const meta = { format: 1, method: 'msp', options: {}, features: ['é', '日', 'c', 'd', 'e', 'f'] };
    for (const options of [{}, { precision: 'f32', atoms: true }] as const) {
      const path = inDirectory('model.npz');
      await saveModel(path, { dictionary, meta }, options);
      const blob = await modelBlob({ dictionary, meta }, options);
      expect((await bytesOf(blob)).equals(readFileSync(path))).toBe(true);
      const [here, there] = [await loadModel(blob), await loadFile(path)];
      expect(here.meta).toEqual(there.meta);
      expect(bits(here.dictionary.atoms)).toBe(bits(there.dictionary.atoms));
    }
  });

  it('and what is none is refused', async () => {
    expect(await refusal(loadModel(new File(['abc'], 'model.npz')))).toMatch('model.npz: is not an .npz file');
    expect(await refusal(loadModel(await arraysBlob({ codes: atoms })))).toMatch('got codes');
  });
});

it('arrays have the bytes that Node writes, from shared memory and from streams too', async () => {
  const shared = shareMatrix(normalMatrix(9, 4, random));
  async function* pieces() {
    const piece = new Float32Array(3);
    for (let k = 0; k < 5; k++) yield piece.fill(k); // the same memory again and again
  }
  const arrays = () => ({ shared, meta: 'é', codes: { shape: [5, 3], precision: 'f32' as const, pieces: pieces() } });
  await writeArrays(inDirectory('arrays.npz'), arrays());
  expect((await bytesOf(await arraysBlob(arrays()))).equals(readFileSync(inDirectory('arrays.npz')))).toBe(true);
  await writeArray(inDirectory('one.npy'), arrays().codes);
  expect((await bytesOf(await arrayBlob(arrays().codes))).equals(readFileSync(inDirectory('one.npy')))).toBe(true);
});

it('a table has the bytes that Node writes, and is read back to the same bits', async () => {
  const matrix = normalMatrix(5000, 7, random);
  const names = ['a', 'b,c', 'd"e', 'f', 'g', 'h', 'i'];
  const blob = await csvBlob(matrix, { names });
  const path = inDirectory('table.csv');
  await writeAtomically(path, csvChunks({ names, pieces: [matrix.data] }));
  expect((await bytesOf(blob)).equals(readFileSync(path))).toBe(true);
  expectSameBits(await readAll(await openSource(blob)), matrix);
  const tabs = await csvBlob(matrix, { delimiter: '\t' });
  expectSameBits(await readMatrix(put('t.tsv', await bytesOf(tabs))), matrix);
  await expect(csvBlob(matrix, { names: ['a'] })).rejects.toThrow('csvBlob: names must be 7 names; got 1.');
  await expect(csvBlob(matrix, { delimiter: '|' as never })).rejects.toThrow(
    'csvBlob: delimiter must be a comma, a tab or a semicolon; got "|".',
  );
});

describe('pictures without a canvas', () => {
  const pixels = Uint8Array.from({ length: 12 }, (_, k) => 20 * k);

  it('are written as PNG, 8 bits a channel', async () => {
    const bytes = await bytesOf(await pictureBlob({ width: 4, height: 3, pixels }));
    const deep = Uint16Array.from(pixels, (value) => 257 * value);
    expect((await bytesOf(await pictureBlob({ width: 4, height: 3, pixels: deep }))).equals(bytes)).toBe(true);
    const fractions = Float32Array.from(pixels, (value) => value / 255);
    expect((await bytesOf(await pictureBlob({ width: 4, height: 3, pixels: fractions }))).equals(bytes)).toBe(true);
    expect([...bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });

  it('are read from arrays, and otherwise refused in words', async () => {
    const picture = await readPicture(await arrayBlob({ shape: [2, 2, 3], data: pixels }));
    expect(picture).toEqual({ width: 2, height: 2, channels: 3, pixels });
    const grey = await readPicture(await arrayBlob({ shape: [2, 2, 3], data: pixels }), { color: 'grey' });
    expect(grey.pixels[1]).toBe(Math.round(0.299 * 60 + 0.587 * 80 + 0.114 * 100));
    const png = await pictureBlob({ width: 4, height: 3, pixels });
    expect(await refusal(readPicture(png))).toBe(
      'data: cannot be read as a picture (this browser has no OffscreenCanvas).',
    );
    await expect(pictureBlob(picture, 'image/gif' as never)).rejects.toThrow(
      'pictureBlob: type must be one of image/png',
    );
    expect(await refusal(pictureBlob(picture, 'image/jpeg'))).toBe(
      'pictureBlob: type must be image/png here; got image/jpeg, and this browser has no OffscreenCanvas.',
    );
  });
});
