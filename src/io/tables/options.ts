/** Options for reading a table: format, header line, columns to take, treatment of missing numbers. */
import { InputError } from '../../core/errors.ts';
import { quoted } from '../../core/printable.ts';
import type { CommonMeans } from './fill-missing.ts';

export const HEADERS = ['auto', 'yes', 'no'] as const;
export const MISSING = ['error', 'drop', 'mean'] as const;

/** Formats of samples by file extension. */
export const FORMAT_NAMES = [
  ...(['npy', 'npz', 'csv', 'tsv', 'parquet', 'idx', 'wav', 'png', 'jpg', 'webp', 'tiff'] as const),
  ...(['npy.gz', 'csv.gz', 'tsv.gz', 'idx.gz'] as const),
] as const;
/** Name of a format: the file extension. */
export type Format = (typeof FORMAT_NAMES)[number];

/** Options that apply to tables of text only. */
export const TEXT_OPTIONS: readonly string[] = ['header', 'delimiter', 'decimal'];

/** Options for reading a file; all but `format` are for files with named columns. */
export interface TableOptions {
  /** File format. Default: the extension; npy, npz and parquet from standard input (`-`) are recognised by their first bytes. */
  readonly format?: Format | undefined;
  /** Columns to take, in this order, by name, or by number from 1, with ranges like `3-7`. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** Columns to leave out. */
  readonly drop?: readonly string[] | undefined;
  /** Whether the first line names the columns. Default `auto`: if it has words, or counts the columns. */
  readonly header?: (typeof HEADERS)[number] | undefined;
  /** Separator of fields. Default: a tab or semicolon if the first line has one, otherwise a comma. */
  readonly delimiter?: string | undefined;
  /** Decimal mark: `.` or `,`. */
  readonly decimal?: string | undefined;
  /** Treatment of missing numbers (an empty field, NA, NaN, null): refuse the file, drop the row, or take the mean of the column. */
  readonly missing?: (typeof MISSING)[number] | undefined;
  /** Called with each assumption made, in one line; default: a warning on the console. */
  readonly onRemark?: ((text: string) => void) | undefined;
}

/** Options for reading one of many files, and the state that the files share. */
export interface TableReading extends TableOptions {
  readonly means?: CommonMeans | undefined;
}

const KNOWN: readonly string[] = ['format', 'columns', 'drop', 'header', 'delimiter', 'decimal', 'missing', 'onRemark'];

/** Checks options of tables; throws an InputError that names the option. */
export function requireTableOptions(options: TableOptions): void {
  requireKnown('table', options, KNOWN);
  for (const name of ['columns', 'drop'] as const) {
    const list: unknown = options[name];
    if (list === undefined || (Array.isArray(list) && list.every((each) => typeof each === 'string'))) continue;
    throw new InputError(`table: ${name} must be a list of names; got ${quoted(String(list))}.`);
  }
  const { header = 'auto', missing = 'error', delimiter, decimal = '.' } = options;
  const requireOne = (name: string, value: string, allowed: readonly string[]) => {
    if (!allowed.includes(value)) {
      throw new InputError(`table: ${name} must be one of ${allowed.join(', ')}; got ${quoted(String(value))}.`);
    }
  };
  requireOne('header', header, HEADERS);
  requireOne('missing', missing, MISSING);
  requireOne('decimal', decimal, ['.', ',']);
  if (delimiter === undefined) return;
  if (typeof delimiter !== 'string' || delimiter.length !== 1 || /[\w"\r\n.+-]/.test(delimiter)) {
    throw new InputError(
      `table: delimiter must be one character that no number has; got ${quoted(String(delimiter))}.`,
    );
  }
  if (delimiter === decimal)
    throw new InputError(`table: delimiter must differ from decimal; got ${quoted(decimal)} for both.`);
}

/** Throws if an object has an unknown field. */
export function requireKnown(who: string, given: object, known: readonly string[]): void {
  const unknown = Object.entries(given).find(([name, value]) => value !== undefined && !known.includes(name));
  if (unknown) throw new InputError(`${who}: there is no option "${unknown[0]}"; known: ${known.join(', ')}.`);
}

/** Returns the indices of the columns to take, from 0. `names`: those of the columns, if they have any. */
export function chosenColumns(
  file: string,
  count: number,
  names: readonly string[] | undefined,
  { columns, drop = [] }: TableOptions,
): number[] {
  const find = (wanted: string) => columnsNamed(file, wanted, count, names);
  const taken = columns ? columns.flatMap(find) : Array.from({ length: count }, (_, k) => k);
  const left = new Set(drop.flatMap(find));
  const chosen = taken.filter((column) => !left.has(column));
  const seen = new Set<number>();
  const twice = chosen.find((column) => seen.size === seen.add(column).size);
  if (twice !== undefined)
    throw new InputError(`${file}: columns must be different ones; got ${nameOf(twice, names)} twice.`);
  if (chosen.length === 0) throw new InputError(`${file}: must have columns left to learn from; got none.`);
  return chosen;
}

export const nameOf = (column: number, names: readonly string[] | undefined): string =>
  names?.[column] ? `${column + 1} (${quoted(names[column])})` : `${column + 1}`;

/** Finds columns by name; or else by a number from 1, or a range of numbers. */
function columnsNamed(file: string, wanted: string, count: number, names: readonly string[] | undefined): number[] {
  const found = (names ?? []).flatMap((name, column) => (name === wanted ? [column] : []));
  if (found.length > 1) {
    throw new InputError(`${file}: has ${found.length} columns ${quoted(wanted)}; pick them by number.`);
  }
  if (found.length === 1) return found;
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(wanted) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first !== undefined && from >= 1 && from <= to && to <= count) {
    return Array.from({ length: to - from + 1 }, (_, k) => from - 1 + k);
  }
  throw new InputError(`${file}: has no column ${quoted(wanted)}; ${known(count, names)}.`);
}

const SHOWN = 8;
function known(count: number, names: readonly string[] | undefined): string {
  if (!names) return `its columns have no names, only numbers from 1 to ${count}`;
  const shown = names.slice(0, SHOWN).map((name) => quoted(name));
  return `it has ${shown.join(', ')}${count > SHOWN ? `, … (${count})` : ''}`;
}
