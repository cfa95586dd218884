/**
 * The formats whose files can be read at any position, so that threads read them for themselves. Nothing else is loaded here: a web
 * worker is one file.
 */
import type { Bytes } from '../bytes/bytes.ts';
import type { Table } from '../tables/table.ts';
import { openIdxTable } from './idx.ts';
import { npyFile, openNpyTable } from './npy/npy.ts';
import { openNpz, pickArray } from './npy/npz.ts';
import { isSparse, openSparseTable } from './npy/sparse.ts';
import { openWavTable } from './wav/wav.ts';

/** By file name extension; `array`: which one of an archive. */
export const IN_PLACE: Readonly<Record<string, (bytes: Bytes, array?: string) => Promise<Table>>> = {
  '.npy': (bytes) => openNpyTable(npyFile(bytes)),
  '.npz': openNpzTable,
  '.idx': (bytes) => openIdxTable(npyFile(bytes)),
  '-ubyte': (bytes) => openIdxTable(npyFile(bytes)),
  '.wav': (bytes) => openWavTable(bytes),
};

async function openNpzTable(bytes: Bytes, array?: string): Promise<Table> {
  const arrays = await openNpz(bytes);
  if (array === undefined && isSparse(arrays)) return openSparseTable(bytes, arrays);
  return openNpyTable(await pickArray(bytes.name, arrays, array));
}
