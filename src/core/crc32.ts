/** CRC-32 of ISO 3309, as gzip, zip and PNG use it: eight bytes at a time, by eight tables. */

const POLYNOMIAL = 0xedb88320;
const SLICES = 8;

/** Table s begins at 256 · s: the checksum of a byte followed by s zero bytes. */
const TABLES = new Int32Array(256 * SLICES);
for (let byte = 0; byte < 256; byte++) {
  let c = byte;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? POLYNOMIAL ^ (c >>> 1) : c >>> 1;
  TABLES[byte] = c;
}
for (let at = 256; at < TABLES.length; at++) {
  const before = TABLES[at - 256];
  TABLES[at] = TABLES[before & 255] ^ (before >>> 8);
}

/** The checksum of data with checksum `crc` followed by `bytes`; unsigned. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const { length } = bytes;
  const whole = length - (length % SLICES);
  let c = ~crc;
  let i = 0;
  for (; i < whole; i += SLICES) {
    c ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    c =
      TABLES[1792 + (c & 255)] ^
      TABLES[1536 + ((c >>> 8) & 255)] ^
      TABLES[1280 + ((c >>> 16) & 255)] ^
      TABLES[1024 + (c >>> 24)] ^
      TABLES[768 + bytes[i + 4]] ^
      TABLES[512 + bytes[i + 5]] ^
      TABLES[256 + bytes[i + 6]] ^
      TABLES[bytes[i + 7]];
  }
  for (; i < length; i++) c = TABLES[(c ^ bytes[i]) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}
