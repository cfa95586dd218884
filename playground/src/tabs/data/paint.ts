/** Numbers as colours: one colour for negative, another for positive ones, the ground between. */
import { colour } from '../../theme.svelte.ts';

type Rgb = readonly [number, number, number];

/** `#rgb` or `#rrggbb`: the build shortens what it can. */
function rgb(name: string): Rgb {
  const digits = colour(name).trim().slice(1);
  const hex = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
}

/** Read it where `theme.current` is read. */
export interface Palette {
  readonly ground: Rgb;
  readonly negative: Rgb;
  readonly positive: Rgb;
}

export const palette = (): Palette => ({
  ground: rgb('panel'),
  negative: rgb('series-2'),
  positive: rgb('series-1'),
});

/** Draws rows × cols numbers on a canvas of as many pixels; `most` has the full colour. */
export function paint(
  canvas: HTMLCanvasElement,
  numbers: { readonly rows: number; readonly cols: number; readonly data: ArrayLike<number> },
  most: number,
  { ground, negative, positive }: Palette,
): void {
  const { rows, cols, data } = numbers;
  canvas.width = cols;
  canvas.height = rows;
  const context = canvas.getContext('2d');
  if (!context || rows * cols === 0) return;
  const image = context.createImageData(cols, rows);
  for (let at = 0; at < rows * cols; at++) {
    const value = most > 0 ? Math.max(-1, Math.min(1, data[at] / most)) : 0;
    const end = value < 0 ? negative : positive;
    const weight = Math.abs(value) ** 0.7; // small ones are seen too
    for (let c = 0; c < 3; c++) image.data[4 * at + c] = ground[c] + weight * (end[c] - ground[c]);
    image.data[4 * at + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}

export function largest(data: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < data.length; at++) most = Math.max(most, Math.abs(data[at]));
  return most;
}
