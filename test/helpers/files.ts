/** The files of one test file, in a directory that is removed at its end, and helpers for files. */
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import type { Matrix } from '#src/core/matrix.ts';
import type { Source } from '#src/engine/source/source.ts';
import { chunkRanges } from '#src/engine/source/source.ts';
import { scratchDirectory } from './scratch.ts';

export interface ScratchFiles {
  readonly directory: string;
  inDirectory(name: string): string;
  /** Writes a file; returns its path. */
  put(name: string, content: string | Uint8Array): string;
  /** Expects an InputError; returns its message without the directory of the test. */
  refusal(promise: Promise<unknown>): Promise<string>;
}

export function scratchFiles(): ScratchFiles {
  const { path: directory, file: inDirectory } = scratchDirectory();
  return {
    directory,
    inDirectory,
    put(name, content) {
      writeFileSync(inDirectory(name), content);
      return inDirectory(name);
    },
    async refusal(promise) {
      const error = await promise.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(InputError);
      return (error as InputError).message.replaceAll(`${directory}/`, '');
    },
  };
}

/** Reads all rows in uneven steps, so that boundaries fall anywhere. */
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
