/** Files that change while they are read in place: an InputError that names the file, on one thread and on several. */
import { closeSync, openSync, utimesSync, writeSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { learn } from '#src/node/learn.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { scratchFiles } from '../../helpers/files.ts';

const { inDirectory } = scratchFiles();
const path = inDirectory('d.npy');
const [rows, cols] = [20_000, 8];
const HEADER = 128;
const ROW = 12_345;

/** Writes a number into the file; its times stay as they are, as when a program writes to a mapping of the file. */
function overwrite(value: number, keepTimes = true): void {
  const times = new Date(1_700_000_000_000);
  if (keepTimes) utimesSync(path, times, times);
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(Float64Array.of(value).buffer), 0, 8, HEADER + 8 * (ROW * cols + 3));
  closeSync(file);
  if (keepTimes) utimesSync(path, times, times);
}

beforeEach(async () => {
  await writeArray(path, normalMatrix(rows, cols, createRandom(1, 'changing')));
  const times = new Date(1_700_000_000_000);
  utimesSync(path, times, times);
});

describe.each([1, 2])('on %d threads', (threads) => {
  it.each([
    ['NaN', Number.NaN, true, /d\.npy: samples must be finite; got NaN at row 12345, column 3\.$/],
    [
      'infinity',
      Number.NEGATIVE_INFINITY,
      true,
      /d\.npy: samples must be finite; got -Infinity at row 12345, column 3\.$/,
    ],
    ['another number', 7, false, /d\.npy: has changed while it was being read\.$/],
  ])('%s that appears during a run', async (_, value, keepTimes, message) => {
    const source = await openSource(path, { memoryLimit: 0 });
    let changed = false;
    const onProgress = () => {
      if (!changed) overwrite(value, keepTimes);
      changed = true;
    };
    const options = { maxIterations: 50, tolerance: 0, refine: 'none', seed: 1 } as const;
    const error = await learn(source, options, { threads, backend: 'wasm', onProgress }).catch((reason) => reason);
    await source.close?.();
    expect(changed).toBe(true);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(message);
  });
});

describe('threads', () => {
  it('read within the limits that the caller gave', async () => {
    const samples = normalMatrix(rows, cols, createRandom(2, 'changing'));
    const more = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`a${i}`, { shape: [0], data: new Uint8Array(0) }]),
    );
    const archive = inDirectory('many.npz');
    await writeArrays(archive, { samples, ...more });
    const source = await openSource(archive, { memoryLimit: 0, limits: { entries: 10 } });
    expect(source.locator).toMatchObject({ limits: { entries: 10 } });
    const executor = await createNodeExecutor({ threads: 2, backend: 'wasm' });
    process.env.ORTHODICT_READ_LIMITS = 'entries=5'; // after the threads began, and below what the caller gave
    try {
      const { samples: count } = await learn(source, { maxIterations: 1, refine: 'none' }, { executor });
      expect(count).toBe(rows);
    } finally {
      delete process.env.ORTHODICT_READ_LIMITS;
      await executor.close();
      await source.close?.();
    }
  });
});
