/** A directory for the files of one test file, removed at the end, and file helpers for several tests. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import type { Matrix } from '#src/core/matrix.ts';
import type { Source } from '#src/engine/source.ts';
import { chunkRanges } from '#src/engine/source.ts';

export const directory = mkdtempSync(join(tmpdir(), 'orthodict-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

export const inDirectory = (name: string): string => join(directory, name);

export function put(name: string, content: string | Uint8Array): string {
  writeFileSync(inDirectory(name), content);
  return inDirectory(name);
}

/** Reads all rows in uneven pieces, so that boundaries fall anywhere. */
export async function readAll(source: Source, step = 5): Promise<Matrix> {
  const { rows, cols } = source;
  const data = source.precision === 'f32' ? new Float32Array(rows * cols) : new Float64Array(rows * cols);
  for (let start = 0; start < rows; start += step) {
    const part = await source.read(start, Math.min(rows, start + step));
    data.set(part.data, start * cols);
  }
  await source.close?.();
  return { rows, cols, data };
}

export async function readInChunks(source: Source): Promise<number> {
  let sum = 0;
  for (const { start, end } of chunkRanges(source.rows, source.cols)) {
    for (const value of (await source.read(start, end)).data) sum += value;
  }
  return sum;
}

/** The message of the InputError, without the test's directory. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message.replaceAll(`${directory}/`, '');
}

export const leftovers = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder).filter((name) => pattern.test(name));
