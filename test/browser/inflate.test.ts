/** What zlib packs is unpacked to the same bytes, wherever pieces are cut, and nothing behind it is taken. */
import { randomBytes } from 'node:crypto';
import { deflateRawSync, gzipSync, crc32 as zlibCrc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflate } from '#src/browser/inflate.ts';
import { crc32 } from '#src/core/crc32.ts';

const words = Buffer.from(Array.from({ length: 60_000 }, (_, k) => `${(k * 7919) % 1000},`).join(''));
const CONTENTS = { nothing: Buffer.alloc(0), words, noise: randomBytes(300_000), zeros: Buffer.alloc(3_000_000) };

async function unpacked(form: 'gzip' | 'raw', packed: Uint8Array, length: number) {
  async function* pieces() {
    for (let at = 0; at < packed.length; at += length) yield Uint8Array.from(packed.subarray(at, at + length));
  }
  const inflation = inflate(pieces(), form);
  const parts: Uint8Array[] = [];
  for (let part = await inflation.next(); part; part = await inflation.next()) parts.push(part);
  return { content: Buffer.concat(parts), consumed: inflation.consumed };
}

describe.each(Object.entries(CONTENTS))('%s', (_, content) => {
  it.each([0, 1, 9])('at level %d', async (level) => {
    const raw = deflateRawSync(content, { level });
    const behind = Buffer.concat([raw, Buffer.from([0, 0, 7, 0])]);
    for (const length of [997, 1 << 18]) {
      const found = await unpacked('raw', behind, length);
      expect(found.content.equals(content)).toBe(true);
      expect(found.consumed).toBe(raw.length);
    }
    const members = Buffer.concat([gzipSync(content, { level }), gzipSync(words), gzipSync(content)]);
    const found = await unpacked('gzip', Buffer.concat([members, Buffer.alloc(40)]), 50_001);
    expect(found.content.equals(Buffer.concat([content, words, content]))).toBe(true);
    expect(found.consumed).toBe(members.length);
  });
});

it('skips what a gzip header may hold', async () => {
  const packed = gzipSync(words);
  const optional = Buffer.concat([
    Buffer.from([5, 0]),
    Buffer.from('extra'),
    Buffer.from('name\0comment\0'),
    Buffer.alloc(2),
  ]);
  const head = Buffer.from(packed.subarray(0, 10));
  head[3] = 2 | 4 | 8 | 16;
  const found = await unpacked('gzip', Buffer.concat([head, optional, packed.subarray(10)]), 7);
  expect(found.content.equals(words)).toBe(true);
  head[3] = 32;
  await expect(unpacked('gzip', Buffer.concat([head, packed.subarray(10)]), 99)).rejects.toThrow('flags');
});

it('crc32 is that of zlib, also in parts and of any length', () => {
  for (const length of [0, 1, 7, 8, 9, 15, 1000]) {
    const bytes = CONTENTS.noise.subarray(3, 3 + length);
    expect(crc32(bytes)).toBe(zlibCrc32(bytes));
    const half = length >> 1;
    expect(crc32(bytes.subarray(half), crc32(bytes.subarray(0, half)))).toBe(zlibCrc32(bytes));
  }
});
