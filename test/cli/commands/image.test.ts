/** Pictures through the whole program: patches, atoms, denoising, compression. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { crc32 } from '#src/core/crc32.ts';
import { readArray } from '#src/node/io/arrays.ts';
import { readPicture, writePicture } from '#src/node/io/picture-file.ts';
import { denoise } from '#src/node/models.ts';
import { inColour } from '#src/pictures/colour.ts';
import { pixelsLike } from '#src/pictures/picture.ts';
import { encodePng } from '#src/pictures/png.ts';
import { callCli } from '../../helpers/call-cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { quality, scene, withNoise } from '../../pictures/scenes.ts';

const scratch = scratchDirectory();
const f = scratch.file;

beforeAll(async () => {
  mkdirSync(f('photos'));
  const [left, right] = [withNoise(scene(40, 36), 4), withNoise(scene(30, 50, 3), 4)];
  await writePicture(f('photos/a.png'), left);
  await writePicture(f('photos/b.jpg'), right);
  await writePicture(f('truth.npy'), scene(48, 40));
  await writePicture(f('noisy.npy'), withNoise(scene(48, 40), 20));
});

it('a folder of pictures is learned as patches, whose shape the model knows', async () => {
  const flags = ['--patches', '4x6', '--limit', '500', '--out', f('model.npz')];
  const learned = await callCli(['learn', f('photos'), ...flags, '--json']);
  expect(learned.stderr).toMatch(/photos: 500 of \d,\d+ patches of 4×6 pixels, spread evenly\.\n$/);
  expect(JSON.parse(learned.stdout)).toMatchObject({ samples: 500, features: 24 });
  const inspected = JSON.parse(
    (await callCli(['inspect', f('model.npz'), '--atoms', f('atoms.svg'), '--json'])).stdout,
  );
  expect(inspected.patch).toEqual({ width: 4, height: 6, channels: 1 });
  const shares: number[] = inspected.energies;
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 4);
  const drawn = readFileSync(f('atoms.svg'), 'utf8');
  expect(drawn.match(/<image /g)).toHaveLength(24);
  expect(drawn).toContain('24 atoms of model.npz, under each its number and its share of the energy');
  const tile = /base64,([^"]+)/.exec(drawn)![1];
  const header = Buffer.from(tile, 'base64').subarray(16, 24);
  expect(header.readUInt32BE(0) / header.readUInt32BE(4)).toBe(4 / 6);
});

it('colour has three numbers for a pixel', async () => {
  const flags = ['--patches', '3x3', '--color', 'rgb', '--limit', 'all', '--stride', '2', '--max-iterations', '5'];
  const learned = await callCli(['learn', f('photos/b.jpg'), ...flags, '--out', f('colour.npz'), '--json']);
  expect(JSON.parse(learned.stdout)).toMatchObject({ samples: 15 * 25, features: 27 });
  const drawn = await callCli(['inspect', f('colour.npz'), '--atoms', f('colour.png')]);
  expect([drawn.code, drawn.stderr]).toEqual([0, '']);
});

it('noise is taken away', async () => {
  const args = [
    'noisy.npy',
    '--truth',
    f('truth.npy'),
    '--out',
    f('clean.png'),
    '--picture',
    f('compare.svg'),
    '--json',
  ];
  const { stdout, code } = await callCli(['image', 'denoise', f(args[0]), ...args.slice(1)]);
  expect(code).toBe(0);
  const { before, after, sigma, estimated } = JSON.parse(stdout);
  expect(estimated).toBe(true);
  expect(Math.abs(sigma - 20)).toBeLessThan(4);
  expect(after.psnr).toBeGreaterThan(before.psnr + 5);
  expect(after.ssim).toBeGreaterThan(before.ssim);
  expect(quality(scene(48, 40), await readPicture(f('clean.png')))).toBeCloseTo(after.psnr, 1);
  expect(readFileSync(f('compare.svg'), 'utf8').match(/<image /g)).toHaveLength(4);
});

it('grey that is stored as colour is denoised as grey, and opacity is kept', async () => {
  const noisy = withNoise(scene(48, 40), 20, 5);
  const grey = { width: 48, height: 40, pixels: pixelsLike(new Uint8Array(0), noisy.pixels) };
  const alpha = Uint8Array.from({ length: 48 * 40 }, (_, k) => (k * 37) % 256);
  await writePicture(f('rgba.png'), { ...inColour(grey, 'rgb'), alpha });
  const args = ['--stride', '2', '--threads', '1', '--backend', 'wasm', '--out', f('rgba-clean.png')];
  expect((await callCli(['image', 'denoise', f('rgba.png'), ...args])).code).toBe(0);
  const clean = await readPicture(f('rgba-clean.png'), undefined, { transparency: 'keep' });
  const { picture } = await denoise(grey, { stride: 2 }, { threads: 1, backend: 'wasm' });
  expect(clean).toEqual({ ...inColour(picture, 'rgb'), alpha });
  expect(quality(scene(48, 40), picture)).toBeGreaterThan(quality(scene(48, 40), grey) + 4);
  const shown = await readPicture(f('rgba.png')); // what is transparent becomes white
  shown.pixels.forEach((value, k) => {
    const opacity = alpha[Math.floor(k / 3)] / 255;
    expect(Math.abs(value - (255 + opacity * (grey.pixels[Math.floor(k / 3)] - 255)))).toBeLessThanOrEqual(0.5);
  });
  await writePicture(f('rgba.npy'), clean);
  expect((await readArray(f('rgba.npy'))).shape).toEqual([40, 48, 3]);
});

it('says that no noise was found', async () => {
  await writePicture(f('flat.png'), { width: 20, height: 16, pixels: new Uint8Array(320).fill(90) });
  const args = ['image', 'denoise', f('flat.png'), '--out', f('flat-clean.png'), '--json'];
  const { stdout, stderr, code } = await callCli(args);
  const remark = 'no noise was found, so the picture is unchanged; give its strength with --sigma S';
  expect([code, stderr]).toEqual([0, `image denoise: ${remark}.\n`]);
  expect(JSON.parse(stdout)).toMatchObject({ sigma: 0, estimated: true, remarks: [remark] });
  const told = await callCli([...args, '--sigma', '0']);
  expect([told.stderr, JSON.parse(told.stdout).remarks]).toEqual(['', undefined]);
});

/** The header of a PNG file, and no pixels. */
function headerOfPng(width: number, height: number): Uint8Array {
  const file = encodePng({ width: 1, height: 1, pixels: Uint8Array.of(0) });
  const view = new DataView(file.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  view.setUint32(29, crc32(file.subarray(12, 29)));
  return file;
}

it.each([
  ['drawing.png', () => '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', /type PNG, .*; got SVG\.$/],
  ['film.webp', () => 'GIF89a', /must hold a picture of type PNG, JPEG, WebP or TIFF; got GIF\.$/],
  ['words.jpg', () => 'not a picture', /; got something else\.$/],
  ['huge.png', () => headerOfPng(20_000, 30_000), /must have at most 268435456 pixels; got 20000 × 30000\.$/],
])('%s is refused before it is decoded', async (name, content, expected) => {
  writeFileSync(f(name), content());
  for (const args of [
    ['image', 'denoise', f(name), '--out', f('x.png')],
    ['learn', f(name), '--out', f('x.npz')],
  ]) {
    const { code, stderr } = await callCli(args);
    expect(code).toBe(2);
    expect(stderr.trimEnd()).toMatch(expected);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  }
});

it('a picture is compressed and restored', async () => {
  const compressed = await callCli([
    'image',
    'compress',
    f('photos/a.png'),
    '--quality',
    '36',
    '--out',
    f('a.npz'),
    '--json',
  ]);
  const { psnr, bytes } = JSON.parse(compressed.stdout);
  expect(psnr).toBeGreaterThanOrEqual(36);
  expect(bytes).toBe(readFileSync(f('a.npz')).length);
  expect((await callCli(['image', 'restore', f('a.npz'), '--out', f('again.npy')])).code).toBe(0);
  const { pixels, ...size } = await readPicture(f('photos/a.png'));
  const again = await readArray(f('again.npy'));
  expect(again.shape).toEqual([size.height, size.width]);
  expect(quality({ ...size, pixels }, await readPicture(f('again.npy')))).toBeCloseTo(psnr, 5);
});

it('a model cuts out the patches that it was learned from', async () => {
  const encoded = await callCli(['encode', f('model.npz'), f('photos/a.png'), '--out', f('codes.npy'), '--json']);
  expect(JSON.parse(encoded.stdout)).toMatchObject({ samples: 37 * 31, components: 24 });
  const other = await callCli([
    'encode',
    f('model.npz'),
    f('photos/a.png'),
    '--patches',
    '6x4',
    '--out',
    f('codes.npy'),
  ]);
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringMatching(/patches must be those of the model; got 6×4 where it has 4×6/),
  ]);
});

it.each([
  [['learn', 'photos/a.png', '--patches', '8', '--columns', '2', '--out', 'x.npz'], /for --columns; got \.png/],
  [['learn', 'noisy.npy', '--patches', '8x8', '--out', 'x.npz'], /must be a picture .* for --patches; got \.npy/],
  [['learn', 'photos/a.png', '--patches', '8by8', '--out', 'x.npz'], /--patches must be of the form 8x8; got "8by8"/],
  [['learn', 'photos/a.png', '--patches', '80x8', '--out', 'x.npz'], /width must be a whole number from 1 to 40/],
  [['learn', 'photos/a.png', '--limit', '0', '--out', 'x.npz'], /limit must be a whole number from 1, or all; got 0/],
  [['image', 'denoise', 'noisy.npy', '--out', 'x.bmp'], /must end in one of \.png/],
  [
    ['image', 'denoise', 'noisy.npy', '--truth', 'photos/a.png', '--out', 'x.png'],
    /must be 48 × 40 pixels, .*got 40 × 36/,
  ],
  [
    ['image', 'denoise', 'noisy.npy', '--model', 'model.npz', '--out', 'x.png'],
    /must be learned from square patches in grey; got 4 × 6\./,
  ],
  [
    ['image', 'denoise', 'noisy.npy', '--stride', '9', '--out', 'x.png'],
    /stride must be at most 8, the side of a patch; got 9/,
  ],
  [['image', 'denoise', 'noisy.npy', '--sigm', '3', '--out', 'x.png'], /unknown option '--sigm'/],
  [['image', 'restore', 'model.npz', '--out', 'x.png'], /must be a picture written by orthodict image compress/],
  [
    ['image', 'compress', 'noisy.npy', '--quality', '30', '--keep', '2', '--out', 'x.npz'],
    /keep must be given without quality/,
  ],
])('%j is refused', async (args, expected) => {
  const files = args.map((word) => (/\.(png|npy|npz|bmp)$/.test(word) ? f(word) : word));
  const { code, stderr } = await callCli(files);
  expect(code).toBe(2);
  expect(stderr).toMatch(expected);
  expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(expected)]);
});
