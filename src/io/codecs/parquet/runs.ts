/**
 * Unpacks small integers that Parquet stores in runs. A run begins with a header h, 7 bits a byte, lowest first: if h is even, one value
 * stands for h/2 equal ones; if odd, (h − 1)/2 · 8 values follow, `width` bits each, lowest bits first.
 */

/** Unpacks the first `count` integers of `bytes`, of `width` bits each, 0 to 32. */
export function unpackRuns(bytes: Uint8Array, width: number, count: number): Int32Array {
  if (!(width <= 32)) throw new Error(`integers of ${width} bits`);
  const out = new Int32Array(count);
  let [at, done] = [0, 0];
  while (done < count) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= bytes.length || shift > 28) throw new Error('a run of integers ends early');
      header += (bytes[at] & 0x7f) * 2 ** shift;
      if (bytes[at++] < 0x80) break;
    }
    const isPacked = header % 2 === 1;
    const size = isPacked ? ((header - 1) / 2) * 8 : header / 2;
    const length = isPacked ? (size / 8) * width : Math.ceil(width / 8);
    const end = Math.min(count, done + size);
    if (!isPacked && end < done + size) throw new Error(`a run of ${size} integers for ${count - done}`);
    if (isPacked) unpackBits(bytes.subarray(at, at + length), width, out.subarray(done, end));
    else out.fill(littleEndian(bytes.subarray(at, at + length), length), done, end);
    at += length;
    done = end;
  }
  return out;
}

function littleEndian(bytes: Uint8Array, length: number): number {
  if (bytes.length < length) throw new Error('a run of integers ends early');
  return bytes.reduceRight((value, byte) => (value << 8) | byte, 0);
}

/** Unpacks bits; the last run may lack the bytes that would fill it up to eight values. */
function unpackBits(bytes: Uint8Array, width: number, out: Int32Array): void {
  if (bytes.length * 8 < out.length * width) throw new Error('a run of integers ends early');
  if (width === 0) return;
  const mask = 2 ** width - 1;
  let [buffer, bits, at] = [0, 0, 0]; // up to 39 bits, so no bit operations on the whole
  for (let i = 0; i < out.length; i++) {
    while (bits < width) {
      buffer += bytes[at++] * 2 ** bits;
      bits += 8;
    }
    const value = width < 31 && bits < 31 ? buffer & mask : buffer % (mask + 1);
    out[i] = value;
    buffer = (buffer - value) / (mask + 1);
    bits -= width;
  }
}
