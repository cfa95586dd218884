/** Pictures written by Pillow are read as Pillow reads them, and the other way round. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { ssim } from '#src/metrics/ssim.ts';
import { readArray, readMatrix } from '#src/node/io/arrays.ts';
import { readPicture, writePicture } from '#src/node/io/picture-file.ts';
import type { Picture, Pixels } from '#src/pictures/picture.ts';
import { describeWithModule, python } from '../../helpers/numpy.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();

/** File, what Pillow makes of it as an array, and how far apart they may be: decoders of JPEG round differently. */
const MAKE = `
import sys, numpy as np
from PIL import Image
folder = sys.argv[1]
rng = np.random.default_rng(3)
y, x = np.mgrid[0:37, 0:29]
smooth = np.stack([4 * x + 2 * y, 255 - 5 * y, 120 + 60 * np.sin(x / 5)], 2).astype(np.uint8)
grey = rng.integers(0, 256, (37, 29)).astype(np.uint8)
deep = rng.integers(0, 65536, (37, 29)).astype(np.uint16)
alpha = np.dstack([smooth, np.where(x < 15, 255, 0).astype(np.uint8)])
def save(name, image, expected, **options):
    image.save(f"{folder}/{name}", **options)
    np.save(f"{folder}/{name}.npy", expected)
save("grey.png", Image.fromarray(grey), grey)
save("colour.png", Image.fromarray(smooth), smooth)
save("deep.png", Image.fromarray(deep), deep)
save("deep.tiff", Image.fromarray(deep), deep)
save("colour.tif", Image.fromarray(smooth), smooth, compression="tiff_lzw")
save("bits.png", Image.fromarray(grey > 127), np.where(grey > 127, 255, 0).astype(np.uint8))
palette = Image.fromarray(smooth).quantize(16)
save("palette.png", palette, np.asarray(palette.convert("RGB")))
save("alpha.png", Image.fromarray(alpha), np.where((x < 15)[..., None], smooth, 255).astype(np.uint8))
save("lossless.webp", Image.fromarray(smooth), smooth, lossless=True)
save("photo.jpg", Image.fromarray(smooth), smooth, quality=95, subsampling=0)
exif = Image.Exif(); exif[0x0112] = 6
save("turned.jpg", Image.fromarray(smooth), np.rot90(smooth, -1), quality=95, subsampling=0, exif=exif)
Image.fromarray((grey / 255).astype(np.float32)).save(f"{folder}/float.tif")
Image.fromarray(grey).save(f"{folder}/pages.tif", save_all=True, append_images=[Image.fromarray(grey)])
save("cmyk.jpg", Image.fromarray(smooth).convert("CMYK"), smooth, quality=95)
`;

const arrayOf = ({ width, height, channels = 1, pixels }: Picture<Pixels>) => ({
  shape: [height, width, ...(channels === 3 ? [3] : [])],
  data: Array.from(pixels),
});

describeWithModule('PIL', 'pictures', () => {
  beforeAll(() => void python(MAKE, scratch.path));

  it.each([
    ['grey.png', 0],
    ['colour.png', 0],
    ['deep.png', 0],
    ['deep.tiff', 0],
    ['colour.tif', 0],
    ['bits.png', 0],
    ['palette.png', 0],
    ['alpha.png', 0],
    ['lossless.webp', 0],
    ['photo.jpg', 12],
    ['turned.jpg', 12],
    ['cmyk.jpg', 255], // with another conversion of colours: the shape counts
  ])('%s is read', async (name, most) => {
    const expected = await readArray(scratch.file(`${name}.npy`));
    const { shape, data } = arrayOf(await readPicture(scratch.file(name)));
    expect(shape).toEqual(expected.shape);
    const worst = data.reduce((far, value, k) => Math.max(far, Math.abs(value - Number(expected.data[k]))), 0);
    expect(worst).toBeLessThanOrEqual(most);
  });

  it('grey is the brightness that Pillow takes', async () => {
    const { pixels } = await readPicture(scratch.file('colour.png'), 'grey');
    const script =
      'import sys, json, numpy as np; from PIL import Image; print(json.dumps(np.asarray(Image.open(sys.argv[1]).convert("L")).ravel().tolist()))';
    const expected: number[] = JSON.parse(python(script, scratch.file('colour.png')));
    pixels.forEach((value, k) => {
      expect(Math.abs(value - expected[k])).toBeLessThanOrEqual(1); // Pillow rounds down
    });
  });

  it('what is written is read by Pillow, bit by bit where nothing is lost', async () => {
    const show = `
import sys, json, numpy as np
from PIL import Image
print(json.dumps([[list(a.shape), a.ravel().tolist()] for a in (np.asarray(Image.open(p)) for p in sys.argv[1:])]))`;
    const files: string[] = [];
    const expected: unknown[] = [];
    for (const name of ['grey.png', 'colour.png', 'deep.png', 'colour.tif', 'lossless.webp']) {
      const picture = await readPicture(scratch.file(name));
      const out = scratch.file(`again-${name}`.replace('webp', 'png'));
      await writePicture(out, picture);
      files.push(out);
      const { shape, data } = arrayOf(picture);
      expected.push([shape, data]);
    }
    expect(JSON.parse(python(show, ...files))).toEqual(expected);
  });

  it('patches are those that NumPy cuts out', async () => {
    const { rows, cols, data } = await readMatrix(scratch.file('colour.png'), {
      pictures: { patches: { width: 5, height: 3 }, color: 'rgb' },
      table: { onRemark() {} },
    });
    const cut = `
import sys, json, numpy as np
from PIL import Image
a = np.asarray(Image.open(sys.argv[1]))
w = np.lib.stride_tricks.sliding_window_view(a, (3, 5), (0, 1))
print(json.dumps(np.moveaxis(w, 2, -1).reshape(-1, 45).astype(float).ravel().tolist()))`;
    expect([rows, cols]).toEqual([(37 - 3 + 1) * (29 - 5 + 1), 45]);
    expect(Array.from(data)).toEqual(JSON.parse(python(cut, scratch.file('colour.png'))));
  });

  it('structural similarity is that of SciPy with the same window', async () => {
    const script = `
import sys, json, numpy as np
from scipy.ndimage import gaussian_filter
rng = np.random.default_rng(5)
a = gaussian_filter(rng.random((40, 33)), 2) * 900 - 350; b = a + 20 * rng.standard_normal(a.shape)
f = lambda v: gaussian_filter(v, 1.5, truncate=3.5)[5:-5, 5:-5]
ma, mb = f(a), f(b)
va, vb, c = f(a * a) - ma**2, f(b * b) - mb**2, f(a * b) - ma * mb
s = ((2 * ma * mb + 2.55**2) * (2 * c + 7.65**2) / ((ma**2 + mb**2 + 2.55**2) * (va + vb + 7.65**2))).mean()
print(json.dumps([a.ravel().tolist(), b.ravel().tolist(), s]))`;
    const [a, b, expected] = JSON.parse(python(script));
    expect(ssim(a, b, { width: 33, height: 40 })).toBeCloseTo(expected, 9);
    expect(ssim(a, a, { width: 33, height: 40 })).toBeCloseTo(1, 12);
  });

  it('damaged ones are refused in one line', async () => {
    const refusal = (name: string) =>
      readPicture(scratch.file(name)).then(
        () => 'read',
        (error: Error) => error.message,
      );
    for (const name of ['grey.png', 'photo.jpg', 'lossless.webp', 'deep.tiff']) {
      const bytes = readFileSync(scratch.file(name));
      writeFileSync(scratch.file(`cut-${name}`), bytes.subarray(0, Math.floor(bytes.length / 2)));
      expect(await refusal(`cut-${name}`)).toMatch(
        /^[^\n]*cut-[a-z]+\.[a-z]+: cannot be read as a picture \([^\n]+\)\.$/,
      );
    }
    writeFileSync(scratch.file('words.png'), 'not a picture');
    expect(await refusal('words.png')).toMatch(
      /words\.png: must hold a picture of type PNG, JPEG, WebP or TIFF; got something else\.$/,
    );
    writeFileSync(scratch.file('empty.jpg'), '');
    expect(await refusal('empty.jpg')).toMatch(/empty\.jpg: is empty\.$/);
    expect(await refusal('float.tif')).toMatch(/float\.tif: must have pixels of 8 or 16 bits; got float/);
    expect(await refusal('pages.tif')).toMatch(/pages\.tif: must be one picture; got 2 in one file/);
    expect(await refusal('grey.gif')).toMatch(/the name of a picture must end in one of \.png \.jpg/);
    expect(await refusal('nothing.png')).toMatch(/nothing\.png: cannot be read \(no such file\)\.$/);
  });
});
