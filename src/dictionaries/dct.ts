/**
 * The discrete cosine transform (DCT-II) as atoms: the fixed basis to compare learned bases of signals and pictures
 * with.
 *
 *     one dimension     c_k(x) = √((2 − [k = 0])/n) cos(π(2x + 1)k/(2n))
 *     two dimensions    c_v(y) c_u(x)
 */
import { inputError } from '../core/errors.ts';
import { type Matrix64, zeros } from '../core/matrix.ts';

/** width·height orthogonal atoms, each a picture of width·height pixels, row by row. */
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

/** For samples of n features: one-dimensional, or pictures of shape `ROWSxCOLUMNS`, row by row. */
export function dctOfShape(n: number, shape?: string): Matrix64 {
  const { width, height } = requireDctShape(n, shape);
  return dctAtoms(width, height);
}

export function requireDctShape(n: number, shape = `1x${n}`): { readonly width: number; readonly height: number } {
  const [height, width] = shape.split('x').map(Number);
  if (height * width !== n) throw inputError('learn', 'dctShape', `of ${n} numbers, the features of a sample`, shape);
  return { width, height };
}

const cosine = (k: number, x: number, length: number): number =>
  Math.sqrt((k === 0 ? 1 : 2) / length) * Math.cos((Math.PI * (2 * x + 1) * k) / (2 * length));
