/**
 * Hashes that identify texts, numbers and samples; fast and well spread, not secure. FNV-1a with different starts and
 * multipliers.
 */
const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;

/** Hash of a text: 32 bits, signed. */
export function hashText(text: string): number {
  let h = BASIS;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), PRIME);
  return h | 0;
}

/** Hash of all arrays: 16 hexadecimal digits. */
export function hashNumbers(arrays: readonly Float64Array[]): string {
  const hash = rowsHash();
  for (const data of arrays) hash.add({ data });
  return hash.text;
}

/** A hash of rows that arrive in chunks of any size. */
export interface RowsHash {
  /** Adds rows of numbers of 4 or 8 bytes. */
  add(rows: { readonly data: ArrayBufferView }): void;
  /** Hash of all rows so far: 16 hexadecimal digits. */
  readonly text: string;
}

export function rowsHash(): RowsHash {
  let [a, b] = [BASIS, 0x9e3779b9];
  return {
    add({ data }) {
      const words = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
      for (const word of words) {
        a = Math.imul(a ^ word, PRIME);
        a ^= a >>> 15; // multiplication carries upwards only: bring high bits down
        b = Math.imul(b ^ word, 0x85ebca6b);
        b ^= b >>> 13;
      }
    },
    get text() {
      return hexadecimal([a, b]);
    },
  };
}

const hexadecimal = (words: readonly number[]): string =>
  words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
