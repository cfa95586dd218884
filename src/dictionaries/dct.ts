/**
 * Atoms of the discrete cosine transform (DCT-II): the fixed basis to compare learned bases of signals and pictures
 * with.
 *
 *     one dimension     c_k(x) = √((2 − [k = 0])/n) cos(π(2x + 1)k/(2n))
 *     two dimensions    c_v(y) c_u(x)      in colour c_v(y) c_u(x) c_w(channel): brightness and two differences
 */
import { demand, inputError } from '../core/errors.ts';
import { type Matrix64, zeros } from '../core/matrix.ts';
import { text } from '../core/options.ts';
import type { PatchShape } from '../engine/source/source.ts';

/** Returns width·height·channels orthogonal atoms, each a picture of width·height pixels, row by row. */
export function dctAtoms(width: number, height: number, channels: 1 | 3 = 1): Matrix64 {
  for (const [name, size] of Object.entries({ width, height })) {
    demand(Number.isInteger(size) && size >= 1, 'dctAtoms', name, 'a whole number from 1', size);
  }
  const n = width * height * channels;
  const atoms = zeros(n, n);
  for (let k = 0; k < n; k++) {
    const [v, u, w] = placeOf(k, width, channels);
    for (let i = 0; i < n; i++) {
      const [y, x, c] = placeOf(i, width, channels);
      atoms.data[k * n + i] = cosine(v, y, height) * cosine(u, x, width) * cosine(w, c, channels);
    }
  }
  return atoms;
}

/** Returns row, column and channel of number `k` of a picture. */
const placeOf = (k: number, width: number, channels: number): readonly [number, number, number] => {
  const pixel = Math.floor(k / channels);
  return [Math.floor(pixel / width), pixel % width, k % channels];
};

/** Defines the option that chooses the transform: samples are signals, or pictures of the given rows and columns. */
export const dctShapeOption = (unless: string) =>
  text(/^[1-9]\d*x[1-9]\d*(x3)?$/, {
    placeholder: 'RxC',
    mustBe: 'ROWSxCOLUMNS, such as 8x8, or 8x8x3 for colour',
    help: `samples are pictures of R rows and C columns, such as 8x8, or 8x8x3 for colour; default: ${unless}`,
  });

/** Returns the DCT for samples of n features: one-dimensional, or pictures of shape `ROWSxCOLUMNS`, row by row. */
export function dctOfShape(who: string, n: number, shape?: string): Matrix64 {
  const { width, height, channels } = requireDctShape(who, n, shape);
  return dctAtoms(width, height, channels);
}

export function requireDctShape(
  who: string,
  n: number,
  shape = `1x${n}`,
): { readonly width: number; readonly height: number; readonly channels: 1 | 3 } {
  const [height, width, channels = 1] = shape.split('x').map(Number);
  if (height * width * channels !== n) {
    throw inputError(who, 'dctShape', `of ${n} numbers, the features of a sample`, shape);
  }
  return { width, height, channels: channels as 1 | 3 };
}

/** Formats the shape of patches of pictures. */
export const dctShapeOf = ({ width, height, channels }: PatchShape): string =>
  `${height}x${width}${channels === 3 ? 'x3' : ''}`;

/** Lists possible shapes of n numbers: a signal, or a square picture. */
export function possibleDctShapes(n: number): string[] {
  const side = Math.round(Math.sqrt(n));
  return [`1x${n}`, ...(side > 1 && side ** 2 === n ? [`${side}x${side}`] : [])];
}

const cosine = (k: number, x: number, length: number): number =>
  Math.sqrt((k === 0 ? 1 : 2) / length) * Math.cos((Math.PI * (2 * x + 1) * k) / (2 * length));
