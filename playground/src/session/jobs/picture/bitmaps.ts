/** Pictures as the page draws them. */
import type { Picture } from 'orthodict';

/** What to show: the picture, or its difference from another. */
export type View = 'picture' | 'error';

/** Difference, with white = 255, that is drawn white or black in an error map. */
export const FULL_ERROR = 32;
const MID_GREY = 128;
const SWING = 127;

export const bitmapOf = (picture: Picture): Promise<ImageBitmap> => paint(picture, picture.pixels);

/** Draws differences: mid-grey where there are none, lighter where the picture is too bright, darker where it is too dark. */
function errorMap(picture: Picture, reference: Picture): Promise<ImageBitmap> {
  const shades = new Uint8ClampedArray(picture.pixels.length);
  for (let k = 0; k < shades.length; k++) {
    shades[k] = MID_GREY + (SWING / FULL_ERROR) * (picture.pixels[k] - reference.pixels[k]);
  }
  return paint(picture, shades);
}

/** The picture, or its errors. */
export const viewOf = (view: View, picture: Picture, reference: Picture): Promise<ImageBitmap> =>
  view === 'error' ? errorMap(picture, reference) : bitmapOf(picture);

function paint({ width, height, channels = 1 }: Picture, shades: ArrayLike<number>): Promise<ImageBitmap> {
  const image = new ImageData(width, height);
  const { data } = image;
  const [green, blue] = channels === 3 ? [1, 2] : [0, 0];
  for (let k = 0; k < width * height; k++) {
    const from = k * channels;
    data[4 * k] = shades[from];
    data[4 * k + 1] = shades[from + green];
    data[4 * k + 2] = shades[from + blue];
    data[4 * k + 3] = 255;
  }
  return createImageBitmap(image);
}
