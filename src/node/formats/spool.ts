/**
 * A temporary file for data that cannot be read at random positions: what does not fit into memory, and standard input. It is unlinked as
 * soon as it is open, so that the system reclaims the space however the process ends; where an open file cannot be
 * removed, it is removed on close.
 */
import { open, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { type ReadLimits, readLimits } from './budget.ts';
import type { Bytes } from './bytes.ts';
import { fileBytes } from './bytes.ts';
import { readFailure, systemCode } from './file-errors.ts';
import { writeAll } from './write-all.ts';

/** Writes all chunks to a temporary file; closing the result frees the space. */
export async function spool(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  limits: ReadLimits = readLimits(),
): Promise<Bytes> {
  const { randomBytes } = await import('node:crypto'); // slow to load, and seldom needed
  const path = join(tmpdir(), `orthodict-${process.pid}-${randomBytes(6).toString('hex')}.raw`);
  try {
    const file = await open(path, 'wx+', 0o600);
    const removed = await unlink(path).then(
      () => true,
      () => false,
    );
    const bytes = await writeAll(file, chunks).then(
      (size) => fileBytes(name, file, size, limits),
      async (error) => {
        await file.close();
        if (!removed) await unlink(path);
        throw error;
      },
    );
    if (removed) return bytes;
    return { ...bytes, close: () => bytes.close().then(() => rm(path, { force: true })) };
  } catch (error) {
    throw spoolFailure(name, error);
  }
}

function spoolFailure(name: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  if ((error as NodeJS.ErrnoException).syscall === 'read') return readFailure(name, error);
  const why = code === 'ENOSPC' ? 'no space left' : code;
  return new InputError(
    `${name}: cannot be kept in a temporary file in ${tmpdir()} (${why}); set TMPDIR to a larger disk.`,
  );
}
