/** Damage to bytes: small edits that can be listed, repeated, and left out one by one. */
import type { Random } from '#src/core/random.ts';

/** Replaces `removed` bytes at `place` (0 to 1: the whole length) by `inserted`. */
export interface Edit {
  readonly place: number;
  readonly removed: number;
  readonly inserted: Uint8Array;
}

export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  return edits.reduce((before, { place, removed, inserted }) => {
    const at = Math.floor(place * before.length);
    return Buffer.concat([before.subarray(0, at), inserted, before.subarray(Math.min(before.length, at + removed))]);
  }, bytes);
}

const NUMBERS = [0, 1, 2, 7, 8, 127, 128, 255, 256, 65535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53];

/** `words`: pieces of text that mean something in the format. */
export function drawEdit(random: Random, length: number, words: readonly string[]): Edit {
  const place = drawPlace(random, length);
  const at = (removed: number, inserted: Uint8Array): Edit => ({ place, removed, inserted });
  switch (random.integer(8)) {
    case 0:
      return at(1, Uint8Array.of(random.integer(256)));
    case 1:
      return at(1 + random.integer(8), new Uint8Array(0));
    case 2:
      return at(0, randomBytes(random, 1 + random.integer(8)));
    case 3:
      return at(Number.POSITIVE_INFINITY, new Uint8Array(0)); // cut short
    case 4:
      return drawNumber(random, at);
    case 5:
      return at(0, new Uint8Array(2 ** random.integer(14)).fill(random.integer(256)));
    default:
      return at(random.integer(4), Buffer.from(words.length > 0 ? words[random.integer(words.length)] : '\0'));
  }
}

/** Anywhere, but half of the time near the start, where headers are, or near the end, where directories are. */
function drawPlace(random: Random, length: number): number {
  const near = Math.min(1, 128 / Math.max(1, length));
  const where = random.integer(4);
  if (where === 0) return random.uniform() * near;
  if (where === 1) return 1 - random.uniform() * near;
  return random.uniform();
}

function drawNumber(random: Random, at: (removed: number, inserted: Uint8Array) => Edit): Edit {
  const size = [2, 4, 8][random.integer(3)];
  const value = BigInt(NUMBERS[random.integer(NUMBERS.length)]) + BigInt(random.integer(3) - 1);
  const wrapped = BigInt.asUintN(8 * size, value);
  const bytes = Buffer.alloc(8);
  if (random.integer(2) === 0) bytes.writeBigUInt64LE(wrapped);
  else bytes.writeBigUInt64BE(wrapped << BigInt(64 - 8 * size));
  return at(size, Uint8Array.from(bytes.subarray(0, size)));
}

const randomBytes = (random: Random, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => random.integer(256));

/** The list with one item left out, for each item. */
export function* withoutOne<T>(items: readonly T[]): Generator<T[]> {
  for (let i = 0; i < items.length; i++) yield items.filter((_, k) => k !== i);
}

export const pick = <T>(random: Random, items: readonly T[]): T => items[random.integer(items.length)];
