/** Reads the bytes of Blobs and Files, which the browser keeps on disk or in memory, piece by piece. */
import { crc32 } from '../core/crc32.ts';
import { InputError } from '../core/errors.ts';
import { reasonOf } from '../core/warn.ts';
import { ReadBudget, type ReadLimits } from '../io/bytes/budget.ts';
import type { Bytes, BytesPlatform } from '../io/bytes/bytes.ts';
import type { Chunks } from '../io/bytes/sink.ts';
import { inflate } from './inflate.ts';

/** Bytes per read: enough for disk speed, little enough to hold twice. */
const PIECE = 1 << 23;

export const browserPlatform: BytesPlatform = { inflate, crc32, decompressors: {}, spool };

export interface BlobBytes extends Bytes {
  readonly blob: Blob;
}

/** Opens a Blob as bytes. `name`: for messages; `signal` ends reading. */
export function blobBytes(name: string, blob: Blob, limits: ReadLimits, signal?: AbortSignal): BlobBytes {
  const { size, lastModified = 0 } = blob as Blob & { readonly lastModified?: number };
  const readAt = async (target: Uint8Array, position: number): Promise<number> => {
    const length = Math.max(0, Math.min(target.byteLength, size - position));
    for (let done = 0; done < length; ) {
      signal?.throwIfAborted();
      const end = Math.min(length, done + PIECE);
      const part = await blob.slice(position + done, position + end).arrayBuffer();
      target.set(new Uint8Array(part), done);
      done = end;
    }
    return length;
  };
  return {
    name,
    blob,
    byteLength: size,
    budget: new ReadBudget(name, size, limits),
    platform: browserPlatform,
    fingerprint: { size, stamp: `${lastModified}` },
    readAt: (target, position) =>
      readAt(target, position).catch((error) => {
        throw blobFailure(name, error);
      }),
    requireUnchanged: async () => {}, // a browser refuses to read a file that has changed
    close: async () => {},
  };
}

/** Rewords the failures of reading Blobs. */
function blobFailure(name: string, error: unknown): unknown {
  const kind = (error as { name?: unknown } | undefined)?.name;
  if (kind === 'NotReadableError' || kind === 'NotFoundError') {
    return new InputError(`${name}: cannot be read (it has changed since it was opened, or is no longer there).`);
  }
  if (kind === 'SecurityError') return new InputError(`${name}: cannot be read (${reasonOf(error)}).`);
  return error;
}

/** Copies memory that the caller may reuse into a Blob; Blobs cannot use shared memory. */
export const blobOfChunk = (chunk: Uint8Array): Blob =>
  new Blob([chunk.buffer instanceof ArrayBuffer ? (chunk as Uint8Array<ArrayBuffer>) : chunk.slice()]);

async function spool(name: string, chunks: Chunks, limits: ReadLimits): Promise<BlobBytes> {
  const parts: Blob[] = [];
  for await (const chunk of chunks) parts.push(blobOfChunk(chunk));
  return blobBytes(name, new Blob(parts), limits);
}
