/** The two-dimensional discrete cosine transform as atoms: the fixed basis that learned ones of pictures are compared with. */
import { type Matrix64, zeros } from '../matrix.ts';

/** width·height atoms of that length, rows of pixels; orthogonal. */
export function dctAtoms(width: number, height: number): Matrix64 {
  const n = width * height;
  const atoms = zeros(n, n);
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          atoms.data[(v * width + u) * n + y * width + x] = cosine(v, y, height) * cosine(u, x, width);
        }
      }
    }
  }
  return atoms;
}

const cosine = (k: number, x: number, length: number): number =>
  Math.sqrt((k === 0 ? 1 : 2) / length) * Math.cos((Math.PI * (2 * x + 1) * k) / (2 * length));
