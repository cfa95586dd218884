/**
 * Decodes the numbers of one column in one row group. They come in pages, each compressed by itself: perhaps one with a dictionary, then
 * some with values, or with indices into the dictionary. If values may be missing, a bit per row marks those present.
 *
 * Headers, decompression and plain values are read by hyparquet. Sizes in a header are checked before they are allocated or
 * skipped over, so that damaged pages end in an error and not in the memory of the machine.
 */
import type { Compressors, DataReader } from 'hyparquet';
import type { FloatArray } from '../../../core/matrix.ts';
import type { ReadBudget } from '../../bytes/budget.ts';
import { type Bytes, type BytesPlatform, readBytes } from '../../bytes/bytes.ts';
import { unpackDeltas } from './deltas.ts';
import type { NumberType, ParquetColumn, ParquetFile } from './footer.ts';
import { floatsOf } from './numbers.ts';
import { unpackRuns } from './runs.ts';

export interface ColumnChunk {
  readonly bytes: Uint8Array;
  readonly codec: keyof Compressors;
  readonly type: NumberType;
  readonly optional: boolean;
  /** Number of rows of the row group. */
  readonly rows: number;
  readonly budget: ReadBudget;
}

/** Reads the bytes of a column in a row group. */
export async function readChunk(
  bytes: Bytes,
  group: ParquetFile['groups'][number],
  column: ParquetColumn & { readonly type: NumberType },
): Promise<ColumnChunk> {
  const { start, end, codec } = group.chunk(column);
  const { type, optional } = column;
  const content = await readBytes(bytes, start, end - start);
  return { bytes: content, codec, type, optional, rows: group.rows, budget: bytes.budget };
}

/** Destination of the numbers of rows [start, end): that of the first row at `at`, each further one `stride` later. */
export interface Destination {
  readonly start: number;
  readonly end: number;
  readonly out: FloatArray;
  readonly at: number;
  readonly stride: number;
}

/** Writes the numbers of some rows of a chunk to their destination. */
export type ChunkDecoder = (chunk: ColumnChunk, destination: Destination) => void;
type Parts = Awaited<ReturnType<typeof loadParts>>;
type Header = ReturnType<Parts['parquetHeader']>;

/** A page of values: number of rows, which of them have a value, and the values. */
interface Page {
  readonly encoding: string | undefined;
  readonly body: Uint8Array;
  /** One entry per row: 1 if there is a value; undefined: all have one. */
  readonly levels: Int32Array | undefined;
  readonly count: number;
}

/** Loads the decoder, which other formats do not need. */
export async function chunkDecoder({ platform }: Bytes): Promise<ChunkDecoder> {
  const parts = await loadParts(platform);
  return (chunk, destination) => decodeChunk(parts, chunk, destination);
}

async function loadParts(platform: BytesPlatform) {
  const [{ parquetHeader }, { decompressPage }, plain, { byteStreamSplit }, others] = await Promise.all([
    import('hyparquet/src/column.js'),
    import('hyparquet/src/datapage.js'),
    import('hyparquet/src/plain.js'),
    import('hyparquet/src/encoding.js'),
    import('hyparquet-compressors'),
  ]);
  const compressors: Compressors = {
    ...others.compressors,
    ZSTD: (packed, length) => others.decompressZstd(packed, new Uint8Array(length)), // no more than the header declares
    ...platform.decompressors,
  };
  const { readPlain } = plain;
  return { parquetHeader, decompressPage, readPlain, byteStreamSplit, compressors };
}

/** Decodes a chunk; missing numbers become NaN. */
function decodeChunk(parts: Parts, chunk: ColumnChunk, { start, end, out, at, stride }: Destination): void {
  const { bytes, rows } = chunk;
  const reader = readerOf(bytes);
  let dictionary: FloatArray | undefined;
  for (let row = 0; row < end; ) {
    if (reader.offset >= bytes.length) throw new Error(`a column ends after ${row} of ${rows} rows`);
    const header = parts.parquetHeader(reader);
    const body = bodyOf(reader, chunk, header);
    if (header.dictionary_page_header) {
      const { num_values: count } = header.dictionary_page_header;
      dictionary = plainNumbers(parts, chunk, unpacked(parts, chunk, body, header.uncompressed_page_size), count);
    }
    const count = header.data_page_header?.num_values ?? header.data_page_header_v2?.num_values ?? 0;
    if (!(count >= 0 && row + count <= rows)) throw new Error(`a page of ${count} rows`);
    const [first, last] = [Math.max(start, row), Math.min(end, row + count)];
    if (first < last) {
      const page = pageOf(parts, chunk, header, body);
      const values = valuesOf(parts, chunk, page, dictionary);
      for (let k = first, to = at + (first - start) * stride; k < last; k++, to += stride) out[to] = values[k - row];
    }
    row += count;
  }
}

const readerOf = (bytes: Uint8Array): DataReader => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  offset: 0,
});

/** Returns the bytes after a header, as they are stored. */
function bodyOf(reader: DataReader, { bytes, budget }: ColumnChunk, header: Header): Uint8Array {
  const { compressed_page_size: size, uncompressed_page_size: length } = header;
  if (!(size >= 0 && reader.offset + size <= bytes.length && length >= 0)) throw new Error(`a page of ${size} bytes`);
  budget.unpack(length, size);
  reader.offset += size;
  return bytes.subarray(reader.offset - size, reader.offset);
}

const unpacked = ({ decompressPage, compressors }: Parts, { codec }: ColumnChunk, body: Uint8Array, length: number) =>
  length === 0 ? body.subarray(0, 0) : decompressPage(body, length, codec, compressors);

function pageOf(parts: Parts, chunk: ColumnChunk, header: Header, body: Uint8Array): Page {
  const second = header.data_page_header_v2;
  if (second) return secondKind(parts, chunk, header.uncompressed_page_size, second, body);
  const { num_values: count, encoding, definition_level_encoding: bits } = header.data_page_header!;
  const page = unpacked(parts, chunk, body, header.uncompressed_page_size);
  if (!chunk.optional) return { count, encoding, body: page, levels: undefined };
  if (bits !== 'RLE') throw new Error(`missing values marked by ${bits}`);
  const length = prefixOf(page);
  return {
    count,
    encoding,
    body: page.subarray(4 + length),
    levels: unpackRuns(page.subarray(4, 4 + length), 1, count),
  };
}

/** Decodes data pages of version 2: the marks of missing values are not compressed. */
function secondKind(
  parts: Parts,
  chunk: ColumnChunk,
  size: number,
  header: NonNullable<Header['data_page_header_v2']>,
  body: Uint8Array,
): Page {
  const { num_values: count, encoding, is_compressed: isCompressed } = header;
  const [start, length] = [header.repetition_levels_byte_length ?? 0, header.definition_levels_byte_length ?? 0];
  if (!(start >= 0 && length >= 0 && start + length <= Math.min(size, body.length)))
    throw new Error('a page of levels');
  const levels = chunk.optional ? unpackRuns(body.subarray(start, start + length), 1, count) : undefined;
  const rest = body.subarray(start + length);
  const values = isCompressed === false ? rest : unpacked(parts, chunk, rest, size - start - length);
  return { count, encoding, body: values, levels };
}

/** Reads the length that precedes a part of a page. */
function prefixOf(page: Uint8Array): number {
  const length = page.length < 4 ? Number.NaN : readerOf(page).view.getUint32(0, true);
  if (!(4 + length <= page.length)) throw new Error('a page that ends early');
  return length;
}

/** Returns one number for each row, NaN where it is missing. */
function valuesOf(parts: Parts, chunk: ColumnChunk, page: Page, dictionary: FloatArray | undefined): FloatArray {
  const { levels, count } = page;
  const present = levels ? levels.reduce((sum, level) => sum + level, 0) : count;
  const values = encodedNumbers(parts, chunk, page, present, dictionary);
  if (!levels || present === count) return values;
  const spread = new Float64Array(count).fill(Number.NaN);
  for (let row = 0, next = 0; row < count; row++) if (levels[row] === 1) spread[row] = values[next++];
  return spread;
}

function encodedNumbers(
  parts: Parts,
  chunk: ColumnChunk,
  { encoding, body }: Page,
  count: number,
  dictionary: FloatArray | undefined,
): FloatArray {
  const { physical } = chunk.type;
  if (count === 0) return new Float64Array(0);
  if (encoding === 'PLAIN') return plainNumbers(parts, chunk, body, count);
  if (encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY') {
    return lookUp(dictionary, unpackRuns(body.subarray(1), body[0] ?? Number.NaN, count));
  }
  if (encoding === 'RLE' && physical === 'BOOLEAN') {
    return Float64Array.from(unpackRuns(body.subarray(4, 4 + prefixOf(body)), 1, count));
  }
  if (encoding === 'DELTA_BINARY_PACKED' && (physical === 'INT32' || physical === 'INT64')) {
    const halves = unpackDeltas(body, count);
    const values = physical === 'INT64' ? new BigInt64Array(halves.buffer) : halves.filter((_, k) => k % 2 === 0);
    return floatsOf(values, chunk.type);
  }
  if (encoding === 'BYTE_STREAM_SPLIT') {
    requireRoom(chunk.type, body, count);
    return floatsOf(parts.byteStreamSplit(readerOf(body), count, physical, chunk.type.length), chunk.type);
  }
  throw new Error(`numbers encoded as ${encoding}, which is not known`);
}

function lookUp(dictionary: FloatArray | undefined, places: Int32Array): FloatArray {
  if (!dictionary) throw new Error('a page without its dictionary');
  const out = dictionary instanceof Float32Array ? new Float32Array(places.length) : new Float64Array(places.length);
  for (let k = 0; k < places.length; k++) {
    if (!(places[k] >= 0 && places[k] < dictionary.length)) throw new Error(`place ${places[k]} of a dictionary`);
    out[k] = dictionary[places[k]];
  }
  return out;
}

function plainNumbers({ readPlain }: Parts, { type }: ColumnChunk, body: Uint8Array, count: number): FloatArray {
  requireRoom(type, body, count);
  const reader = readerOf(body);
  const values = readPlain(reader, type.physical, count, type.length);
  if (reader.offset > body.length) throw new Error('a page that ends early');
  return floatsOf(values, type);
}

/** Least bytes of a value. */
const WIDTHS: Readonly<Record<string, number>> = {
  BOOLEAN: 1 / 8,
  INT32: 4,
  INT64: 8,
  FLOAT: 4,
  DOUBLE: 8,
  BYTE_ARRAY: 4,
};

function requireRoom({ physical, length = 0 }: NumberType, body: Uint8Array, count: number): void {
  const width = WIDTHS[physical] ?? length;
  if (!(width > 0 && count >= 0 && count * width <= body.length))
    throw new Error(`${count} values in ${body.length} bytes`);
}
