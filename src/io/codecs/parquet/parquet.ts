/**
 * Reads Parquet files, as pandas, Arrow, Spark and DuckDB write them: columns with names, in row groups (footer.ts). Only the
 * columns that are taken are read, one chunk at a time. Numbers are written straight to their places in the rows.
 */
import { InputError } from '../../../core/errors.ts';
import { bytesPerNumber, type FloatArray, type Precision } from '../../../core/matrix.ts';
import { firstNotFinite } from '../../../core/require-matrix.ts';
import { warnOnce } from '../../../core/warn.ts';
import type { Bytes } from '../../bytes/bytes.ts';
import { MissingSurvey, type Substitutes, substitute } from '../../tables/fill-missing.ts';
import { chosenColumns, type TableOptions, type TableReading } from '../../tables/options.ts';
import { fillFrom, requireRows, type Table } from '../../tables/table.ts';
import { allocate } from '../npy/dtype.ts';
import { type NumberType, type ParquetColumn, type ParquetFile, readFooter, unlessDamaged } from './footer.ts';
import { isSingle } from './numbers.ts';
import { type ChunkDecoder, chunkDecoder, readChunk } from './pages.ts';

/** Most numbers of one piece: larger row groups are read in several, and their bytes each time. */
const BLOCK_LENGTH = 1 << 24;

export async function openParquetTable(bytes: Bytes, options: TableReading = {}): Promise<Table> {
  const reader = await openReader(bytes, options);
  const { name, budget } = bytes;
  const { cols, precision, names } = reader;
  const { missing = 'error' } = options;
  const shape = { name, cols, precision, budget, names, close: () => bytes.close() };
  if (missing === 'error') {
    const { rows } = reader;
    return { ...shape, rows, load: (out) => loadWhole(reader, out), stream: () => wholeBlocks(reader) };
  }
  const { means } = options;
  const survey = means?.survey(cols) ?? new MissingSurvey(cols);
  for await (const { block } of reader.blocks()) for (let at = 0; at < block.length; at += cols) survey.add(block, at);
  const { rows, substitutes } = means
    ? { rows: reader.rows, substitutes: survey.means }
    : survey.settle(name, missing, (column) => reader.shown[column]);
  const stream = () => filledBlocks(reader, substitutes);
  return { ...shape, rows, load: (out) => fillFrom(name, stream(), out), stream };
}

/** Reads numbers unchanged, missing ones as NaN. */
interface ParquetReader {
  readonly file: string;
  readonly rows: number;
  readonly cols: number;
  readonly precision: Precision;
  readonly names: readonly string[];
  /** Index and name of each column, for messages. */
  readonly shown: readonly string[];
  /** Yields blocks of whole rows, each overwritten by the next. */
  blocks(): AsyncGenerator<{ readonly start: number; readonly block: FloatArray }>;
  /** Reads row groups straight into `out`. */
  load(out: FloatArray): Promise<void>;
}

async function openReader(bytes: Bytes, options: TableOptions): Promise<ParquetReader> {
  const { name: file } = bytes;
  const [{ rows, columns, groups }, decode] = await Promise.all([readFooter(bytes), chunkDecoder(bytes)]);
  const chosen = columnsToTake(file, columns, options);
  const { cols } = requireRows(file, [rows, chosen.length]);
  const precision = chosen.every(({ type }) => isSingle(type)) ? 'f32' : 'f64';
  bytes.budget.unpack(rows * cols * bytesPerNumber(precision));
  const fill = rowFiller(bytes, chosen, decode);
  return {
    file,
    rows,
    cols,
    precision,
    names: chosen.map(({ name }) => name),
    shown: chosen.map(({ shown }) => shown),
    blocks: () => blocksOf(groups, cols, precision, fill),
    async load(out) {
      let first = 0;
      for (const group of groups) {
        const end = first + group.rows;
        await fill(group, 0, group.rows, out.subarray(first * cols, end * cols) as FloatArray);
        first = end;
      }
    },
  };
}

type Group = ParquetFile['groups'][number];
/** Fills `out` with the rows [start, end) of a row group. */
type FillRows = (group: Group, start: number, end: number, out: FloatArray) => Promise<void>;

const rowFiller =
  (bytes: Bytes, chosen: readonly NumberColumn[], decode: ChunkDecoder): FillRows =>
  async (group, start, end, out) => {
    for (const [at, column] of chosen.entries()) {
      const chunk = await readChunk(bytes, group, column);
      const to = { start, end, out, at, stride: chosen.length };
      unlessDamaged(bytes.name, `column ${column.shown}`, () => decode(chunk, to));
    }
    await bytes.requireUnchanged();
  };

async function* blocksOf(
  groups: readonly Group[],
  cols: number,
  precision: Precision,
  fill: FillRows,
): ReturnType<ParquetReader['blocks']> {
  const largest = groups.reduce((most, { rows }) => Math.max(most, rows), 0);
  const height = Math.min(largest, Math.max(1, Math.floor(BLOCK_LENGTH / cols)));
  const memory = allocate(precision, height * cols);
  let first = 0;
  for (const group of groups) {
    for (let start = 0; start < group.rows; start += height) {
      const end = Math.min(group.rows, start + height);
      const block = memory.subarray(0, (end - start) * cols) as FloatArray;
      await fill(group, start, end, block);
      yield { start: first + start, block };
    }
    first += group.rows;
  }
}

type NumberColumn = ParquetColumn & { readonly type: NumberType };

/** Returns all columns, or those that were asked for; the index that pandas wrote only if asked for. */
function columnsToTake(file: string, columns: readonly ParquetColumn[], options: TableOptions): NumberColumn[] {
  const { onRemark = warnOnce } = options;
  const names = columns.map(({ name }) => name);
  const wanted = chosenColumns(file, columns.length, names, options).map((column) => columns[column]);
  const isLeftOut = ({ isIndex }: ParquetColumn) => isIndex && options.columns === undefined;
  for (const { shown } of wanted.filter(isLeftOut)) {
    onRemark(`${file}: column ${shown} is the index that pandas wrote and is left out; --columns takes it.`);
  }
  return wanted.filter((column) => !isLeftOut(column)).map((column) => requireNumberColumn(file, column));
}

function requireNumberColumn(file: string, column: ParquetColumn): NumberColumn {
  const { type, shown } = column;
  if (typeof type !== 'string') return { ...column, type };
  throw new InputError(`${file}: column ${shown} must hold numbers; got ${type} (--drop leaves a column out).`);
}

async function loadWhole(reader: ParquetReader, out: FloatArray): Promise<void> {
  await reader.load(out);
  requireNumbers(reader, 0, out);
}

async function* wholeBlocks(reader: ParquetReader): AsyncGenerator<FloatArray> {
  for await (const { start, block } of reader.blocks()) {
    requireNumbers(reader, start, block);
    yield block;
  }
}

function requireNumbers({ file, cols, shown }: ParquetReader, start: number, numbers: FloatArray): void {
  const bad = firstNotFinite(numbers);
  if (bad < 0) return;
  const place = `row ${start + Math.floor(bad / cols) + 1}, column ${shown[bad % cols]}`;
  const got = Number.isNaN(numbers[bad]) ? 'null or NaN' : numbers[bad];
  const hint = '--missing drop leaves such rows out, --missing mean fills them';
  throw new InputError(`${file}: ${place} must be a number; got ${got} (${hint}).`);
}

/** Yields the rows that can be taken, moved together. */
async function* filledBlocks({ cols, blocks }: ParquetReader, substitutes: Substitutes): AsyncGenerator<FloatArray> {
  for await (const { block } of blocks()) {
    let filled = 0;
    for (let at = 0; at < block.length; at += cols) {
      if (!substitute(block, at, substitutes)) continue;
      if (filled < at) block.copyWithin(filled, at, at + cols);
      filled += cols;
    }
    yield block.subarray(0, filled) as FloatArray;
  }
}
