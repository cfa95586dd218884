/** Pictures and compressed pictures: refused, or a picture of the size that the patches promise. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMatrix } from '#src/node/io/arrays.ts';
import { loadPicture, savePicture } from '#src/node/io/picture-archive.ts';
import { readPicture, writePicture } from '#src/node/io/picture-file.ts';
import { compressPicture, restorePicture } from '#src/pictures/compress.ts';
import { requirePicture } from '#src/pictures/picture.ts';
import { scene } from '../../pictures/scenes.ts';
import { fileTarget, type WholeFile } from '../files.ts';

const SIDE = 4;

async function whole(): Promise<WholeFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'orthodict-fuzz-'));
  try {
    const names = ['grey.png', 'colour.png', 'photo.jpg', 'photo.webp', 'deep.tiff', 'pixels.npy'];
    for (const [k, name] of names.entries()) await writePicture(join(folder, name), scene(23, 17, k === 0 ? 1 : 3));
    const { compressed } = await compressPicture(scene(23, 17), { patch: SIDE });
    await savePicture(join(folder, 'small.npz'), compressed);
    const bytesOf = (name: string) => readFileSync(join(folder, name));
    return [...names, 'small.npz'].map((name) => ({ name, parts: [bytesOf(name)], pack: ([part]) => part }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const pictures = fileTarget({
  name: 'pictures',
  about: 'pictures in files, compressed ones too: refused, or read as a picture',
  cases: 300,
  words: ['IHDR', 'IDAT', 'IEND', '\xff\xd8', '\xff\xda', 'RIFF', 'WEBP', 'VP8 ', 'II*\0', '"width":', '1e9', 'codes1'],
  whole,
  async read(path) {
    if (path.endsWith('.npz')) {
      requirePicture('restored', await restorePicture(await loadPicture(path)));
      return;
    }
    const { width, height } = await readPicture(path);
    if (path.endsWith('.npy') || Math.min(width, height) < SIDE) return;
    const quiet = { onRemark() {} };
    const { rows } = await readMatrix(path, { pictures: { patches: { width: SIDE, height: SIDE } }, table: quiet });
    const promised = Math.min(100_000, (width - SIDE + 1) * (height - SIDE + 1));
    if (rows !== promised) throw new Error(`${rows} patches of a picture of ${width}×${height} pixels`);
  },
});
