/**
 * Rebuilds a picture from a few codes. Its tiles lie side by side (those of the last column and row touch the edge), and
 * every tile keeps the k codes of largest magnitude:
 *
 *     ŷ = Σ x_i d_i over the k largest |x_i|        left(k) = Σ over tiles of ‖y − ŷ‖²
 *
 * Nothing is done about the mean of a tile: it costs a code in every basis.
 */
import { denseDictionary, type Matrix, type Matrix64, type Picture, patchesOf } from 'orthodict';

/** Patches of a picture that lie side by side. */
export const tilesOf = (picture: Picture, side: number): Matrix<Float32Array> =>
  patchesOf(picture, { width: side, stride: side });

export class TileCodes {
  readonly tiles: number;
  /** The missing energy left(k), k = 0 … n. */
  readonly left: Float64Array;
  /** Atoms of every tile by descending code, and these codes: tiles × n. */
  readonly #order: Uint16Array;
  readonly #values: Float32Array;
  readonly #atoms: Float32Array;
  readonly #n: number;
  /** The tiles rebuilt from `#kept` codes each. */
  readonly #rebuilt: Matrix<Float32Array>;
  #kept = 0;

  private constructor(codes: Matrix, atoms: Matrix64) {
    const { rows, cols, data } = codes;
    this.tiles = rows;
    this.#n = cols;
    this.#atoms = Float32Array.from(atoms.data);
    this.#order = orderBySize(codes);
    this.#values = Float32Array.from(this.#order, (i, at) => data[Math.floor(at / cols) * cols + i]);
    this.#rebuilt = { rows, cols, data: new Float32Array(rows * cols) };
    this.left = new Float64Array(cols + 1);
    for (let at = 0; at < this.#values.length; at++) this.left[at % cols] += this.#values[at] ** 2;
    for (let k = cols - 1; k >= 0; k--) this.left[k] += this.left[k + 1];
  }

  /** `atoms`: n×n, orthogonal. */
  static async of(tiles: Matrix, atoms: Matrix64): Promise<TileCodes> {
    return new TileCodes(await denseDictionary({ atoms }).encode(tiles), atoms);
  }

  /** The picture when every tile keeps k codes. */
  rebuild(k: number, picture: Picture, side: number): Picture {
    if (k < this.#kept) {
      this.#rebuilt.data.fill(0);
      this.#kept = 0;
    }
    this.#add(this.#kept, k);
    this.#kept = k;
    return laid(this.#rebuilt, picture, side);
  }

  /** Adds the codes of rank `from` … `to` − 1 of every tile. */
  #add(from: number, to: number): void {
    const n = this.#n;
    const { data } = this.#rebuilt;
    for (let tile = 0; tile < this.tiles; tile++) {
      const at = tile * n;
      for (let rank = from; rank < to; rank++) {
        const value = this.#values[at + rank];
        const atom = this.#order[at + rank] * n;
        for (let c = 0; c < n; c++) data[at + c] += value * this.#atoms[atom + c];
      }
    }
  }

  /** |x_i| of every tile. */
  magnitudes(atom: number): Float32Array {
    const out = new Float32Array(this.tiles);
    for (let at = 0; at < this.#order.length; at++) {
      if (this.#order[at] === atom) out[Math.floor(at / this.#n)] = Math.abs(this.#values[at]);
    }
    return out;
  }
}

/** Puts tiles side by side, in whole numbers; a tile at the edge covers a part of the previous one. */
function laid({ rows, cols, data }: Matrix, { width, height, channels = 1 }: Picture, side: number): Picture {
  const pixels = new Uint8ClampedArray(width * height * channels);
  const columns = Math.ceil(width / side);
  const line = side * channels;
  for (let tile = 0; tile < rows; tile++) {
    const left = Math.min((tile % columns) * side, width - side);
    const top = Math.min(Math.floor(tile / columns) * side, height - side);
    for (let y = 0; y < side; y++) {
      const from = tile * cols + y * line;
      pixels.set(data.subarray(from, from + line), ((top + y) * width + left) * channels);
    }
  }
  return { width, height, channels, pixels: new Uint8Array(pixels.buffer) };
}

/** Sorts natively by whole numbers made of the bits of |code| and the atom: bits of positive float32 numbers sort like whole numbers. */
function orderBySize({ rows, cols, data }: Matrix): Uint16Array {
  const sizes = Float32Array.from(data, Math.abs);
  const bits = new Uint32Array(sizes.buffer);
  const order = new Uint16Array(rows * cols);
  const keys = new Float64Array(cols);
  for (let tile = 0; tile < rows; tile++) {
    const at = tile * cols;
    for (let i = 0; i < cols; i++) keys[i] = bits[at + i] * cols + (cols - 1 - i); // below 2⁵³; the first of equal ones wins
    keys.sort();
    for (let i = 0; i < cols; i++) order[at + i] = cols - 1 - (keys[cols - 1 - i] % cols);
  }
  return order;
}
