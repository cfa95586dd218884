/** In memory or piece by piece, a source gives the same rows and leaves no files behind. */
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { FloatArray } from '#src/core/matrix.ts';
import type { MemorySource } from '#src/engine/source/memory.ts';
import { parseSpec } from '#src/io/bytes/spec.ts';
import { writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { defaultMemoryLimit, type FileSourceOptions, openSource } from '#src/node/io/file-source.ts';
import { readAll, readInChunks, scratchFiles } from '../../helpers/files.ts';
import { leftoverFiles } from '../../helpers/scratch.ts';

const { inDirectory, put } = scratchFiles();

const rows = 30_011;
const cols = 11;
const data = Float32Array.from({ length: rows * cols }, (_, i) => Math.fround(Math.sin(i)));

/** Bit for bit, and faster than `toEqual`. */
const same = (read: FloatArray): boolean => Buffer.from(read.buffer as ArrayBuffer).equals(Buffer.from(data.buffer));

/** Returns a .npy file with the numbers stored column after column. */
function fortranFile(): Uint8Array {
  const header = `{'descr': '<f4', 'fortran_order': True, 'shape': (${rows}, ${cols}), }`;
  const columns = Float32Array.from({ length: rows * cols }, (_, k) => data[(k % rows) * cols + Math.floor(k / rows)]);
  const start = [0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0];
  return Buffer.concat([Buffer.from(start), Buffer.from(header), Buffer.from(columns.buffer)]);
}

describe('sources', () => {
  const files = ['a.npy', 'a.npy.gz', 'a.npz', 'f.npy', 'f.npy.gz'];
  beforeAll(async () => {
    await writeArray(inDirectory('a.npy'), { rows, cols, data });
    await writeArrays(inDirectory('a.npz'), { samples: { rows, cols, data } });
    put('a.npy.gz', gzipSync(readFileSync(inDirectory('a.npy')), { level: 1 }));
    put('f.npy', fortranFile());
    put('f.npy.gz', gzipSync(fortranFile(), { level: 1 }));
  });

  it.each(files)('%s gives the same rows in memory and out of core', async (file) => {
    const inMemory = await openSource(inDirectory(file));
    expect((inMemory as MemorySource).matrix.data.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(same((await readAll(inMemory, 4099)).data)).toBe(true);
    const outOfCore = await openSource(inDirectory(file), { memoryLimit: 1 << 16 });
    expect(outOfCore).not.toHaveProperty('matrix');
    expect(outOfCore).toMatchObject({ rows, cols, precision: 'f32' });
    expect(same((await readAll(outOfCore, 4099)).data)).toBe(true);
  });

  it.each(files)('%s can be read by several at once, in any order', async (file) => {
    const source = await openSource(inDirectory(file), { memoryLimit: 0 });
    const starts = [29_000, 17, 12_000, 17, 0];
    const parts = await Promise.all(starts.map((start) => source.read(start, start + 9)));
    parts.forEach((part, i) => {
      expect(part.data).toEqual(data.slice(starts[i] * cols, (starts[i] + 9) * cols));
    });
    await source.close?.();
  });

  it('removes its temporary files', async () => {
    const mine = new RegExp(`^orthodict-${process.pid}-.*\\.raw$`);
    const source = await openSource(inDirectory('f.npy.gz'), { memoryLimit: 0 });
    expect(Number.isFinite(await readInChunks(source))).toBe(true);
    await source.close?.();
    expect(leftoverFiles(tmpdir(), mine)).toEqual([]);
  });

  it('tells other threads where the file is, and how it is read', async () => {
    const path = inDirectory('a.npz');
    const { size, mtimeMs } = statSync(path);
    const file = { kind: 'file', spec: `${path}:samples`, size, stamp: `${mtimeMs}` };
    const locatorOf = async (spec: string, options: FileSourceOptions = {}) => {
      const source = await openSource(spec, { memoryLimit: 0, ...options });
      await source.close?.();
      return source.locator;
    };
    expect(await locatorOf(`${path}:samples`)).toEqual(file);
    const limits = { memory: 1e9 };
    expect(await locatorOf(`${path}:samples`, { limits })).toEqual({ ...file, limits });
    const list = put('list.txt', 'a.npz:samples\na.npz:samples\n');
    expect(await locatorOf(`@${list}`)).toEqual({ kind: 'files', of: [file, file] });
    expect(await locatorOf(inDirectory('a.npy'), { table: { format: 'npy' } })).toMatchObject({ format: 'npy' });
  });

  it('can be closed twice', async () => {
    for (const file of files) {
      const source = await openSource(inDirectory(file), { memoryLimit: 0 });
      await source.close?.();
      await source.close?.();
    }
  });

  it('refuses a file that shrinks while it is read', async () => {
    await writeArray(inDirectory('shrinks.npy'), { rows, cols, data });
    const source = await openSource(inDirectory('shrinks.npy'), { memoryLimit: 0 });
    writeFileSync(inDirectory('shrinks.npy'), '');
    await expect(source.read(0, 10)).rejects.toThrow('the file is truncated.');
    await source.close?.();
  });
});

describe('the memory limit', () => {
  it('is a sensible share of the memory', () => {
    expect(defaultMemoryLimit()).toBeGreaterThan(1e6);
    expect(defaultMemoryLimit()).toBeLessThan(1e14);
  });

  it.each([
    [1000, 800, 500],
    [100, 800, 100], // an eighth of the total: the rest is said to be used
    [0, 0, totalmem() / 8],
    [0, 1e300, totalmem() / 8],
  ])('with %d bytes available and a limit of %d is %d', (available, constrained, limit) => {
    const spies = [
      vi.spyOn(process, 'availableMemory').mockReturnValue(available),
      vi.spyOn(process, 'constrainedMemory').mockReturnValue(constrained),
    ];
    const found = defaultMemoryLimit();
    for (const spy of spies) spy.mockRestore();
    expect(found).toBe(limit);
  });
});

describe('a spec', () => {
  it('names an array only after .npz', () => {
    expect(parseSpec('a.npz')).toEqual({ path: 'a.npz' });
    expect(parseSpec('a.npz:b')).toEqual({ path: 'a.npz', array: 'b' });
    expect(parseSpec('a.npz:b/c:d')).toEqual({ path: 'a.npz', array: 'b/c:d' });
    expect(parseSpec('C:\\data\\a.NPZ:b')).toEqual({ path: 'C:\\data\\a.NPZ', array: 'b' });
    expect(parseSpec('C:\\data\\a.npy')).toEqual({ path: 'C:\\data\\a.npy' });
    expect(parseSpec('12:30/a.csv')).toEqual({ path: '12:30/a.csv' });
  });

  it('finds files in folders with colons', async () => {
    const folder = mkdtempSync(inDirectory('12:30-'));
    await writeArrays(`${folder}/a.npz`, { x: { rows: 1, cols: 1, data: Float64Array.of(3) } });
    expect((await openSource(`${folder}/a.npz:x`)).rows).toBe(1);
  });
});
