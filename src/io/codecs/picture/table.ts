/** Opens pictures as tables of patches, one patch a row, in units of 255 for white whatever the file stores. */
import type { FloatArray } from '../../../core/matrix.ts';
import type { PatchShape } from '../../../engine/source/source.ts';
import { inColour } from '../../../pictures/colour.ts';
import { patchPlaces, spread } from '../../../pictures/patch-grid.ts';
import { cutPatches } from '../../../pictures/patches.ts';
import { whiteOf } from '../../../pictures/picture.ts';
import type { Bytes } from '../../bytes/bytes.ts';
import { changedWhileRead } from '../../bytes/fingerprint.ts';
import { fillFrom, PIECE_LENGTH, type Table } from '../../tables/table.ts';
import type { PatchReading, PictureDecoder } from './reading.ts';

const SIDE = 8;
const LIMIT = 100_000;
const WHITE = 255;

function shapeOf({ like, patches, color }: PatchReading): PatchShape {
  const { width, height } = patches ?? like ?? { width: SIDE, height: SIDE };
  return { width, height, channels: color === undefined ? (like?.channels ?? 1) : color === 'grey' ? 1 : 3 };
}

/** Opens a picture as a table of all patches of the grid; its pixels are read with them. */
export async function openPictureTable(bytes: Bytes, reading: PatchReading, decoder: PictureDecoder): Promise<Table> {
  const patch = shapeOf(reading);
  const grid = { ...patch, stride: reading.stride };
  const size = await decoder.size(bytes);
  const places = patchPlaces(bytes.name, size, grid);
  const { count } = places;
  const cols = patch.width * patch.height * patch.channels;
  const inPiece = Math.max(1, Math.floor(PIECE_LENGTH / cols));
  /** Cuts patches. `numberOf(k)`: index of the k-th patch. */
  async function* cut(rows: number, numberOf: (k: number) => number): AsyncGenerator<FloatArray> {
    const picture = inColour(await decoder.decode(bytes), patch.channels === 1 ? 'grey' : 'rgb');
    if (picture.width !== size.width || picture.height !== size.height) throw changedWhileRead(bytes.name);
    const scale = WHITE / whiteOf(picture.pixels);
    for (let start = 0; start < rows; start += inPiece) {
      const numbers = Float64Array.from({ length: Math.min(inPiece, rows - start) }, (_, k) => numberOf(start + k));
      const { data } = cutPatches(picture, patch, places, numbers);
      yield scale === 1 ? data : data.map((value) => scale * value);
    }
  }
  const stream = (only?: Float64Array) => (only ? cut(only.length, (k) => only[k]) : cut(count, (k) => k));
  return {
    name: bytes.name,
    rows: count,
    cols,
    precision: 'f32',
    budget: bytes.budget,
    patch,
    load: (out) => fillFrom(bytes.name, stream(), out),
    stream,
    close: () => bytes.close(),
  };
}

/** Limits the patches of a table of pictures; keeps their order. `say` is called with how many were taken. */
export function limitPatches(
  table: Table,
  { like, limit = like ? Number.POSITIVE_INFINITY : LIMIT, seed = 0 }: PatchReading,
  say: (words: string) => void,
): Table {
  const { width, height, channels } = table.patch!;
  const what = `patches of ${width}×${height}${channels === 3 ? '×3' : ''} pixels`;
  const numbers = (count: number) => count.toLocaleString('en-US');
  if (limit >= table.rows) {
    say(`${table.name}: ${numbers(table.rows)} ${what}.`);
    return table;
  }
  const chosen = spread(table.rows, limit, seed);
  say(`${table.name}: ${numbers(chosen.length)} of ${numbers(table.rows)} ${what}, spread evenly.`);
  const stream = () => table.stream(chosen);
  return { ...table, rows: chosen.length, load: (out) => fillFrom(table.name, stream(), out), stream };
}
