import { afterEach, describe, expect, it, vi } from 'vitest';
import { isShared } from '#src/core/shared-memory.ts';
import { HEADER_BYTES, planeRows, spreadBytes } from '#src/kernels/wasm/plane-rows.ts';

afterEach(() => vi.unstubAllGlobals());

describe('planeRows', () => {
  it.each(['f32', 'f64'] as const)('gives zeros that threads share, behind a header per row: %s', (precision) => {
    const { rows, cols, data, memory } = planeRows(5, 1000, precision);
    expect([rows, data.length, data.byteOffset]).toEqual([5, 5 * cols, 5 * HEADER_BYTES]);
    expect(cols).toBeGreaterThanOrEqual(1000);
    expect(data.every((x) => x === 0)).toBe(true);
    expect(memory?.buffer).toBe(data.buffer);
    expect(structuredClone({ memory })).toHaveProperty('memory.buffer.byteLength', data.buffer.byteLength);
  });

  it('gives ordinary shared memory where WebAssembly memory cannot be sent to a thread', () => {
    vi.stubGlobal('structuredClone', () => {
      throw new Error('not cloneable');
    });
    const rows = planeRows(3, 10, 'f64');
    expect(rows.memory).toBeUndefined();
    expect([rows.cols, isShared(rows)]).toEqual([10, true]);
  });
});

it('spreads rows over a cache: long ones never begin at about the same place of a way', () => {
  for (let length = 8; length < 3 * 4096; length += 8) {
    const bytes = spreadBytes(length);
    expect(bytes % 64).toBe(0);
    expect(bytes).toBeGreaterThanOrEqual(length);
    expect(bytes - length).toBeLessThan(64 + 2 * 320);
    if (length > 4096) expect(Math.min(bytes % 4096, 4096 - (bytes % 4096))).toBeGreaterThanOrEqual(320);
  }
});
