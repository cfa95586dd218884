/** Pictures with text as SVG: atoms with their numbers, and pictures side by side. Tiles are embedded PNG pictures. */
import { demand } from '../core/errors.ts';
import { type Matrix, rowRange } from '../core/matrix.ts';
import { printable } from '../core/printable.ts';
import { requireMatrixForm, requireObject } from '../core/require-matrix.ts';
import { atomGallery, type GalleryOptions, tileShape } from './gallery.ts';
import type { Picture } from './picture.ts';
import { encodePng } from './png.ts';

/** How atoms are drawn with labels. */
export interface LabelledOptions extends Pick<GalleryOptions, 'width' | 'height' | 'channels' | 'columns'> {
  /** Written above the atoms. */
  readonly title: string;
  /** A label for each atom, drawn below it. */
  readonly labels: readonly string[];
}

const MARGIN = 16;
const TITLE = 28;
const CAPTION = 15;
const GAP = 8;
/** Sides of tiles on the page: the more tiles, the smaller. */
const TILE = { least: 32, most: 64, page: 960 };
/** Least width of a picture with a caption above it. */
const PANEL = 400;
const FONT = 'DejaVu Sans, Verdana, Arial, sans-serif';

/** Draws one tile per atom (row), in reading order, with a title above and a label below each tile. */
export function labelledGallery(atoms: Matrix, options: LabelledOptions): string {
  requireMatrixForm('labelledGallery', 'atoms', atoms);
  requireObject('labelledGallery', 'options', options, 'an object with title and labels', ['labels']);
  const { title, labels, channels = 1 } = options;
  const shape = tileShape(atoms, options);
  const isStrip = shape.height === 1 && atoms.cols > 1;
  const columns = options.columns ?? (isStrip ? 1 : Math.ceil(Math.sqrt(atoms.rows)));
  const wanted = Math.min(TILE.most, Math.max(TILE.least, TILE.page / columns - GAP));
  const scale = Math.max(1, Math.round(wanted / Math.max(shape.width, shape.height)));
  const size = { width: shape.width * scale, height: shape.height * (isStrip ? Math.max(scale, CAPTION) : scale) };
  const step = { x: Math.max(size.width, TILE.least + GAP) + GAP, y: size.height + CAPTION + GAP };
  const tiles = labels.map((label, k) => {
    const tile = atomGallery(rowRange(atoms, k, k + 1), { ...shape, channels, gap: 0, columns: 1, scale: 2 * scale }); // crisp on fine screens too
    const { x, y } = placeOf(k, columns, step);
    return image(tile, { x, y, ...size }) + text(label, x + size.width / 2, y + size.height + 11, 9, 'middle');
  });
  const rows = Math.ceil(atoms.rows / columns);
  const width = Math.max(MARGIN * 2 + columns * step.x - GAP, 360);
  return page(width, MARGIN * 2 + TITLE + rows * step.y, [heading(title), ...tiles]);
}

/** A picture with a caption above it. */
export interface Panel {
  readonly caption: string;
  readonly picture: Picture;
}

/** Draws pictures of one size side by side, in two rows if they are wide. */
export function panels(title: string, pictures: readonly Panel[]): string {
  const isList = Array.isArray(pictures) && pictures.length > 0;
  demand(
    isList,
    'panels',
    'pictures',
    'an array of at least one panel',
    Array.isArray(pictures) ? 'none' : typeof pictures,
  );
  for (const panel of pictures) requireObject('panels', 'pictures', panel, 'panels with a picture', ['picture']);
  const { width: w, height: h } = pictures[0].picture;
  const columns = w > 1.6 * h ? Math.ceil(Math.sqrt(pictures.length)) : pictures.length;
  const scale = Math.max(1, Math.ceil(PANEL / w));
  const size = { width: w * scale, height: h * scale };
  const step = { x: size.width + GAP, y: size.height + CAPTION + GAP };
  const drawn = pictures.map(({ caption, picture }, k) => {
    const { x, y } = placeOf(k, columns, step);
    return text(caption, x, y + 10, 11) + image(picture, { x, y: y + CAPTION, ...size });
  });
  const rows = Math.ceil(pictures.length / columns);
  return page(MARGIN * 2 + columns * step.x - GAP, MARGIN * 2 + TITLE + rows * step.y, [heading(title), ...drawn]);
}

/** The upper left corner of picture k below the title. */
const placeOf = (k: number, columns: number, step: { readonly x: number; readonly y: number }) => ({
  x: MARGIN + (k % columns) * step.x,
  y: MARGIN + TITLE + Math.floor(k / columns) * step.y,
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function image(picture: Picture, { x, y, width, height }: Box): string {
  const place = `x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="none"`;
  const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="#ccc"/>`;
  return `${frame}<image ${place} image-rendering="optimizeSpeed" style="image-rendering:pixelated" href="data:image/png;base64,${base64(encodePng(picture))}"/>`;
}

const heading = (title: string): string => text(title, MARGIN, MARGIN + 12, 14);

function text(words: string, x: number, y: number, size: number, anchor = 'start'): string {
  const safe = printable(words, Number.POSITIVE_INFINITY).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="#222">${safe}</text>`;
}

function page(width: number, height: number, parts: readonly string[]): string {
  const attributes = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="100%" height="100%" fill="#fff"/>${parts.join('\n')}</svg>\n`;
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let k = 0; k < bytes.length; k += 8192) binary += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(binary);
}
