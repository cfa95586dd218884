/**
 * One budget for everything that is read. A file declares how large its arrays are, how many documents it counts, how far
 * its compressed data expands; none of this is accepted beyond
 *
 *     memory + ratio · (bytes of the file)
 *
 * neither for memory held at one time nor for the bytes one stream unpacks to. Uncompressed data is below
 * that whatever its size: honest files of 100 GB are never refused. Numbers, text and sparse codes deflate to 1/3 …
 * 1/100; deflate reaches 1/1032 only for data that is nearly constant. Archives have a limit of members, and lines of
 * text, text arrays and vocabularies one of elements, as every string costs memory however short it is.
 *
 * ORTHODICT_READ_LIMITS="memory=64GB,ratio=2000,entries=100000,elements=1e8" raises the limits, in all threads; if there is no
 * environment, as in a browser, the option `limits` does.
 */
import { InputError } from '../../core/errors.ts';
import { quoted } from '../../core/printable.ts';

/** Limits for the sizes that a file declares. */
export interface ReadLimits {
  /** Bytes that a file may take in memory or unpack to, however small it is. */
  readonly memory: number;
  /** Further bytes for each byte of the file. */
  readonly ratio: number;
  /** Members of an archive. */
  readonly entries: number;
  /** Fields of a line, elements of a text array, words of a vocabulary. */
  readonly elements: number;
}

/** Options for reading a file. */
export interface ReadOptions {
  /** Replaces the limits of ORTHODICT_READ_LIMITS and the defaults. */
  readonly limits?: Partial<ReadLimits> | undefined;
}

export const READ_LIMITS: ReadLimits = Object.freeze({ memory: 2 ** 28, ratio: 200, entries: 10_000, elements: 4e6 });

const VARIABLE = 'ORTHODICT_READ_LIMITS';
/** Returns the environment variables of the process; undefined in a browser. */
function environment(): Readonly<Record<string, string | undefined>> | undefined {
  // in two steps: bundlers replace the expression in one step by an empty object
  const { process: server } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return server?.env;
}
const UNITS: Readonly<Record<string, number>> = { '': 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };
/** Length of V8's longest string. */
const LONGEST_STRING = 2 ** 29 - 24;
const LINE_COPIES = 4;
/** Bytes of a string besides its characters. */
const STRING_BYTES = 48;

/** Returns the limits in force: the defaults, then the environment, then `given`. */
export function readLimits(given: Partial<ReadLimits> = {}): ReadLimits {
  const text = environment()?.[VARIABLE] ?? '';
  const limits = { ...READ_LIMITS, ...Object.fromEntries(text.split(',').filter(Boolean).map(parseLimit)) };
  for (const [name, limit] of Object.entries(given)) {
    if (limit === undefined) continue;
    if (!Object.hasOwn(READ_LIMITS, name)) throw new InputError(`limits: must be of ${NAMES}; got ${quoted(name)}.`);
    if (!(limit > 0)) throw new InputError(`limits: ${name} must be a number above 0; got ${limit}.`);
    limits[name as keyof ReadLimits] = limit;
  }
  return limits;
}

const NAMES = Object.keys(READ_LIMITS).join(', ');

/** Parses `memory=64GB`. */
function parseLimit(text: string): [keyof ReadLimits, number] {
  const [, name, digits, unit] = /^\s*([a-z]+)\s*=\s*([\d.]+(?:e\d+)?)\s*([kmgt]?b?)\s*$/i.exec(text) ?? [];
  const value = Number(digits) * (UNITS[unit?.toLowerCase() ?? ''] ?? Number.NaN);
  if (name !== undefined && Object.hasOwn(READ_LIMITS, name) && value > 0) return [name as keyof ReadLimits, value];
  const form = `must be like "memory=64GB,ratio=2000", of ${NAMES}`;
  throw new InputError(`${VARIABLE}: ${form}; got ${quoted(text)}.`);
}

/** Remaining memory and sizes allowed for one open file. */
export class ReadBudget {
  readonly limits: ReadLimits;
  readonly #name: string;
  readonly #size: number;
  #held = 0;

  constructor(name: string, size: number, limits: ReadLimits) {
    this.#name = name;
    this.#size = size;
    this.limits = limits;
  }

  /** Checks a line of `length` characters before it is kept: it is copied on the way, and so takes a multiple. */
  line(length: number): void {
    const most = Math.min(LONGEST_STRING, this.limits.memory / LINE_COPIES);
    if (length <= most) return;
    const raise = `memory=${roundedUp(2 * LINE_COPIES * length)}`;
    throw this.#refusal(`has a line of more than ${most} characters, unusual for text`, raise);
  }

  /** Checks `bytes` more before they are allocated and kept. `what`: `100 × 5 numbers`. */
  hold(bytes: number, what: string): void {
    this.#held += bytes;
    if (this.#held <= this.#allowance(this.#size)) return;
    throw this.#refusal(
      `${what} would take ${byteCount(this.#held)} of memory, too much for a file of ${byteCount(this.#size)}`,
      `memory=${roundedUp(this.#held)}`,
    );
  }

  /** Checks `count` strings of `bytes` in total before they are made. */
  holdStrings(count: number, bytes: number, what: string): void {
    this.limit('elements', count, what);
    this.hold(count * STRING_BYTES + bytes, `${count} ${what}`);
  }

  /** Checks data of `packed` bytes before it is unpacked to `bytes`, or further than that. */
  unpack(bytes: number, packed = this.#size): void {
    if (bytes <= this.#allowance(packed)) return;
    throw this.#refusal(
      `unpacks to ${byteCount(bytes)} or more, too much for ${byteCount(packed)} of compressed data`,
      'ratio=1100',
    );
  }

  /** Checks a count against a limit. `what`: `members`, `fields in line 3`. */
  limit(name: 'entries' | 'elements', count: number, what: string): void {
    const most = this.limits[name];
    if (count > most) throw this.#refusal(`has ${count} ${what}; at most ${most} are read`, `${name}=${count}`);
  }

  #allowance(size: number): number {
    return this.limits.memory + this.limits.ratio * size;
  }

  #refusal(why: string, raise: string): InputError {
    const way = environment() ? `set ${VARIABLE}="${raise}"` : `raise its limits: ${raise}`;
    return new InputError(`${this.#name}: ${why}. If you trust it, ${way}.`);
  }
}

/** Formats a size for messages: `512 bytes`, `1.5 GB`. */
export function byteCount(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power - 1]}`;
}

const roundedUp = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)}MB` : `${Math.ceil(bytes / 1e9)}GB`;
