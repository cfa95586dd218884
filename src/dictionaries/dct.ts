/**
 * The discrete cosine transform (DCT-II) as atoms: the fixed basis to compare learned bases of signals and pictures
 * with.
 *
 *     one dimension     c_k(x) = √((2 − [k = 0])/n) cos(π(2x + 1)k/(2n))
 *     two dimensions    c_v(y) c_u(x)
 */
import { demand, inputError } from '../core/errors.ts';
import { type Matrix64, zeros } from '../core/matrix.ts';
import { text } from '../core/options.ts';

/** width·height orthogonal atoms, each a picture of width·height pixels, row by row. */
export function dctAtoms(width: number, height: number): Matrix64 {
  for (const [name, size] of Object.entries({ width, height })) {
    demand(Number.isInteger(size) && size >= 1, 'dctAtoms', name, 'a whole number from 1', size);
  }
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

/** The option that says which transform: samples are signals, or pictures of so many rows and columns. */
export const dctShapeOption = (unless: string) =>
  text(/^[1-9]\d*x[1-9]\d*$/, {
    placeholder: 'RxC',
    mustBe: 'ROWSxCOLUMNS, as in 8x8',
    help: `samples are pictures of R rows and C columns, as in 8x8; default: ${unless}`,
  });

/** For samples of n features: one-dimensional, or pictures of shape `ROWSxCOLUMNS`, row by row. */
export function dctOfShape(who: string, n: number, shape?: string): Matrix64 {
  const { width, height } = requireDctShape(who, n, shape);
  return dctAtoms(width, height);
}

export function requireDctShape(
  who: string,
  n: number,
  shape = `1x${n}`,
): { readonly width: number; readonly height: number } {
  const [height, width] = shape.split('x').map(Number);
  if (height * width !== n) throw inputError(who, 'dctShape', `of ${n} numbers, the features of a sample`, shape);
  return { width, height };
}

/** A square if n is a square number, as patches of pictures mostly are; otherwise one-dimensional. */
export function guessDctShape(n: number): string {
  const side = Math.round(Math.sqrt(n));
  return side > 1 && side ** 2 === n ? `${side}x${side}` : `1x${n}`;
}

const cosine = (k: number, x: number, length: number): number =>
  Math.sqrt((k === 0 ? 1 : 2) / length) * Math.cos((Math.PI * (2 * x + 1) * k) / (2 * length));
