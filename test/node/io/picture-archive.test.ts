/** Compressed pictures in files: all planes are read back, in few bytes, and other files are refused. */
import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ArrayInput } from '#src/io/arrays.ts';
import { readArrays, writeArrays } from '#src/node/io/arrays.ts';
import { loadPicture, savePicture } from '#src/node/io/picture-archive.ts';
import type { CompressedPicture } from '#src/pictures/compress.ts';
import { scratchFiles } from '../../helpers/files.ts';

const { inDirectory, refusal } = scratchFiles();
const path = inDirectory('p.npz');

/** Tiles of 2×2 that cover 5×3 pixels. */
const TILES = 6;
const plane = (k: number, largest = 9) => ({
  atoms: Int8Array.from({ length: 16 }, (_, i) => i - 8 + k),
  means: Int16Array.from({ length: TILES }, (_, i) => 1000 * i - k),
  codes: Int16Array.from({ length: 4 * TILES }, (_, i) => (i === 5 ? largest : i - k)),
});
const picture = (planes: number, largest?: number): CompressedPicture => ({
  width: 5,
  height: 3,
  bits: 8,
  side: 2,
  step: 0.5,
  planes: Array.from({ length: planes }, (_, k) => plane(k, largest)),
});

describe('a compressed picture', () => {
  it.each([1, 3])('of %d planes comes back', async (planes) => {
    const bytes = await savePicture(path, picture(planes));
    expect(statSync(path).size).toBe(bytes);
    expect(await loadPicture(path)).toEqual(picture(planes));
  });

  it.each([
    [127, '|i1'],
    [-127, '|i1'],
    [128, '<i2'],
    [-128, '<i2'],
    [32767, '<i2'],
  ])('has a byte for a code where that is enough: %d', async (largest, dtype) => {
    await savePicture(path, picture(1, largest));
    const arrays = await readArrays(path);
    expect([...arrays].map(([name, { shape }]) => `${name} ${shape.join('×')}`)).toEqual([
      'meta ',
      'atoms1 4×4',
      'means1 6',
      'codes1 4×6',
    ]);
    expect(arrays.get('codes1')!.dtype).toBe(dtype);
    expect(await loadPicture(path)).toEqual(picture(1, largest));
  });
});

describe('is refused', () => {
  const meta = (change: object = {}) => {
    const { planes, ...rest } = picture(1);
    return JSON.stringify({ format: 'picture 1', ...rest, planes: planes.length, ...change });
  };
  const matrix = (rows: number, cols: number) => ({ rows, cols, data: new Float64Array(rows * cols) });
  const good: Record<string, ArrayInput> = {
    meta: meta(),
    atoms1: matrix(4, 4),
    means1: { shape: [TILES], data: new Float64Array(TILES) },
    codes1: matrix(4, TILES),
  };
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([each]) => each !== name));

  it('nothing that is complete', async () => {
    await writeArrays(path, good);
    expect((await loadPicture(path)).planes).toHaveLength(1);
  });

  it.each<[string, Record<string, ArrayInput>, string]>([
    ['one without meta', without('meta'), 'must be a picture written by orthodict image compress'],
    ['one of another format', { ...good, meta: meta({ format: 'picture 2' }) }, 'must be a picture written by'],
    ['one without width', { ...good, meta: meta({ width: 0 }) }, 'must be a picture written by'],
    ['one too wide', { ...good, meta: meta({ width: 65537 }) }, 'must be a picture written by'],
    ['tiles of one pixel', { ...good, meta: meta({ side: 1 }) }, 'must be a picture written by'],
    ['tiles too large', { ...good, meta: meta({ side: 33 }) }, 'must be a picture written by'],
    ['steps of nothing', { ...good, meta: meta({ step: 0 }) }, 'must be a picture written by'],
    ['steps too large', { ...good, meta: meta({ step: 2e6 }) }, 'must be a picture written by'],
    ['two planes', { ...good, meta: meta({ planes: 2 }) }, 'must be a picture written by'],
    ['one without a plane', { ...good, meta: meta({ planes: 3 }) }, 'must have the arrays atoms2, means2 and codes2.'],
    ['one without atoms', without('atoms1'), 'must have the arrays atoms1, means1 and codes1.'],
    ['one without means', without('means1'), 'must have the arrays atoms1, means1 and codes1.'],
    ['one without codes', without('codes1'), 'must have the arrays atoms1, means1 and codes1.'],
    ['other tiles', { ...good, meta: meta({ width: 7 }) }, 'p.npz:means1 must be of shape 8; got 6.'],
    ['other atoms', { ...good, atoms1: matrix(4, 3) }, 'p.npz:atoms1 must be of shape 4 × 4; got 4 × 3.'],
    ['other codes', { ...good, codes1: matrix(5, TILES) }, 'p.npz:codes1 must be of shape 4 × 6; got 5 × 6.'],
  ])('%s', async (_, arrays, words) => {
    await writeArrays(path, arrays);
    expect(await refusal(loadPicture(path))).toContain(words);
  });

  it('another kind of file, and what is no picture', async () => {
    expect(await refusal(loadPicture('p.npy'))).toBe('p.npy: a compressed picture must be an .npz file.');
    expect(await refusal(savePicture(5 as never, picture(1)))).toContain(
      'savePicture: path must be the name of a file',
    );
    expect(await refusal(savePicture(path, {} as never))).toContain(
      'savePicture: picture must be what compressPicture',
    );
  });
});
