/** Plain data in shared memory reads back as a message would deliver it, and nothing is written beyond its size. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noReference, PlainDataMemory, plainDataBytes, type SharedMemory } from '#src/engine/workers/plain-data.ts';
import { WebAssembly } from '#src/kernels/wasm/webassembly.ts';
import { bits } from '../../helpers/bytes.ts';

const noBuffer = (): never => {
  throw new Error('no reference was written');
};
const AT = 24;
const MARK = 0x5a;

/** Writes a value into memory that is full of marks, and reads it. */
function there(value: unknown): unknown {
  const bytes = plainDataBytes(value, noReference);
  const memory = new SharedArrayBuffer(AT + bytes + 16);
  const all = new Uint8Array(memory).fill(MARK);
  new PlainDataMemory(memory).write(value, AT, noReference);
  expect([...all.subarray(0, AT), ...all.subarray(AT + bytes)].every((byte) => byte === MARK)).toBe(true);
  const found = new PlainDataMemory(memory).read(AT, noBuffer);
  all.fill(0); // what was read is a copy
  return found;
}

const typedArrays = fc.oneof(
  fc.float64Array(),
  fc.float32Array(),
  fc.int32Array(),
  fc.uint32Array(),
  fc.int16Array(),
  fc.uint16Array(),
  fc.int8Array(),
  fc.uint8Array(),
  fc.uint8ClampedArray(),
  fc.bigInt64Array(),
  fc.bigUint64Array(),
);
const { plain } = fc.letrec((tie) => ({
  plain: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(undefined, null, true, false, -0, Number.NaN, Number.NEGATIVE_INFINITY),
    fc.double(),
    fc.string({ unit: 'binary' }),
    typedArrays,
    fc.array(tie('plain'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('plain'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('plain data', () => {
  it('reads what was written, as a copy by message', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const found = there(value);
        expect(bits(found)).toBe(bits(structuredClone(value)));
        expect(found).toEqual(value);
      }),
    );
  });

  it('keeps keys that mean something to JavaScript', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
    expect(Object.keys(there(value) as object)).toEqual(['__proto__', 'constructor']);
  });

  it('takes arrays from the middle of a buffer, and neighbours in one buffer', () => {
    const all = Float64Array.of(1, 2, 3, 4, 5);
    expect(there({ left: all.subarray(1, 3), right: all.subarray(3) })).toEqual({
      left: Float64Array.of(2, 3),
      right: Float64Array.of(4, 5),
    });
  });

  const twice = Float64Array.of(1, 2);
  const loop: { self?: unknown } = {};
  loop.self = loop;
  const odd: [string, unknown][] = [
    ['a function', { code: () => 1 }],
    ['a symbol', Symbol('s')],
    ['a big integer', 1n],
    ['an instance of a class', new (class Own {})()],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a buffer of bytes', Buffer.from('x')],
    ['an array under two names', { a: twice, b: twice }],
    ['arrays that overlap', [twice, twice.subarray(1)]],
    ['an object under two names', [loop, loop]],
    ['a loop', loop],
    ['a very long string', 'x'.repeat(10_000)],
    ['unknown shared memory', new Float64Array(new SharedArrayBuffer(8))],
    ['unknown shared WebAssembly memory', new WebAssembly!.Memory({ initial: 1, maximum: 1, shared: true })],
    ['a string of 4097 characters', 'x'.repeat(4097)],
    ['513 lists', Array.from({ length: 512 }, () => [])],
    ['512 arrays in a list', Array.from({ length: 512 }, () => new Int8Array(1))],
  ];
  it.each(odd)('does not take %s for plain data', (_, value) => {
    expect(plainDataBytes(value, noReference)).toBe(Number.POSITIVE_INFINITY);
    expect(plainDataBytes({ inside: [value] }, noReference)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is at most 4096 characters in a string, and 512 objects in all', () => {
    const most = { text: 'x'.repeat(4096), lists: Array.from({ length: 300 }, () => []) };
    const value = { ...most, arrays: Array.from({ length: 209 }, (_, k) => Int8Array.of(k)) };
    expect(there(value)).toEqual(value);
    expect(plainDataBytes({ ...value, one: [] }, noReference)).toBe(Number.POSITIVE_INFINITY);
  });

  it.each<[unknown, number]>([
    [null, 2],
    [0.5, 2],
    ['', 2],
    ['abcd', 3], // four UTF-16 codes in a word
    ['abcde', 4],
    [[], 2],
    [[1, 2], 6],
    [{ a: 1 }, 6],
    [{ abcde: 1 }, 7],
    [new Float64Array(2), 5],
    [new Uint8Array(8), 4],
    [new Uint8Array(9), 5],
  ])('takes no more words of 8 bytes than it needs: %j', (value, words) => {
    expect(plainDataBytes(value, noReference)).toBe(8 * words);
    there(value);
  });

  it('refers to shared memory by its number: both sides have the same numbers', () => {
    const buffer = new SharedArrayBuffer(64);
    const rows = new Float32Array(buffer, 8, 5);
    const value = { rows, again: rows };
    const bytes = plainDataBytes(value, () => 7);
    expect(bytes).toBe(8 * (2 + (1 + 1 + 5) + (1 + 2 + 5))); // for each name its length, its text, a reference
    const memory = new SharedArrayBuffer(bytes);
    new PlainDataMemory(memory).write(value, 0, () => 7);
    const found = new PlainDataMemory(memory).read(0, (number) => (number === 7 ? buffer : noBuffer())) as typeof value;
    found.rows[4] = 3;
    expect([rows[4], found.again.length, found.again.byteOffset]).toEqual([3, 5, 8]);
  });

  it('refers to shared WebAssembly memory by its number', () => {
    const { Memory } = WebAssembly!;
    const memory = new Memory({ initial: 1, maximum: 1, shared: true });
    const buffer = memory.buffer as ArrayBufferLike as SharedArrayBuffer;
    const value = { memory, rows: new Float64Array(buffer, 16, 2) };
    const numberOf = (shared: SharedMemory) => (shared === memory ? 3 : 4);
    const arena = new SharedArrayBuffer(plainDataBytes(value, numberOf));
    new PlainDataMemory(arena).write(value, 0, numberOf);
    const found = new PlainDataMemory(arena).read(0, (number) => (number === 3 ? memory : buffer)) as typeof value;
    expect(found.memory).toBe(memory);
    found.rows[1] = 5;
    expect(value.rows[1]).toBe(5);
    const own = new Memory({ initial: 1, maximum: 1, shared: false });
    expect(plainDataBytes({ own }, numberOf)).toBe(Number.POSITIVE_INFINITY);
  });
});
