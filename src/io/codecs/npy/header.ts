/**
 * Header of the .npy format: the magic string `\x93NUMPY`, a version (major, minor), the length of the rest (2
 * bytes in version 1, 4 bytes in versions 2 and 3, little-endian), and a Python dict literal with `descr`,
 * `fortran_order` and `shape`, padded with blanks so that the numbers begin at a multiple of 64. The literal is parsed,
 * never evaluated.
 */
import { InputError } from '../../../core/errors.ts';
import type { ByteReader } from '../../bytes/bytes.ts';
import { endsEarly } from '../../bytes/bytes.ts';
import { latin1Bytes, latin1Text, utf8Text } from '../../bytes/text-bytes.ts';

export interface NpyHeader {
  /** Type as NumPy writes it, `<f4`; for records, the beginning of their description. */
  readonly descr: string;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  /** Offset of the numbers in the file. */
  readonly dataOffset: number;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const BLANK = 0x20;
/** Longest header: longer ones only describe records with very many fields, which are rejected anyway. */
const LONGEST_HEADER = 1 << 16;
const DEEPEST_NESTING = 16;
/** Most dimensions, as in NumPy 2. */
const MOST_DIMENSIONS = 64;

/** Reads the header and leaves `reader` at the first number. */
export async function readNpyHeader(reader: ByteReader): Promise<NpyHeader> {
  const { name } = reader;
  const start = new Uint8Array(8);
  const count = await reader.read(start);
  if (count === 0) throw new InputError(`${name}: is empty.`);
  if (MAGIC.some((byte, i) => i < count && start[i] !== byte)) {
    throw new InputError(`${name}: is not a .npy file (it does not begin with \\x93NUMPY).`);
  }
  if (count < 8) throw endsEarly(name);
  const [version, minor] = [start[6], start[7]];
  if (version < 1 || version > 3 || minor !== 0) {
    throw new InputError(`${name}: the .npy version must be 1.0, 2.0 or 3.0; got ${version}.${minor}.`);
  }
  const lengthField = await next(reader, version === 1 ? 2 : 4);
  const length = lengthField.reduceRight((sum, byte) => sum * 256 + byte, 0);
  if (length > LONGEST_HEADER) {
    throw new InputError(`${name}: the .npy header must have at most ${LONGEST_HEADER} bytes; got ${length}.`);
  }
  const text = (version === 3 ? utf8Text : latin1Text)(await next(reader, length));
  return { ...interpret(name, text), dataOffset: 8 + lengthField.length + length };
}

/** Makes the header bytes of a C-order array, version 1. */
export function npyHeaderBytes(descr: string, shape: readonly number[]): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const total = Math.ceil((10 + text.length + 1) / 64) * 64;
  const length = total - 10;
  const bytes = new Uint8Array(total).fill(BLANK);
  bytes.set([...MAGIC, 1, 0, length & 255, length >> 8]);
  bytes.set(latin1Bytes(text), 10);
  bytes[total - 1] = 0x0a;
  return bytes;
}

/** Formats a shape for messages: `1000 × 8`. */
export function shapeText(shape: readonly number[]): string {
  return shape.length === 0 ? '0-d' : shape.length === 1 ? `1-d, ${shape[0]}` : shape.join(' × ');
}

export const elementCount = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

async function next(reader: ByteReader, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  if ((await reader.read(bytes)) < length) throw endsEarly(reader.name);
  return bytes;
}

function interpret(name: string, text: string): Omit<NpyHeader, 'dataOffset'> {
  const fields = new PythonLiteral(text).parse();
  const damaged = (what: string) => new InputError(`${name}: the .npy header is damaged (${what}).`);
  if (!(fields instanceof Map)) throw damaged('it is not a Python dict literal');
  const [descr, fortranOrder, shape] = ['descr', 'fortran_order', 'shape'].map((key) => fields.get(key));
  if (typeof fortranOrder !== 'boolean') throw damaged('fortran_order is missing');
  if (!(shape instanceof Tuple) || !shape.every((size) => typeof size === 'number')) throw damaged('shape is missing');
  if (fields.size > 3) throw damaged('it has further keys');
  requireSizes(name, shape);
  if (typeof descr === 'string') return { descr, fortranOrder, shape: [...shape] };
  if (descr === undefined) throw damaged('descr is missing');
  return { descr: JSON.stringify(descr), fortranOrder, shape: [...shape] };
}

/** Throws if the product of sizes is not exact, even for an array without numbers: no such file can exist. */
export function requireSizes(name: string, shape: readonly number[]): void {
  if (shape.length > MOST_DIMENSIONS) {
    throw new InputError(`${name}: must have at most ${MOST_DIMENSIONS} dimensions; got ${shape.length}.`);
  }
  if (Number.isSafeInteger(elementCount(shape.map((size) => Math.max(1, size))))) return;
  throw new InputError(`${name}: declares ${shape.join(' × ')} numbers, more than any file can hold.`);
}

type Literal = string | number | boolean | null | Literal[] | Map<Literal, Literal>;

/** Tuple of Python; a list is an array. */
class Tuple extends Array<Literal> {}

const CONSTANTS = new Map<string, Literal>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

/** Characters allowed after a literal: blanks; if there are lines of them, the last one must end, as in Python. */
const AFTER = /^(?:[ \t\f]*|[ \t\n\r\f]*[\n\r])$/;

/** Parses strings, integers, True, False, None, tuples, lists and dicts; undefined for anything else. */
class PythonLiteral {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  parse(): Literal | undefined {
    const value = this.value(0);
    return AFTER.test(this.text.slice(this.at)) ? value : undefined;
  }

  private value(depth: number): Literal | undefined {
    if (depth > DEEPEST_NESTING) return undefined;
    if (this.take('{')) return this.dict(depth + 1);
    if (this.take('(')) return this.tuple(depth + 1);
    if (this.take('[')) return this.items(']', depth + 1)?.items;
    const text = this.match(/'([^'\\]*)'|"([^"\\]*)"/y);
    if (text) return text[1] ?? text[2];
    const digits = this.match(/(0|[1-9]\d*)L?(?!\d)/y);
    if (digits) return Number(digits[1]);
    const word = this.match(/True|False|None/y);
    return word ? CONSTANTS.get(word[0]) : undefined;
  }

  private dict(depth: number): Literal | undefined {
    const entries = new Map<Literal, Literal>();
    while (!this.take('}')) {
      const key = this.value(depth);
      if (key === undefined || !this.take(':')) return undefined;
      const value = this.value(depth);
      if (value === undefined) return undefined;
      entries.set(key, value);
      if (!this.take(',')) return this.take('}') ? entries : undefined;
    }
    return entries;
  }

  /** Parses a tuple: `(2)` is a number, `(2,)` a tuple. */
  private tuple(depth: number): Literal | undefined {
    const found = this.items(')', depth);
    if (!found) return undefined;
    const { items, comma } = found;
    return items.length === 1 && !comma ? items[0] : Tuple.from(items);
  }

  /** Parses items. `comma`: whether one follows the last item. */
  private items(end: string, depth: number): { items: Literal[]; comma: boolean } | undefined {
    const items: Literal[] = [];
    while (!this.take(end)) {
      const value = this.value(depth);
      if (value === undefined) return undefined;
      items.push(value);
      if (!this.take(',')) return this.take(end) ? { items, comma: false } : undefined;
    }
    return { items, comma: true };
  }

  private take(mark: string): boolean {
    this.match(/[ \t\n\r\f]*/y);
    if (!this.text.startsWith(mark, this.at)) return false;
    this.at += mark.length;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }
}
