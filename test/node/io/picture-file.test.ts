/** Pictures of every type of pixel, grey and in colour, with and without opacity: what a file can hold is read back. */
import { describe, expect, it } from 'vitest';
import { readArray } from '#src/node/io/arrays.ts';
import { checkPicturePath, readPicture, writePicture } from '#src/node/io/picture-file.ts';
import { onWhite } from '#src/pictures/colour.ts';
import type { Picture, Pixels } from '#src/pictures/picture.ts';
import { scratchFiles } from '../../helpers/files.ts';

const { inDirectory, put, refusal } = scratchFiles();

const KINDS = {
  bytes: (x: number) => Math.round(255 * x),
  words: (x: number) => Math.round(65535 * x),
  fractions: (x: number) => Math.fround(x),
};
const TYPES = { bytes: Uint8Array, words: Uint16Array, fractions: Float32Array };
type Kind = keyof typeof KINDS;

/** A smooth one, so that little is lost. */
function picture(kind: Kind, channels: 1 | 3, transparent = false): Picture<Pixels> {
  const [width, height] = [9, 6];
  const value = (k: number) => 0.5 + 0.4 * Math.sin(k / 7) * Math.cos(k / 31);
  const make = (length: number, at: (k: number) => number) =>
    new TYPES[kind](length).map((_, k) => KINDS[kind](at(k))) as Uint8Array;
  const pixels = make(width * height * channels, (k) => value(Math.floor(k / channels) + 5 * (k % channels)));
  const alpha = transparent ? make(width * height, (k) => (k % 3 === 0 ? 1 : value(2 * k))) : undefined;
  return { width, height, channels, pixels, ...(alpha && { alpha }) };
}

const fractionsOf = (pixels: Pixels) => {
  const white = pixels instanceof Uint8Array ? 255 : pixels instanceof Uint16Array ? 65535 : 1;
  return Array.from(pixels, (value) => value / white);
};

function expectNear(found: Pixels, right: Pixels, most: number): void {
  const [a, b] = [fractionsOf(found), fractionsOf(right)];
  expect(a.length).toBe(b.length);
  expect(Math.max(...a.map((x, k) => Math.abs(x - b[k])))).toBeLessThanOrEqual(most);
}

const kinds = Object.keys(KINDS) as Kind[];
const all = kinds.flatMap((kind) => ([1, 3] as const).map((channels) => ({ kind, channels })));

describe('a picture of', () => {
  it.each(all)('$kind in $channels channels is read as it was written', async ({ kind, channels }) => {
    const given = picture(kind, channels);
    // file, bits, how far the pixels may be
    for (const [name, deep, most] of [
      ['p.png', true, 1 / 131070],
      ['p.TIF', true, 1 / 131070],
      ['p.tiff', true, 1 / 131070],
      ['p.webp', false, 0.3],
      ['p.jpg', false, 0.05],
      ['p.JPEG', false, 0.05],
    ] as const) {
      await writePicture(inDirectory(name), given);
      const found = await readPicture(inDirectory(name));
      expect([found.width, found.height]).toEqual([9, 6]);
      expect(found.channels).toBe(name === 'p.webp' ? 3 : channels);
      expect(found.pixels).toBeInstanceOf(deep && kind !== 'bytes' ? Uint16Array : Uint8Array);
      if (found.channels === channels) expectNear(found.pixels, given.pixels, kind === 'bytes' && deep ? 0 : most);
    }
    await writePicture(inDirectory('p.npy'), given);
    expect((await readArray(inDirectory('p.npy'))).shape).toEqual(channels === 3 ? [6, 9, 3] : [6, 9]);
    expect((await readPicture(inDirectory('p.npy'))).pixels).toEqual(given.pixels);
  });

  it.each(all)('$kind in $channels channels keeps its opacity where it can', async ({ kind, channels }) => {
    const given = picture(kind, channels, true);
    for (const name of ['t.png', 't.tiff']) {
      await writePicture(inDirectory(name), given);
      const kept = await readPicture(inDirectory(name), undefined, { transparency: 'keep' });
      expect(kept.channels).toBe(channels);
      expectNear(kept.pixels, given.pixels, 1 / 131070);
      expectNear(kept.alpha!, given.alpha!, 1 / 131070);
      for (const options of [undefined, { transparency: 'white' } as const]) {
        const white = await readPicture(inDirectory(name), undefined, options);
        expect(white).not.toHaveProperty('alpha');
        expect(white.pixels).toEqual(onWhite(kept).pixels);
      }
    }
    for (const [name, most] of [
      ['t.jpg', 0.1],
      ['t.npy', 0],
    ] as const) {
      await writePicture(inDirectory(name), given);
      const found = await readPicture(inDirectory(name), undefined, { transparency: 'keep' });
      expect(found.alpha).toBeUndefined();
      expectNear(found.pixels, onWhite(given).pixels, most);
    }
  });

  it('8 bits rounds what has more, to the nearest', async () => {
    const pixels = Uint16Array.of(0, 128, 129, 257, 32767, 65406, 65407, 65535);
    await writePicture(inDirectory('few.webp'), { width: 8, height: 1, pixels });
    await writePicture(inDirectory('few.jpg'), { width: 8, height: 1, pixels: new Uint16Array(8).fill(129) });
    expect(new Set((await readPicture(inDirectory('few.jpg'))).pixels)).toEqual(new Set([1]));
    await writePicture(inDirectory('few.jpg'), { width: 8, height: 1, pixels: new Uint16Array(8).fill(128) });
    expect(new Set((await readPicture(inDirectory('few.jpg'))).pixels)).toEqual(new Set([0]));
  });

  it('is turned into grey or colours', async () => {
    await writePicture(inDirectory('c.png'), picture('bytes', 3));
    await writePicture(inDirectory('g.png'), picture('bytes', 1));
    for (const name of ['c.png', 'g.png']) {
      expect((await readPicture(inDirectory(name), 'grey')).channels).toBe(1);
      expect((await readPicture(inDirectory(name), 'rgb')).channels).toBe(3);
    }
  });
});

describe('a name', () => {
  const words = 'the name of a picture must end in one of';

  it('must end as that of a picture', async () => {
    expect(await refusal(readPicture(put('p.txt', 'x')))).toContain(`p.txt: ${words}`);
    expect(await refusal(writePicture(inDirectory('p.bmp'), picture('bytes', 1)))).toContain(`p.bmp: ${words}`);
    expect(await refusal(checkPicturePath('p.csv'))).toContain(`p.csv: ${words}`);
    expect(await refusal(readPicture(5 as never))).toBe('readPicture: path must be the name of a file; got 5.');
    for (const good of ['x.png', 'x.NPY', 'x.jpeg', 'x.webp']) await checkPicturePath(good);
  });

  it('comes with a picture', async () => {
    expect(await refusal(writePicture(inDirectory('x.png'), null as never))).toContain('writePicture: picture must be');
  });
});
