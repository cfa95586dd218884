/** The places of the patches of a picture: every `stride` pixels, and at the right and bottom edges, so that no pixel is left out. */
import { inputError } from '../core/errors.ts';
import { createRandom } from '../core/random.ts';

/** The size of patches, and the step between them. */
export interface PatchGrid {
  /** Width of a patch in pixels. */
  readonly width: number;
  /** Height of a patch in pixels; default: its width. */
  readonly height?: number | undefined;
  /** Pixels from one patch to the next, to the right and downwards; default: 1, every place. */
  readonly stride?: number | undefined;
}

/** Left edges and top edges; patch i is at lefts[i mod lefts.length], tops[⌊i / lefts.length⌋]. */
export interface PatchPlaces {
  readonly lefts: Int32Array;
  readonly tops: Int32Array;
  readonly count: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export function patchPlaces(who: string, picture: Size, grid: PatchGrid): PatchPlaces {
  const { width, height = width, stride = 1 } = grid;
  requireSide(who, 'width', width, picture.width);
  requireSide(who, 'height', height, picture.height);
  if (!(Number.isInteger(stride) && stride > 0)) throw inputError(who, 'stride', 'a positive whole number', stride);
  const lefts = places(picture.width - width, stride);
  const tops = places(picture.height - height, stride);
  return { lefts, tops, count: lefts.length * tops.length };
}

function requireSide(who: string, name: string, side: number, most: number): void {
  if (Number.isInteger(side) && side > 0 && side <= most) return;
  throw inputError(who, name, `a whole number from 1 to ${most}, as the picture has`, side);
}

/** The places 0, stride, 2·stride, …, last. */
function places(last: number, stride: number): Int32Array {
  const steps = Math.ceil(last / stride);
  return Int32Array.from({ length: steps + 1 }, (_, k) => Math.min(k * stride, last));
}

/** Chooses `limit` of the numbers 0 … count − 1, one at random from each of `limit` equal parts; all if there are no more. */
export function spread(count: number, limit: number, seed: number): Float64Array {
  if (limit >= count) return Float64Array.from({ length: count }, (_, k) => k);
  const random = createRandom(seed, 'patches');
  const share = count / limit;
  const chosen = new Float64Array(limit);
  for (let k = 0; k < limit; k++) {
    const first = Math.floor(k * share);
    chosen[k] = first + random.integer(Math.floor((k + 1) * share) - first);
  }
  return chosen;
}
