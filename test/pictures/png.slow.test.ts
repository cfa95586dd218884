/** Pictures written here are read by Pillow. */
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import type { Picture } from '#src/pictures/picture.ts';
import { encodePng } from '#src/pictures/png.ts';
import { itUnless } from '../helpers/skip.ts';

const PYTHON = '/usr/bin/python3';
const DECODE = `
import io, sys
from PIL import Image
image = Image.open(io.BytesIO(sys.stdin.buffer.read()))
sys.stdout.buffer.write(f'{image.mode} {image.width} {image.height}\\n'.encode() + image.tobytes())
`;
const missing = spawnSync(PYTHON, ['-c', 'import PIL']).status === 0 ? undefined : `${PYTHON} has no Pillow`;

for (const [mode, channels] of [
  ['L', 1],
  ['RGB', 3],
] as const) {
  itUnless(missing, `encodePng is read by Pillow as mode ${mode}`, () => {
    const image: Picture = {
      width: 300,
      height: 7,
      channels,
      pixels: Uint8Array.from({ length: 2100 * channels }, (_, at) => (at * at) % 251),
    };
    const { stdout, stderr } = spawnSync(PYTHON, ['-c', DECODE], { input: encodePng(image) });
    expect(stderr.toString()).toBe('');
    const end = stdout.indexOf('\n');
    expect(stdout.subarray(0, end).toString()).toBe(`${mode} 300 7`);
    expect(new Uint8Array(stdout.subarray(end + 1))).toEqual(image.pixels);
  });
}
