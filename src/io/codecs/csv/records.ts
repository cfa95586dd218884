/**
 * Splits separated text into records: a record is a line, or several if a field in double quotes holds line ends. They come in batches,
 * one block of text each, within which nothing is copied. Quotes that are never closed, or closed in the middle of a later
 * field, are refused: rows would vanish into one field.
 */
import { InputError } from '../../../core/errors.ts';
import { lineEnd, lineText, type TextContent, textBlocks } from '../../bytes/text-lines.ts';
import { isBlank } from './line.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Separators to consider before the separator is known. */
const SEPARATORS = '\t;,';

/**
 * Yields batches, each to be used up by `next` before the following one. `separator`: undefined while unknown. `pieceLength`: bytes
 * read at once.
 */
export async function* recordBatches(
  content: TextContent,
  separator: string | undefined,
  pieceLength?: number,
): AsyncGenerator<RecordBatch> {
  const { name, budget } = content;
  const batch = new RecordBatch(name, separator);
  for await (const text of textBlocks(content, pieceLength)) {
    batch.append(text);
    yield batch;
    budget.line(batch.rest);
  }
  if (batch.rest > 0) throw unclosed(name, batch.line);
}

const unclosed = (name: string, line: number): InputError =>
  new InputError(`${name}: line ${line} must close the quotes that it opens; got none that end a field.`);

/** The records of one block: `while (batch.next()) …`. */
export class RecordBatch {
  readonly #name: string;
  readonly #separators: string;
  /** Text of the block: the current record is block.slice(from, end), without the line end. */
  block = '';
  from = 0;
  end = -1;
  /** Number of the record's first line, from 1. */
  line = 0;
  /** Lines of the current record. */
  #lines = 1;
  /** Position of the next double quote. */
  #quote = 0;
  #isOpen = false;

  constructor(name: string, separator: string | undefined) {
    this.#name = name;
    this.#separators = separator ?? SEPARATORS;
  }

  /** Number of characters of a record that is not complete. */
  get rest(): number {
    return this.#isOpen ? this.block.length - this.from : 0;
  }

  /** Appends whole lines to the block. */
  append(text: string): void {
    this.block = this.#isOpen ? this.block.slice(this.from) + text : text;
    this.end = -1;
    this.#quote = this.block.indexOf('"');
  }

  /** Text of the current record, without the CR of a CRLF. */
  get text(): string {
    return lineText(this.block, this.from, this.end);
  }

  /** Moves to the next record of the block; false if there is none, or the last is not complete. */
  next(): boolean {
    const from = this.end + 1;
    if (from >= this.block.length) return false;
    if (!this.#isOpen) this.line += this.#lines;
    [this.from, this.#lines] = [from, 1];
    const end = lineEnd(this.block, from);
    if (this.#quote >= 0 && this.#quote < from) this.#quote = this.block.indexOf('"', from);
    this.end = this.#quote < 0 || this.#quote > end ? end : this.#quotedEnd(from);
    this.#isOpen = this.end < 0;
    return !this.#isOpen;
  }

  /** Returns the end of a record with quotes; −1 if it continues after the block. */
  #quotedEnd(from: number): number {
    const { block } = this;
    let at = from;
    for (;;) {
      while (isBlank(block, at) && !this.#separates(at)) at++;
      const start = at;
      while (block[at] === '"') {
        at = block.indexOf('"', at + 1) + 1; // after the closing quote; another one there is the second half of a pair
        if (at === 0) return -1;
      }
      const lines = linesIn(block, start, at);
      if (lines > 0 && !this.#endsField(at)) throw unclosed(this.#name, this.line + this.#lines - 1);
      this.#lines += lines;
      while (at < block.length && block.charCodeAt(at) !== LINE_FEED && !this.#separates(at)) at++;
      if (!this.#separates(at)) return at;
      at++;
    }
  }

  #separates(at: number): boolean {
    return at < this.block.length && this.#separators.includes(this.block[at]);
  }

  /** Whether only blanks lie between a closing quote and the end of the field. */
  #endsField(behind: number): boolean {
    let at = behind;
    while (isBlank(this.block, at) && !this.#separates(at)) at++;
    if (this.block.charCodeAt(at) === CARRIAGE_RETURN) at++;
    return at >= this.block.length || this.block.charCodeAt(at) === LINE_FEED || this.#separates(at);
  }
}

function linesIn(block: string, from: number, end: number): number {
  let count = 0;
  for (let at = block.indexOf('\n', from); at >= 0 && at < end; at = block.indexOf('\n', at + 1)) count++;
  return count;
}
