/**
 * Numbers as text: one sample per line, fields separated by commas, semicolons or tabs (.csv; detected in the first
 * line) or by tabs (.tsv). Quotes around numbers, blank lines, CRLF and a byte order mark are tolerated. The first line
 * is a header if it has words and no numbers (csv-line.ts); everything else must be a finite number (number-text.ts).
 * The text is read twice, first to count lines, so that memory holds the numbers only once.
 */
import { InputError } from '../../core/errors.ts';
import type { FloatArray } from '../../core/matrix.ts';
import { quoted } from '../../core/printable.ts';
import { countFields, fieldEnd, fieldsOf, fieldText, findSeparator, isEmptyLine, isHeader } from './csv-line.ts';
import { NumberScanner, parseNumber } from './number-text.ts';
import type { Table } from './table.ts';
import { PIECE_LENGTH } from './table.ts';
import { lineBatches, type TextContent } from './text-lines.ts';

interface Layout {
  readonly separator: string;
  readonly header: boolean;
  /** Number of the first line that is not empty, from 1. */
  readonly firstLine: number;
  readonly cols: number;
  readonly rows: number;
}

/** Without `separator`, detects it in the first line. */
export async function openCsvTable(content: TextContent, separator?: string): Promise<Table> {
  const { name } = content;
  const layout = await findLayout(content, separator);
  const stream = () => streamNumbers(content, layout);
  const load = async (out: FloatArray) => {
    let at = 0;
    for await (const piece of stream()) {
      if (at + piece.length > out.length) throw changed(name);
      out.set(piece, at);
      at += piece.length;
    }
    if (at < out.length) throw changed(name);
  };
  const { rows, cols } = layout;
  return { name, rows, cols, precision: 'f64', budget: content.budget, load, stream, close: () => content.close() };
}

async function findLayout(content: TextContent, given: string | undefined): Promise<Layout> {
  let first: Omit<Layout, 'rows'> | undefined;
  let count = 0;
  let line = 0;
  for await (const lines of lineBatches(content)) {
    for (const text of lines) {
      line++;
      if (isEmptyLine(text, first?.separator ?? given)) continue;
      first ??= describeLine(content, text, line, given ?? findSeparator(text));
      count++;
    }
  }
  if (!first) throw new InputError(`${content.name}: is empty.`);
  const rows = first.header ? count - 1 : count;
  if (rows === 0) throw new InputError(`${content.name}: holds no samples, only a header line.`);
  return { ...first, rows };
}

function describeLine(content: TextContent, text: string, line: number, separator: string): Omit<Layout, 'rows'> {
  const cols = countFields(text, separator);
  content.budget.holdStrings(cols, text.length, `fields in line ${line}`);
  return { separator, header: isHeader([...fieldsOf(text, separator)]), firstLine: line, cols };
}

async function* streamNumbers(content: TextContent, layout: Layout): AsyncGenerator<FloatArray> {
  const { cols, separator } = layout;
  const parse = lineParser(content.name, layout);
  const piece = new Float64Array(Math.max(1, Math.floor(PIECE_LENGTH / cols)) * cols);
  let filled = 0;
  let line = 0;
  for await (const lines of lineBatches(content)) {
    for (const text of lines) {
      line++;
      if (isEmptyLine(text, separator) || (layout.header && line === layout.firstLine)) continue;
      if (filled === piece.length) {
        yield piece;
        filled = 0;
      }
      parse(text, line, piece, filled);
      filled += cols;
    }
  }
  yield piece.subarray(0, filled);
}

type ParseLine = (text: string, line: number, out: Float64Array, at: number) => void;

/** Writes the numbers of a line to `out` from `at` on. */
function lineParser(name: string, layout: Layout): ParseLine {
  const { cols, separator } = layout;
  const mark = separator.charCodeAt(0);
  const scanner = new NumberScanner();
  return (text, line, out, at) => {
    let end = -1;
    let column = 0;
    for (let from = 0; end < text.length; from = end + 1, column++) {
      let value: number | undefined;
      end = scanner.scan(text, from);
      if (end === text.length || (end >= 0 && text.charCodeAt(end) === mark)) value = scanner.value;
      else {
        end = fieldEnd(text, from, separator);
        value = parseNumber(fieldText(text, from, end));
      }
      if (value === undefined || column === cols) throw badLine(name, layout, text, line);
      out[at + column] = value;
    }
    if (column !== cols) throw badLine(name, layout, text, line);
  };
}

/** A wrong number of columns, or else the first field that is no number. */
function badLine(name: string, { separator, cols, firstLine }: Layout, text: string, line: number): InputError {
  const count = countFields(text, separator);
  if (count !== cols) {
    return new InputError(`${name}: line ${line} must have ${cols} columns, like the first line; got ${count}.`);
  }
  let column = 0;
  for (const field of fieldsOf(text, separator)) {
    column++;
    if (parseNumber(field) !== undefined) continue;
    const hint =
      line === firstLine
        ? ' (in a header no field begins with a digit and one has letters; lines end in LF or CRLF)'
        : '';
    return new InputError(`${name}: line ${line}, column ${column} must be a number; got ${quoted(field)}${hint}.`);
  }
  return changed(name);
}

function changed(name: string): InputError {
  return new InputError(`${name}: changed while it was read.`);
}
