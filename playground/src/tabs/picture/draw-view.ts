/** Draws a part of a picture on a canvas, sharp on fine screens. */
import type { AtomUse } from '../../session/jobs/picture/rebuild.ts';
import type { Region } from './zoom.svelte.ts';

interface Drawing {
  readonly bitmap: ImageBitmap | undefined;
  readonly region: Region | undefined;
  readonly use: AtomUse | undefined;
  /** Width of the canvas on the page. */
  readonly width: number;
  readonly height: number;
}

/** Darkness, of 255, of a tile that does not use the atom. */
const VEIL = 185;

export function drawView(canvas: HTMLCanvasElement, { bitmap, region, use, width, height }: Drawing): void {
  const pixels = (length: number) => Math.max(1, Math.round(length * devicePixelRatio));
  Object.assign(canvas, { width: pixels(width), height: pixels(height) }); // setting the size clears the canvas
  const context = canvas.getContext('2d');
  if (!context || !bitmap || !region) return;
  const scale = Math.min(canvas.width / region.width, canvas.height / region.height);
  context.translate((canvas.width - scale * region.width) / 2, (canvas.height - scale * region.height) / 2);
  context.scale(scale, scale);
  context.beginPath();
  context.rect(0, 0, region.width, region.height);
  context.clip();
  context.translate(-region.left, -region.top);
  context.imageSmoothingEnabled = scale < 2;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0);
  if (!use) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(veil(use), 0, 0, use.columns * use.side, use.rows * use.side);
}

/** Draws one pixel per tile: darker where the atom is used less. */
function veil({ columns, rows, strengths }: AtomUse): OffscreenCanvas {
  const image = new ImageData(columns, rows);
  strengths.forEach((strength, tile) => {
    image.data[4 * tile + 3] = VEIL * (1 - strength / 255);
  });
  const canvas = new OffscreenCanvas(columns, rows);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas;
}
