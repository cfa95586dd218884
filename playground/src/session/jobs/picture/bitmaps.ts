/** Pictures as the page draws them. */
import type { Picture } from 'orthodict';

/** What is seen: the picture, or how it differs from another. */
export type View = 'picture' | 'error';

/** A difference of this much, of 255, is white or black in a map of errors. */
export const FULL_ERROR = 32;
const MID_GREY = 128;
const SWING = 127;

export const bitmapOf = (picture: Picture): Promise<ImageBitmap> => paint(picture, (value) => value);

/** Mid-grey where both are the same, lighter where the picture is too bright, darker where it is too dark. */
export const errorMap = (picture: Picture, { pixels }: Picture): Promise<ImageBitmap> =>
  paint(picture, (value, at) => MID_GREY + (SWING / FULL_ERROR) * (value - pixels[at]));

/** The picture, or its errors. */
export const viewOf = (view: View, picture: Picture, reference: Picture): Promise<ImageBitmap> =>
  view === 'error' ? errorMap(picture, reference) : bitmapOf(picture);

function paint({ width, height, pixels, channels = 1 }: Picture, shade: (value: number, at: number) => number) {
  const image = new ImageData(width, height);
  for (let k = 0; k < width * height; k++) {
    for (let c = 0; c < 3; c++) {
      const at = k * channels + (channels === 3 ? c : 0);
      image.data[4 * k + c] = shade(pixels[at], at);
    }
    image.data[4 * k + 3] = 255;
  }
  return createImageBitmap(image);
}
