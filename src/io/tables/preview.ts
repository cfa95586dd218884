/** Reads the first rows of a table unchanged, text included, before columns are chosen. */
import { InputError } from '../../core/errors.ts';
import type { Bytes } from '../bytes/bytes.ts';
import { contentOf } from '../bytes/content.ts';
import { findLayout } from '../codecs/csv/csv.ts';
import { fieldsOf, isEmptyLine } from '../codecs/csv/line.ts';
import { recordBatches } from '../codecs/csv/records.ts';
import { openFormat, type Reading } from '../codecs/index.ts';
import { allocate } from '../codecs/npy/dtype.ts';
import { readHeader } from '../codecs/npy/npy.ts';
import { type NpzArray, openNpz } from '../codecs/npy/npz.ts';
import { isSparse } from '../codecs/npy/sparse.ts';
import { isPictureName } from '../codecs/picture/reading.ts';
import { isMissing, NumberScanner } from './number-text.ts';
import type { TableOptions } from './options.ts';
import { type Cell, columnsOf, HEAD_ROWS, type TablePreview } from './preview-columns.ts';
import type { Table } from './table.ts';

/** Number of rows that decide whether a column contains numbers. */
const DECIDING_ROWS = 1000;

export async function previewOf(extension: string, bytes: Bytes, reading: Reading): Promise<TablePreview> {
  if (isPictureName(extension)) throw new InputError(`${bytes.name}: must be a table; got a picture (${extension}).`);
  const format = extension.replace(/^[.-]/, '').replace('ubyte', 'idx');
  if (/^\.[ct]sv/.test(extension)) {
    const delimiter = extension.startsWith('.tsv') ? '\t' : undefined;
    return { format, ...(await previewText(bytes, extension.endsWith('.gz'), { delimiter, ...reading.table })) };
  }
  if (extension === '.parquet')
    return { format, ...(await (await import('../codecs/parquet/preview.ts')).previewParquet(bytes)) };
  if (extension !== '.npz') return { format, ...(await previewNumbers(await openFormat(extension, bytes, reading))) };
  const choice = await chooseArray(await openNpz(bytes), reading.array);
  const shown = { ...reading, array: choice.array };
  return { format, ...choice, ...(await previewNumbers(await openFormat(extension, bytes, shown))) };
}

/** Chooses `samples`, or else the first 2-d array. */
async function chooseArray(
  arrays: readonly NpzArray[],
  wanted: string | undefined,
): Promise<{ readonly array?: string; readonly arrays?: readonly string[] }> {
  if (wanted === undefined && isSparse(arrays)) return {};
  const matrices: string[] = [];
  for (const { array, content } of arrays) {
    if ((await readHeader(await content())).shape.length === 2) matrices.push(array);
  }
  const array = wanted ?? (matrices.includes('samples') ? 'samples' : matrices[0]);
  return { arrays: matrices, ...(array !== undefined && { array }) };
}

type Rows = Omit<TablePreview, 'format' | 'array' | 'arrays'>;

async function previewNumbers(table: Table): Promise<Rows> {
  const { rows, cols, precision, names } = table;
  const count = Math.min(rows, HEAD_ROWS);
  let numbers = allocate(precision, count * cols);
  if (table.loadRows) await table.loadRows(0, numbers);
  else {
    let filled = 0;
    for await (const piece of table.stream()) {
      const part = piece.subarray(0, numbers.length - filled);
      numbers.set(part, filled);
      filled += part.length;
      if (filled === numbers.length) break;
    }
    numbers = numbers.subarray(0, filled) as typeof numbers;
  }
  const head = Array.from({ length: numbers.length / cols }, (_, i) =>
    Array.from(numbers.subarray(i * cols, (i + 1) * cols), (value) => (Number.isFinite(value) ? value : null)),
  );
  return { rows, columns: columnsOf(names ?? Array.from({ length: cols }, () => ''), () => true), head };
}

async function previewText(bytes: Bytes, gzipped: boolean, options: TableOptions): Promise<Rows> {
  const content = contentOf(bytes, gzipped);
  const { columns: _, drop: __, ...asked } = options;
  const layout = await findLayout(content, { ...asked, onRemark: () => {} });
  const { separator, headerLine, fields, names, decimal } = layout;
  const scanner = new NumberScanner(decimal);
  const isNumbers = new Array<boolean>(fields).fill(true);
  const head: Cell[][] = [];
  let [rows, batches] = [0, 0];
  for await (const batch of recordBatches(content, separator)) {
    if (++batches > 1) break; // a large file, whose rows are not counted
    while (batch.next()) {
      const { text, line } = batch;
      if (line === headerLine || isEmptyLine(text, separator)) continue;
      if (rows++ >= DECIDING_ROWS) continue;
      const cells = Array.from(fieldsOf(text, separator), (field) => cellOf(field, scanner));
      cells.forEach((cell, k) => {
        if (typeof cell === 'string') isNumbers[k] = false;
      });
      if (head.length < HEAD_ROWS) head.push(cells);
    }
  }
  const columns = columnsOf(names ?? Array.from({ length: fields }, () => ''), (k) => isNumbers[k]);
  return { ...(batches < 2 && { rows }), columns, head };
}

function cellOf(field: string, scanner: NumberScanner): Cell {
  if (field !== '' && scanner.scan(field, 0) === field.length) return scanner.value;
  return isMissing(field) ? null : field;
}
