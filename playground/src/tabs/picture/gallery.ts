/** Atoms as tiles on a canvas. */
import { atomGallery, type PatchShape } from 'orthodict';

export interface PictureAtoms {
  /** Atoms one after another, each row by row. */
  readonly atoms: Float32Array;
  readonly count: number;
  readonly patch: PatchShape;
  /** The share of the energy by atom, once learning is complete. */
  readonly energies?: readonly number[] | undefined;
}

/** Gap between tiles, in pixels of atoms. */
const GAP = 1;

/** Layout of the tiles, in pixels of atoms. */
export class Tiling {
  readonly columns: number;
  /** Distance from one tile to the next. */
  readonly pitch: number;
  readonly width: number;

  constructor(
    readonly count: number,
    side: number,
  ) {
    this.columns = Math.ceil(Math.sqrt(count));
    this.pitch = side + GAP;
    this.width = this.columns * this.pitch - GAP;
  }

  /** The atom at a place, if there is one. */
  atomAt(x: number, y: number): number | undefined {
    const column = Math.floor(x / this.pitch);
    const atom = Math.floor(y / this.pitch) * this.columns + column;
    return column >= 0 && column < this.columns && atom >= 0 && atom < this.count ? atom : undefined;
  }

  placeOf(atom: number): readonly [number, number] {
    return [(atom % this.columns) * this.pitch, Math.floor(atom / this.columns) * this.pitch];
  }
}

export interface Marked {
  readonly atom: number | undefined;
  readonly colour: string;
}

/** Draws the gallery. `scale`: pixels of the screen per pixel of an atom. */
export function drawGallery(canvas: HTMLCanvasElement, shown: PictureAtoms, scale: number, mark: Marked): void {
  const { atoms, count, patch } = shown;
  const tiling = new Tiling(count, patch.width);
  const gallery = imageOf(
    atomGallery({ rows: count, cols: atoms.length / count, data: atoms }, { ...patch, gap: 0, columns: 1 }),
  );
  const rows = Math.ceil(count / tiling.columns);
  Object.assign(canvas, { width: tiling.width * scale, height: (rows * tiling.pitch - GAP) * scale });
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingEnabled = false;
  const { width, height } = patch;
  for (let atom = 0; atom < count; atom++) {
    const [left, top] = tiling.placeOf(atom).map((place) => place * scale);
    context.drawImage(gallery, 0, atom * height, width, height, left, top, width * scale, height * scale);
  }
  if (mark.atom === undefined || mark.atom >= count) return;
  const [left, top] = tiling.placeOf(mark.atom).map((place) => place * scale);
  const line = Math.max(scale, 2 * devicePixelRatio);
  Object.assign(context, { strokeStyle: mark.colour, lineWidth: line });
  context.strokeRect(left + line / 2, top + line / 2, width * scale - line, height * scale - line);
}

/** Converts a picture to a drawable image. */
function imageOf({ width, height, pixels, channels = 1 }: ReturnType<typeof atomGallery>): OffscreenCanvas {
  const image = new ImageData(width, height);
  for (let k = 0; k < width * height; k++) {
    for (let c = 0; c < 3; c++) image.data[4 * k + c] = pixels[k * channels + (c % channels)];
    image.data[4 * k + 3] = 255;
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas;
}
