/**
 * Numbers as text: one sample per line, fields separated by commas, semicolons or tabs (.csv; detected in the first
 * line) or by tabs (.tsv). Quotes around numbers, blank lines, CRLF and a byte order mark are tolerated. The first line
 * is a header if its first field neither is a number nor begins like one. The text is read twice, first to count lines,
 * so that memory holds the numbers only once.
 */
import { InputError } from '../../core/errors.ts';
import type { FloatArray } from '../../core/matrix.ts';
import type { ByteReader } from './bytes.ts';
import type { Table } from './table.ts';
import { PIECE_LENGTH } from './table.ts';

export interface CsvContent {
  readonly name: string;
  /** Reads from the first byte; can be called repeatedly. */
  reader(): ByteReader;
  close(): Promise<void>;
}

interface Layout {
  readonly separator: string;
  readonly header: boolean;
  readonly cols: number;
  readonly rows: number;
}

const TEXT_PIECE = 1 << 20;
const LONGEST_LINE = 1 << 27;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const NOT_FINITE = /^([+-]?)(nan|inf|infinity)$/i;

/** Without `separator`, detects it in the first line. */
export async function openCsvTable(content: CsvContent, separator?: string): Promise<Table> {
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
  return { name, rows: layout.rows, cols: layout.cols, precision: 'f64', load, stream, close: () => content.close() };
}

async function findLayout(content: CsvContent, given: string | undefined): Promise<Layout> {
  let first: Omit<Layout, 'rows'> | undefined;
  let count = 0;
  for await (const lines of lineBatches(content)) {
    for (const line of lines) {
      if (isBlank(line)) continue;
      first ??= describeLine(line, given ?? findSeparator(line));
      count++;
    }
  }
  if (!first) throw new InputError(`${content.name}: is empty.`);
  const rows = first.header ? count - 1 : count;
  if (rows === 0) throw new InputError(`${content.name}: holds no samples, only a header line.`);
  return { ...first, rows };
}

function describeLine(line: string, separator: string): Omit<Layout, 'rows'> {
  const fields = splitLine(line, separator);
  return { separator, header: isName(fields[0]), cols: fields.length };
}

/** A malformed number is not a name: treating its line as a header would hide a sample. */
function isName(field: string): boolean {
  return parseNumber(field) === undefined && !/^\s*[+-]?\.?\d/.test(field);
}

/** Commas come last: with the other two separators they may be decimal marks or text. */
function findSeparator(line: string): string {
  const unquoted = line.replace(/"[^"]*"/g, '');
  return ['\t', ';'].find((separator) => unquoted.includes(separator)) ?? ',';
}

async function* streamNumbers(content: CsvContent, layout: Layout): AsyncGenerator<FloatArray> {
  const { cols } = layout;
  const piece = new Float64Array(Math.max(1, Math.floor(PIECE_LENGTH / cols)) * cols);
  let filled = 0;
  let lineNumber = 0;
  let headerAhead = layout.header;
  for await (const lines of lineBatches(content)) {
    for (const line of lines) {
      lineNumber++;
      if (isBlank(line)) continue;
      if (headerAhead) {
        headerAhead = false;
        continue;
      }
      if (filled === piece.length) {
        yield piece;
        filled = 0;
      }
      parseLine(content.name, line, lineNumber, layout, piece, filled);
      filled += cols;
    }
  }
  yield piece.subarray(0, filled);
}

function parseLine(name: string, line: string, number: number, layout: Layout, out: Float64Array, at: number): void {
  const { separator, cols } = layout;
  const fields = splitLine(line, separator);
  if (fields.length !== cols) {
    throw new InputError(
      `${name}: line ${number} must have ${cols} columns, like the first line; got ${fields.length}.`,
    );
  }
  for (let j = 0; j < cols; j++) {
    const value = parseNumber(fields[j]);
    if (value === undefined) {
      const got = JSON.stringify(fields[j].trim().slice(0, 40));
      throw new InputError(`${name}: line ${number}, column ${j + 1} must be a number; got ${got}.`);
    }
    out[at + j] = value;
  }
}

/** The fields of a line, unquoted. */
function splitLine(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field];
}

/** `Number` alone would read an empty field as 0 and accept `0x10`. */
function parseNumber(field: string): number | undefined {
  const value = Number(field);
  const plain = field.charCodeAt(0) > 0x20 && !(field.charCodeAt(1) > 0x39);
  if (plain && Number.isFinite(value)) return value;
  const text = field.trim();
  if (NUMBER.test(text)) return Number(text);
  const [, sign, word] = NOT_FINITE.exec(text) ?? [];
  if (word === undefined) return undefined;
  if (/^n/i.test(word)) return Number.NaN;
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

const isBlank = (line: string): boolean => !/\S/.test(line);

/** The lines of a text, in batches; the decoder removes the byte order mark. */
async function* lineBatches(content: CsvContent): AsyncGenerator<string[]> {
  const reader = content.reader();
  const decoder = new TextDecoder();
  const piece = new Uint8Array(TEXT_PIECE);
  let rest = '';
  try {
    for (;;) {
      const count = await reader.read(piece);
      const lines = decoder.decode(piece.subarray(0, count), { stream: count > 0 }).split('\n');
      lines[0] = rest + lines[0];
      if (count === 0) {
        yield lines;
        return;
      }
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE) {
        throw new InputError(`${content.name}: a line must have at most ${LONGEST_LINE} characters; is this text?`);
      }
      yield lines;
    }
  } finally {
    await reader.close();
  }
}

function changed(name: string): InputError {
  return new InputError(`${name}: changed while it was read.`);
}
