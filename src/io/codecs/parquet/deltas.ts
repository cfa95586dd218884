/**
 * Unpacks integers stored as differences in Parquet (DELTA_BINARY_PACKED). A header gives how many values a block and its miniblocks hold,
 * how many values there are, and the first one. Each block begins with its least difference and the bits per miniblock; the miniblocks
 * hold the excess of each difference over the least. Sums are modulo 2⁶⁴, so that their low half is right for 32 bits too, signed or
 * not, however many bits a writer spends on a first value or a difference.
 */

/** A 64-bit integer in two halves. */
interface Long {
  low: number;
  high: number;
}

/** Unpacks the first `count` integers of `bytes`, two halves each, the low one first. */
export function unpackDeltas(bytes: Uint8Array, count: number): Int32Array {
  const reader = new PackedReader(bytes);
  const [blockSize, miniblocks, total] = [reader.size(), reader.size(), reader.size()];
  const each = blockSize / miniblocks;
  if (!(each > 0 && each % 8 === 0)) throw new Error(`blocks of ${blockSize} differences in ${miniblocks} parts`);
  if (total < count) throw new Error(`${total} differences for ${count} values`);
  const halves = new Int32Array(2 * count);
  const value = reader.zigzag();
  let done = 0;
  const put = () => {
    halves[2 * done] = value.low;
    halves[2 * done + 1] = value.high;
    done++;
  };
  if (count > 0) put();
  while (done < count) {
    const least = reader.zigzag();
    const widths = reader.take(miniblocks);
    for (let block = 0; block < miniblocks && done < count; block++) {
      const width = widths[block];
      const size = Math.min(each, count - done);
      if (width > 64) throw new Error(`differences of ${width} bits`);
      const packed = reader.take((each / 8) * width, Math.ceil((size * width) / 8));
      for (let k = 0; k < size; k++) {
        add(value, least.low, least.high);
        add(value, bitsAt(packed, k * width, Math.min(32, width)), bitsAt(packed, k * width + 32, width - 32));
        put();
      }
    }
  }
  return halves;
}

function add(value: Long, low: number, high: number): void {
  const sum = (value.low >>> 0) + (low >>> 0);
  value.low = sum | 0;
  value.high = (value.high + high + (sum >= 2 ** 32 ? 1 : 0)) | 0;
}

/** Returns `width` bits from the bit `at` on, up to 32; 0 past the end. */
function bitsAt(bytes: Uint8Array, at: number, width: number): number {
  if (width <= 0) return 0;
  const [first, shift] = [Math.floor(at / 8), at % 8];
  const word = bytes[first] | (bytes[first + 1] << 8) | (bytes[first + 2] << 16) | (bytes[first + 3] << 24);
  const bits = shift === 0 ? word : (word >>> shift) | (bytes[first + 4] << (32 - shift));
  return width === 32 ? bits : bits & (2 ** width - 1);
}

class PackedReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Takes the next `length` bytes; the last ones may be missing beyond `needed`. */
  take(length: number, needed = length): Uint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    if (taken.length < needed) throw new Error('differences end early');
    this.#at += length;
    return taken;
  }

  /** Reads an integer of 7 bits a byte, the lowest first. */
  #varint(): Long {
    const value = { low: 0, high: 0 };
    for (let shift = 0; shift < 70; shift += 7) {
      const [byte] = this.take(1);
      const bits = byte & 0x7f;
      if (shift < 32) value.low |= bits << shift;
      if (shift > 25) value.high |= shift < 32 ? bits >>> (32 - shift) : bits << (shift - 32);
      if (byte < 0x80) return value;
    }
    throw new Error('an integer of more than 64 bits');
  }

  size(): number {
    const { low, high } = this.#varint();
    return (high >>> 0) * 2 ** 32 + (low >>> 0);
  }

  /** Reads 0, −1, 1, −2, … from 0, 1, 2, 3, … */
  zigzag(): Long {
    const { low, high } = this.#varint();
    const sign = -(low & 1);
    return { low: ((low >>> 1) | (high << 31)) ^ sign, high: (high >>> 1) ^ sign };
  }
}
