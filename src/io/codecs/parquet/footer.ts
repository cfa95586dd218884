/**
 * Reads the end of a Parquet file: its columns, and the location of their numbers. A file is `PAR1`, then row groups (some
 * rows each, column by column), then the metadata, its length and `PAR1` again.
 */
import type { CompressionCodec, FileMetaData, ParquetType, RowGroup, SchemaElement } from 'hyparquet';
import { InputError } from '../../../core/errors.ts';
import { quoted } from '../../../core/printable.ts';
import { type Bytes, endsEarly, readBytes } from '../../bytes/bytes.ts';
import { latin1Text } from '../../bytes/text-bytes.ts';

/** Storage format of numbers. */
export interface NumberType {
  readonly physical: ParquetType;
  /** Bytes of a number, if it is stored as bytes. */
  readonly length?: number | undefined;
  readonly unsigned?: boolean;
  /** Set for half floats. */
  readonly half?: boolean;
  /** Digits after the point of decimals. */
  readonly scale?: number | undefined;
}

export interface ParquetColumn {
  readonly name: string;
  /** Index, from 1, and name: for messages. */
  readonly shown: string;
  /** Index of this column's chunk in a row group. */
  readonly leaf: number;
  /** Whether values may be missing. */
  readonly optional: boolean;
  /** Whether pandas wrote it as the index of the rows. */
  readonly isIndex: boolean;
  /** Type of the numbers, or a description of other content. */
  readonly type: NumberType | string;
}

/** The numbers of one column in one row group. */
export interface ColumnChunkInfo {
  readonly start: number;
  readonly end: number;
  readonly codec: CompressionCodec;
}

export interface ParquetFile {
  readonly rows: number;
  readonly columns: readonly ParquetColumn[];
  readonly groups: readonly { readonly rows: number; chunk(column: ParquetColumn): ColumnChunkInfo }[];
}

const MAGIC = 'PAR1';
const ENCRYPTED = 'PARE';
/** Length of the metadata and the magic number. */
const TAIL = 8;

export async function readFooter(bytes: Bytes): Promise<ParquetFile> {
  const { name, byteLength } = bytes;
  const { parquetMetadata } = await import('hyparquet');
  const length = await metadataLength(bytes);
  const footer = await readBytes(bytes, byteLength - length - TAIL, length + TAIL);
  return unlessDamaged(name, 'metadata', () => describeFile(bytes, parquetMetadata(footer, { geoparquet: false })));
}

/** Runs a part of the library; its exceptions mean damaged data. */
export function unlessDamaged<T>(name: string, what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = error instanceof Error ? error.message.replace(/^parquet /, '') : String(error);
    throw new InputError(`${name}: the ${what} is damaged (${reason}).`);
  }
}

/** Checks the ends of the file. */
async function metadataLength(bytes: Bytes): Promise<number> {
  const { name, byteLength } = bytes;
  const head = latin1Text(await readBytes(bytes, 0, Math.min(MAGIC.length, byteLength)));
  const tail = await readBytes(bytes, Math.max(0, byteLength - TAIL), Math.min(TAIL, byteLength));
  const end = latin1Text(tail.subarray(-MAGIC.length));
  if (head === ENCRYPTED || end === ENCRYPTED) throw encrypted(name);
  if (head !== MAGIC) throw new InputError(`${name}: is not a Parquet file.`);
  if (end !== MAGIC || byteLength < MAGIC.length + TAIL) throw endsEarly(name);
  const length = new DataView(tail.buffer).getUint32(0, true);
  if (length <= byteLength - MAGIC.length - TAIL) return length;
  throw new InputError(`${name}: declares ${length} bytes of metadata but holds ${byteLength}.`);
}

const encrypted = (name: string) => new InputError(`${name}: must not be encrypted; got an encrypted Parquet file.`);

function describeFile(bytes: Bytes, metadata: FileMetaData): ParquetFile {
  const rows = sizeOf(metadata.num_rows);
  const groups = metadata.row_groups.map((group) => describeGroup(bytes, group));
  if (groups.reduce((sum, group) => sum + group.rows, 0) !== rows) throw new Error('its row groups lack rows');
  return { rows, columns: columnsOf(metadata), groups };
}

function describeGroup(bytes: Bytes, group: RowGroup): ParquetFile['groups'][number] {
  const { name, byteLength } = bytes;
  const chunk = (column: ParquetColumn): ColumnChunkInfo => {
    const { meta_data: meta, file_path: path, crypto_metadata: crypto } = group.columns[column.leaf];
    if (path) throw new InputError(`${name}: must hold its columns itself; got columns in other files.`);
    if (crypto || !meta) throw encrypted(name);
    const start = sizeOf(meta.dictionary_page_offset || meta.data_page_offset);
    const end = start + sizeOf(meta.total_compressed_size);
    if (meta.path_in_schema.join('.') !== column.name) throw new Error('its columns are out of order');
    if (end > byteLength) throw new Error('a column reaches beyond the file');
    return { start, end, codec: meta.codec };
  };
  return { rows: sizeOf(group.num_rows), chunk: (column) => unlessDamaged(name, 'metadata', () => chunk(column)) };
}

function sizeOf(value: bigint | number): number {
  const size = Number(value);
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw new Error(`a size of ${value}`);
}

/** Returns the columns of the first level; below it are lists and records. */
function columnsOf({ schema, key_value_metadata: notes = [] }: FileMetaData): ParquetColumn[] {
  const indexes = pandasIndexes(notes.find(({ key }) => key === 'pandas')?.value);
  const columns: ParquetColumn[] = [];
  const [root] = schema;
  for (let at = 1, leaf = 0; columns.length < (root.num_children ?? 0); ) {
    const element = schema[at];
    const { name } = element;
    const isIndex = indexes.includes(name) || /^__index_level_\d+__$/.test(name);
    const shown = `${columns.length + 1} (${quoted(name)})`;
    const optional = element.repetition_type !== 'REQUIRED';
    columns.push({ name, shown, leaf, optional, isIndex, type: typeOf(element) });
    for (let open = 1; open > 0; at++) {
      const { num_children: children = 0 } = schema[at];
      if (children === 0) leaf++;
      open += children - 1;
    }
  }
  return columns;
}

/** Returns the index columns listed by pandas: by name, or by an object for one that is not stored. */
function pandasIndexes(text: string | undefined): unknown[] {
  try {
    const { index_columns: indexes } = JSON.parse(text ?? '{}');
    return Array.isArray(indexes) ? indexes : [];
  } catch {
    return [];
  }
}

function typeOf(element: SchemaElement): NumberType | string {
  const { type, type_length: length, repetition_type: repetition, converted_type: converted } = element;
  const logical = element.logical_type;
  if (element.num_children || !type || repetition === 'REPEATED') return 'nested values';
  if (logical?.type === 'NULL') return 'no values';
  if (type === 'INT96' || /^(DATE|TIME|TIMESTAMP|INTERVAL)/.test(logical?.type ?? converted ?? ''))
    return 'dates or times';
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const scale = sizeOf(element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0) ?? 0);
    return { physical: type, length, scale };
  }
  if (logical?.type === 'FLOAT16' && length === 2) return { physical: type, length, half: true };
  if (type === 'BYTE_ARRAY') return 'text';
  if (type === 'FIXED_LEN_BYTE_ARRAY') return 'bytes';
  const unsigned = logical?.type === 'INTEGER' ? !logical.isSigned : converted?.startsWith('UINT') === true;
  return { physical: type, unsigned };
}
