/** Samples known by their bits: FNV-1a of 32-bit words, twice with different multipliers. Rows in any pieces give the same text. */
import type { Matrix } from '../core/matrix.ts';

export interface Fingerprint {
  add(rows: Matrix): void;
  /** Of all rows so far. */
  readonly text: string;
}

export function rowsFingerprint(): Fingerprint {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  return {
    add({ data }) {
      const words = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
      for (const word of words) {
        a = Math.imul(a ^ word, 0x01000193);
        a ^= a >>> 15; // a multiplication carries upwards alone
        b = Math.imul(b ^ word, 0x85ebca6b);
        b ^= b >>> 13;
      }
    },
    get text() {
      return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
    },
  };
}
