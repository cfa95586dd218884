/** Opens the bytes of a file as a table, by the format that its name or an option tells. */
import type { Bytes } from '../bytes/bytes.ts';
import { fileName } from '../bytes/spec.ts';
import { textContent } from '../bytes/text-lines.ts';
import type { Format, TableReading } from '../tables/options.ts';
import type { Table } from '../tables/table.ts';
import { openCsvTable } from './csv/csv.ts';
import { openIdxTable } from './idx.ts';
import { IN_PLACE } from './in-place.ts';
import { gzippedNpyFile, openNpyTable } from './npy/npy.ts';
import { PICTURES } from './picture/names.ts';
import type { PatchReading, PictureDecoder } from './picture/table.ts';

/** How bytes are read. */
export interface Reading {
  /** Which array of an archive. */
  readonly array?: string | undefined;
  readonly table: TableReading;
  readonly pictures: PatchReading;
  /** Loads what decodes pictures. */
  readonly decoder: () => Promise<PictureDecoder>;
}

type Open = (bytes: Bytes, reading: Reading) => Promise<Table>;

const openPicture: Open = async (bytes, { pictures, decoder }) =>
  (await import('./picture/table.ts')).openPictureTable(bytes, pictures, await decoder());

const openText =
  (gzipped: boolean, delimiter?: string): Open =>
  (bytes, { table }) =>
    openCsvTable(textContent(bytes, gzipped), delimiter === undefined ? table : { delimiter, ...table });

const inPlace =
  (extension: string): Open =>
  (bytes, { array }) =>
    IN_PLACE[extension](bytes, array);

/** By file name extension. */
const FORMATS: Readonly<Record<`.${Format}`, Open> & Record<string, Open>> = {
  '.npy': inPlace('.npy'),
  '.npy.gz': (bytes) => openNpyTable(gzippedNpyFile(bytes)),
  '.npz': inPlace('.npz'),
  '.idx': inPlace('.idx'),
  '.idx.gz': (bytes) => openIdxTable(gzippedNpyFile(bytes)),
  '.wav': inPlace('.wav'),
  '-ubyte': inPlace('-ubyte'),
  '-ubyte.gz': (bytes) => openIdxTable(gzippedNpyFile(bytes)),
  '.csv': openText(false),
  '.csv.gz': openText(true),
  '.tsv': openText(false, '\t'),
  '.tsv.gz': openText(true, '\t'),
  '.parquet': async (bytes, { table }) => (await import('./parquet/parquet.ts')).openParquetTable(bytes, table),
  ...(Object.fromEntries(PICTURES.map((name) => [name, openPicture])) as Record<(typeof PICTURES)[number], Open>),
};

/** File name extensions of all formats. */
export const EXTENSIONS: readonly string[] = Object.keys(FORMATS);

/** Of the name of a file or an address; undefined if no format has it. */
export const extensionOf = (path: string): string | undefined =>
  EXTENSIONS.find((known) => fileName(path).toLowerCase().endsWith(known));

/** Opens the 2-d array without reading its numbers; closing the table closes the bytes. */
export const openFormat = (extension: string, bytes: Bytes, reading: Reading): Promise<Table> =>
  FORMATS[extension](bytes, reading);
