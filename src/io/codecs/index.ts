/**
 * Formats of tables by file extension. Those of arrays and sound can be read at any position, so that threads read
 * for themselves; a web worker opens no others. The code for the others is loaded when it is needed.
 */
import type { Bytes } from '../bytes/bytes.ts';
import { contentOf } from '../bytes/content.ts';
import { fileName } from '../bytes/spec.ts';
import type { Format, TableReading } from '../tables/options.ts';
import type { Table } from '../tables/table.ts';
import { openIdxTable } from './idx.ts';
import type { codecs } from './loaders.ts';
import { openNpyTable } from './npy/npy.ts';
import { openNpz, pickArray } from './npy/npz.ts';
import { isSparse, openSparseTable } from './npy/sparse.ts';
import { type PatchReading, PICTURES, type PictureDecoder } from './picture/reading.ts';
import { openWavTable } from './wav/wav.ts';

/** Options for reading bytes. */
export interface Reading {
  /** Name of the array of an archive. */
  readonly array?: string | undefined;
  readonly table: TableReading;
  readonly pictures: PatchReading;
  readonly codecs: typeof codecs;
  /** Loads the decoder of pictures. */
  readonly decoder: () => Promise<PictureDecoder>;
}

/** Opens a table. `reading` is complete except in a web worker, which opens no format that needs more than `array`. */
type Open = (bytes: Bytes, reading: Reading, gzipped: boolean) => Promise<Table>;

const openIdx: Open = (bytes, _, gzipped) => openIdxTable(contentOf(bytes, gzipped));

const openNpzTable: Open = async (bytes, { array }) => {
  const arrays = await openNpz(bytes);
  if (array === undefined && isSparse(arrays)) return openSparseTable(bytes, arrays);
  return openNpyTable(await pickArray(bytes.name, arrays, array));
};

const openText =
  (delimiter?: string): Open =>
  async (bytes, { table, codecs }, gzipped) => {
    const { openCsvTable } = await codecs.csv();
    return openCsvTable(contentOf(bytes, gzipped), delimiter === undefined ? table : { delimiter, ...table });
  };

const openPicture: Open = async (bytes, { pictures, codecs, decoder }) =>
  (await codecs.picture()).openPictureTable(bytes, pictures, await decoder());

const FORMATS: Readonly<Record<`.${Exclude<Format, `${string}.gz`>}`, Open> & Record<string, Open>> = {
  '.npy': (bytes, _, gzipped) => openNpyTable(contentOf(bytes, gzipped)),
  '.npz': openNpzTable,
  '.idx': openIdx,
  '.wav': openWavTable,
  '-ubyte': openIdx,
  '.csv': openText(),
  '.tsv': openText('\t'),
  '.parquet': async (bytes, { table, codecs }) => (await codecs.parquet()).openParquetTable(bytes, table),
  ...(Object.fromEntries(PICTURES.map((name) => [name, openPicture])) as Record<(typeof PICTURES)[number], Open>),
};

const GZIPPED_TOO = ['.npy', '.idx', '-ubyte', '.csv', '.tsv'];

/** File name extensions of all formats. */
export const EXTENSIONS: readonly string[] = Object.keys(FORMATS).flatMap((extension) =>
  GZIPPED_TOO.includes(extension) ? [extension, `${extension}.gz`] : [extension],
);

/** Returns the extension of a file name or an address; undefined if no format has it. */
export const extensionOf = (path: string): string | undefined =>
  EXTENSIONS.find((known) => fileName(path).toLowerCase().endsWith(known));

/** Opens the 2-d array without reading its numbers; closing the table closes the bytes. */
export function openFormat(extension: string, bytes: Bytes, reading: Reading): Promise<Table> {
  const [, plain, gz] = /^(.*?)(\.gz)?$/.exec(extension)!;
  return FORMATS[plain](bytes, reading, gz !== undefined);
}

/** Opens a table that is read in place, in a web worker. */
export const openInPlace = (extension: string, bytes: Bytes, array?: string): Promise<Table> =>
  openFormat(extension, bytes, { array } as Reading);
