/**
 * Reads word counts as text, lines `document word count` in any order: UCI bag-of-words (numbered from 1, after three lines
 * with the numbers of documents, words and entries), the same without these lines (numbered from 0 or 1), or with words
 * instead of numbers.
 */
import { type Counts, compressEntries, type Entries } from '../../core/counts.ts';
import { InputError } from '../../core/errors.ts';
import { quoted } from '../../core/printable.ts';
import type { ReadBudget } from '../bytes/budget.ts';
import { lineBatches, type TextContent } from '../bytes/text-lines.ts';
import { hasNumberForm, parseNumber } from './number-text.ts';

export interface TextCounts {
  readonly counts: Counts;
  /** The words, if the file has them. */
  readonly vocabulary?: readonly string[] | undefined;
  /** Whether words that occur in no document may be missing. */
  readonly atLeast?: boolean;
}

const LARGEST_INDEX = 2 ** 31 - 2;
const ENTRY_BYTES = 16;
/** Bytes of a document or a word in a computation, whether it occurs in the counts or not. */
const NAMED_BYTES = 256;
const HEADER_LINES = 3;

/** Checks the size of counts before they are made: a few digits can declare any number of documents and words. */
export function holdCounts(budget: ReadBudget, documents: number, words: number): void {
  budget.hold((documents + words) * NAMED_BYTES, `${documents} documents and ${words} words`);
}

export async function readTextCounts(content: TextContent): Promise<TextCounts> {
  const reader = new EntryReader(content);
  for await (const lines of lineBatches(content)) for (const line of lines) reader.line(line);
  return reader.finish();
}

/** Reads one word per line. */
export async function readVocabulary(content: TextContent): Promise<string[]> {
  const words: string[] = [];
  for await (const lines of lineBatches(content)) {
    content.budget.limit('elements', words.length + lines.length, 'lines');
    for (const line of lines) words.push(line.trim());
  }
  while (words.at(-1) === '') words.pop();
  return words;
}

class EntryReader {
  readonly #name: string;
  readonly #budget: ReadBudget;
  readonly #header: number[] = [];
  readonly #entries: GrowingEntries;
  readonly #words = new Map<string, number>();
  #named = false;
  #line = 0;
  #least = 1;
  #most = { document: 0, word: 0 };

  constructor({ name, budget }: TextContent) {
    this.#name = name;
    this.#budget = budget;
    this.#entries = new GrowingEntries(budget);
  }

  line(text: string): void {
    this.#line++;
    const fields = text.split(/[ \t,]+/, 5).filter((field) => field !== '');
    if (fields.length === 0) return;
    const { length } = this.#entries;
    if (fields.length === 1 && length === 0 && this.#header.length < HEADER_LINES)
      this.#header.push(this.#index(fields[0]));
    else if (fields.length === 3) this.#entry(fields[0], fields[1], fields[2]);
    else throw this.#bad('be "document word count"', text.trim());
  }

  finish(): TextCounts {
    const { length } = this.#entries;
    const [documents, words, entries] = this.#header;
    if (length === 0) throw new InputError(`${this.#name}: holds no counts.`);
    this.#checkHeader(length, entries);
    const least = this.#least;
    const rows = documents ?? this.#most.document + 1 - least;
    const cols = this.#named ? this.#words.size : (words ?? this.#most.word + 1 - least);
    if (this.#most.document - least >= rows || (!this.#named && this.#most.word - least >= cols)) {
      const declared = `${rows} documents and ${cols} words as its first lines say`;
      throw new InputError(`${this.#name}: must have ${declared}; got more.`);
    }
    holdCounts(this.#budget, rows, cols);
    return {
      counts: compressEntries(rows, cols, this.#entries.from(least, this.#named ? 0 : least)),
      vocabulary: this.#named ? [...this.#words.keys()] : undefined,
      atLeast: !this.#named && words === undefined,
    };
  }

  #checkHeader(length: number, entries: number | undefined): void {
    if (this.#header.length === 0) return;
    if (entries === undefined) {
      throw new InputError(`${this.#name}: must begin with the numbers of documents, words and entries, or with none.`);
    }
    if (this.#least === 0) throw new InputError(`${this.#name}: documents and words must be numbered from 1.`);
    if (length !== entries) {
      throw new InputError(`${this.#name}: must have ${entries} entries as its third line says; got ${length}.`);
    }
  }

  #entry(document: string, word: string, count: string): void {
    if (this.#entries.length === 0) this.#named = !hasNumberForm(word);
    const row = this.#index(document);
    const col = this.#named ? this.#wordNumber(word) : this.#index(word);
    const value = parseNumber(count);
    if (!(Number.isSafeInteger(value) && value! >= 0))
      throw this.#bad('have a count, a whole number, 0 or more', count);
    this.#entries.push(row, col, value!);
    this.#least = Math.min(this.#least, row, this.#named ? 1 : col);
    this.#most.document = Math.max(this.#most.document, row);
    this.#most.word = Math.max(this.#most.word, col);
  }

  #wordNumber(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    this.#budget.limit('elements', this.#words.size + 1, 'words');
    this.#budget.hold(word.length + NAMED_BYTES, `${this.#words.size} words`);
    this.#words.set(word, this.#words.size);
    return this.#words.size - 1;
  }

  #index(text: string): number {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value <= LARGEST_INDEX)) throw this.#bad(`have a whole number up to ${LARGEST_INDEX}`, text);
    return value;
  }

  #bad(must: string, got: string): InputError {
    return new InputError(`${this.#name}: line ${this.#line} must ${must}; got ${quoted(got)}.`);
  }
}

/** Entries in typed arrays that double in length, within a budget. */
class GrowingEntries {
  length = 0;
  readonly #budget: ReadBudget;
  #documents = new Int32Array(0);
  #words = new Int32Array(0);
  #values = new Float64Array(0);

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  push(document: number, word: number, value: number): void {
    if (this.length === this.#values.length) this.#grow(Math.max(1024, 2 * this.length));
    this.#documents[this.length] = document;
    this.#words[this.length] = word;
    this.#values[this.length++] = value;
  }

  /** Returns all entries, with documents and words renumbered from 0. */
  from(firstDocument: number, firstWord: number): Entries {
    return {
      documents: this.#documents.subarray(0, this.length).map((document) => document - firstDocument),
      words: this.#words.subarray(0, this.length).map((word) => word - firstWord),
      values: this.#values.subarray(0, this.length),
    };
  }

  #grow(length: number): void {
    this.#budget.hold((length - this.length) * ENTRY_BYTES, `${length} entries`);
    const [documents, words, values] = [new Int32Array(length), new Int32Array(length), new Float64Array(length)];
    documents.set(this.#documents);
    words.set(this.#words);
    values.set(this.#values);
    [this.#documents, this.#words, this.#values] = [documents, words, values];
  }
}
