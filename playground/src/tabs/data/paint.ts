/** Numbers as colours: one colour for negative, another for positive ones, the background between. */
import { ramp } from '../../parts/ramp.ts';
import type { Theme } from '../../theme.svelte.ts';

const palettes = new Map<Theme, Uint8ClampedArray>();

/** 256 colours from negative to positive, in the theme that is shown. */
export function palette(theme: Theme): Uint8ClampedArray {
  const colours = palettes.get(theme) ?? ramp('series-2', 'panel', 'series-1');
  palettes.set(theme, colours);
  return colours;
}

/** Exponent of the scale; below 1, small numbers are visible, too. */
const GAMMA = 0.7;

/** Draws rows × cols numbers on a canvas of as many pixels; `most` gets the full colour. */
export function paint(
  canvas: HTMLCanvasElement,
  { rows, cols, data }: { readonly rows: number; readonly cols: number; readonly data: ArrayLike<number> },
  most: number,
  colours: Uint8ClampedArray,
): void {
  canvas.width = cols;
  canvas.height = rows;
  const context = canvas.getContext('2d');
  if (!context || rows * cols === 0) return;
  const image = context.createImageData(cols, rows);
  for (let at = 0; at < rows * cols; at++) {
    const value = most > 0 ? Math.max(-1, Math.min(1, data[at] / most)) : 0;
    const place = Math.round(127.5 * (1 + Math.sign(value) * Math.abs(value) ** GAMMA));
    image.data.set(colours.subarray(4 * place, 4 * place + 4), 4 * at);
  }
  context.putImageData(image, 0, 0);
}

export function largest(data: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < data.length; at++) most = Math.max(most, Math.abs(data[at]));
  return most;
}
