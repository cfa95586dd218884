/**
 * Reads numbers as text: one sample per record, fields separated by commas, semicolons or tabs (.csv; detected in the first record) or by
 * tabs (.tsv). Quotes around numbers, blank lines, CRLF and a byte order mark are tolerated; a field in quotes may hold line ends
 * (records.ts). The first record may name the columns (header.ts); everything else must be a finite number
 * (tables/number-text.ts) in the columns that are taken (tables/options.ts), or missing if that is allowed.
 *
 * The text is read twice, first to count records and to find the means of columns with missing numbers, so that memory holds the
 * numbers only once.
 */
import { InputError } from '../../../core/errors.ts';
import type { FloatArray } from '../../../core/matrix.ts';
import { quoted } from '../../../core/printable.ts';
import { warnOnce } from '../../../core/warn.ts';
import type { Content } from '../../bytes/content.ts';
import type { TextContent } from '../../bytes/text-lines.ts';
import { MissingSurvey, type Substitutes, substitute } from '../../tables/fill-missing.ts';
import { chosenColumns, nameOf, type TableOptions, type TableReading } from '../../tables/options.ts';
import { fillFrom, PIECE_LENGTH, type Table } from '../../tables/table.ts';
import { headerKind } from './header.ts';
import { countFields, fieldsOf, findSeparator, isEmptyLine } from './line.ts';
import { type Layout, lineParser, plainLineParser } from './numbers.ts';
import { recordBatches } from './records.ts';

/** Opens a table of text. Without a delimiter, detects it in the first line. */
export async function openCsvTable(content: Content, options: TableReading = {}): Promise<Table> {
  const { name, budget } = content;
  const layout = await findLayout(content, options);
  const { rows, substitutes } = await survey(content, layout, options);
  const cols = layout.columns.length;
  const stream = () => streamNumbers(content, layout, substitutes);
  const load = (out: FloatArray) => fillFrom(name, stream(), out);
  const names = layout.names && layout.columns.map((column) => layout.names![column]);
  const close = () => content.close();
  return { name, rows, cols, precision: 'f64', budget, load, stream, close, ...(names && { names }) };
}

/** Largest character code at the start of an empty line. */
const BLANK = 0x20;
/** Number of lines that decide the layout. */
const DECIDING = 3;

/** Detects the layout from the first lines. */
export async function findLayout(content: TextContent, options: TableOptions): Promise<Layout> {
  const { name } = content;
  const [given] = await firstRecords(content, options.delimiter, 1);
  if (!given) throw new InputError(`${name}: is empty.`);
  const { text, line: firstLine } = given;
  const separator = options.delimiter ?? findSeparator(text);
  const { decimal = '.' } = options;
  if (separator === decimal) {
    throw new InputError(`${name}: fields must not be separated by the decimal mark; got ${quoted(decimal)} for both.`);
  }
  const fields = countFields(text, separator);
  content.budget.holdStrings(fields, text.length, `fields in line ${firstLine}`);
  const lines = await firstRecords(content, separator, DECIDING);
  const [first, second = [], third = []] = lines.map((record) => [...fieldsOf(record.text, separator)]);
  const { header = 'auto', onRemark = warnOnce } = options;
  const kind = header === 'auto' ? headerKind(first, second) : header === 'yes' ? 'words' : 'none';
  if (kind === 'numbers') {
    const shown = first.slice(0, 3).map((field) => field || '(empty)');
    onRemark(
      `${name}: line ${firstLine} (${shown.join(', ')}, …) counts the columns and is taken for a header; --header no takes it for a sample.`,
    );
  }
  const names = kind === 'none' ? undefined : first;
  const columns = chosenColumns(name, fields, names, options);
  if (names?.[0] === '' && columns.includes(0) && second[0] === '0' && (third.length === 0 || third[0] === '1')) {
    const way = names.includes('1') ? '--drop ""' : '--drop 1'; // a name comes before a number
    onRemark(
      `${name}: column 1 has no name and counts the rows, like the index that pandas writes; ${way} leaves it out.`,
    );
  }
  return { separator, decimal, headerLine: names ? firstLine : 0, firstLine, fields, names, columns };
}

/** Reads the first records that are not empty. */
async function firstRecords(
  content: TextContent,
  separator: string | undefined,
  count: number,
): Promise<{ readonly text: string; readonly line: number }[]> {
  const records: { readonly text: string; readonly line: number }[] = [];
  for await (const batch of recordBatches(content, separator)) {
    while (records.length < count && batch.next()) {
      const { text, line } = batch;
      if (!isEmptyLine(text, separator)) records.push({ text, line });
    }
    if (records.length === count) break;
  }
  return records;
}

/** Counts rows; if numbers may be missing, reads them all. */
async function survey(
  content: TextContent,
  layout: Layout,
  { missing = 'error', means }: TableReading,
): Promise<{ readonly rows: number; readonly substitutes: Substitutes | undefined }> {
  const cols = layout.columns.length;
  const missed = means?.survey(cols) ?? new MissingSurvey(cols);
  const numbers = new Float64Array(layout.columns.length);
  const parse = missing === 'error' ? undefined : lineParser(content.name, layout, true);
  let rows = 0;
  for await (const batch of recordBatches(content, layout.separator)) {
    while (batch.next()) {
      const { line } = batch;
      if (line === layout.headerLine) continue;
      if (!parse && batch.block.charCodeAt(batch.from) > BLANK) rows++;
      else {
        const { text } = batch;
        if (isEmptyLine(text, layout.separator)) continue;
        rows++;
        if (!parse) continue;
        parse(text, line, numbers, 0);
        missed.add(numbers, 0);
      }
    }
  }
  if (rows === 0) throw new InputError(`${content.name}: holds no samples, only a header line.`);
  if (missing === 'error') return { rows, substitutes: undefined };
  if (means) return { rows, substitutes: missed.means };
  return missed.settle(content.name, missing, (column) => nameOf(layout.columns[column], layout.names));
}

async function* streamNumbers(
  content: TextContent,
  layout: Layout,
  substitutes: Substitutes | undefined,
): AsyncGenerator<FloatArray> {
  const { separator, columns, headerLine } = layout;
  const cols = columns.length;
  const parse = lineParser(content.name, layout, substitutes !== undefined);
  const parsePlain = plainLineParser(layout);
  const piece = new Float64Array(Math.max(1, Math.floor(PIECE_LENGTH / cols)) * cols);
  let filled = 0;
  for await (const batch of recordBatches(content, separator)) {
    while (batch.next()) {
      const { block, from, end, line } = batch;
      if (line === headerLine) continue;
      if (filled === piece.length) {
        yield piece;
        filled = 0;
      }
      if (!parsePlain(block, from, end, piece, filled)) {
        const { text } = batch;
        if (isEmptyLine(text, separator)) continue;
        if (parse(text, line, piece, filled) && !substitute(piece, filled, substitutes!)) continue;
      }
      filled += cols;
    }
  }
  yield piece.subarray(0, filled);
}
