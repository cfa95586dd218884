/**
 * The planes of a picture that are denoised or compressed one by one: grey unchanged; colour rotated by an orthogonal
 * matrix into brightness and two differences, which are nearly uncorrelated in photographs. White noise stays white and
 * as strong in each of them.
 *
 *     brightness (R + G + B)/√3      red to blue (R − B)/√2      green to purple (R − 2G + B)/√6
 *
 * Units: 255 for a white channel, whatever the picture stores.
 */
import type { Matrix } from '../core/matrix.ts';
import { sharedZeros } from '../core/shared-memory.ts';
import { type Picture, type Pixels, pixelsLike, whiteOf } from './picture.ts';

export const WHITE = 255;

const COLOURS = [
  [1, 1, 1].map((x) => x / Math.sqrt(3)),
  [1, 0, -1].map((x) => x / Math.sqrt(2)),
  [1, -2, 1].map((x) => x / Math.sqrt(6)),
];

/** The orthogonal matrix from channels to planes: row p has the weights of the channels in plane p. */
export const mixOf = (channels: number): readonly (readonly number[])[] => (channels === 1 ? [[1]] : COLOURS);

/** The planes of a picture, each height×width, float32, in shared memory if the platform has it. */
export function planesOf({ width, height, pixels, channels = 1 }: Picture<Pixels>): Matrix<Float32Array>[] {
  const unit = WHITE / whiteOf(pixels);
  return mixOf(channels).map((parts) => {
    const plane = sharedZeros(height, width, 'f32') as Matrix<Float32Array>;
    for (let k = 0; k < plane.data.length; k++) {
      let sum = 0;
      for (let c = 0; c < channels; c++) sum += parts[c] * pixels[k * channels + c];
      plane.data[k] = unit * sum;
    }
    return plane;
  });
}

/** The inverse of {@link planesOf}, in pixels of the same kind as in `like`. */
export function pictureOfPlanes<P extends Pixels>(planes: readonly Matrix[], like: P): Picture<P> {
  const { rows: height, cols: width } = planes[0];
  const channels = planes.length === 1 ? 1 : 3;
  const mix = mixOf(channels);
  const values = new Float32Array(width * height * channels);
  for (let k = 0; k < width * height; k++) {
    for (let c = 0; c < channels; c++) {
      let sum = 0;
      for (let p = 0; p < planes.length; p++) sum += mix[p][c] * planes[p].data[k];
      values[k * channels + c] = sum / WHITE;
    }
  }
  return { width, height, channels, pixels: pixelsLike(like, values) };
}
