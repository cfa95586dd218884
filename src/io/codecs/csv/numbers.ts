/**
 * Reads the numbers of one line of a table. Most lines are numbers and separators and nothing else: these are read in place, in one scan. All
 * others (quotes, blanks, missing numbers, columns that are not taken) are read field by field, and errors name their place.
 */
import { InputError } from '../../../core/errors.ts';
import { quoted } from '../../../core/printable.ts';
import { changedWhileRead } from '../../bytes/fingerprint.ts';
import { isMissing, NumberScanner } from '../../tables/number-text.ts';
import { nameOf } from '../../tables/options.ts';
import { countFields, fieldEnd, fieldsOf, fieldText } from './line.ts';

/** Layout of the lines, detected from the first ones. */
export interface Layout {
  readonly separator: string;
  readonly decimal: string;
  /** The number of the line that names the columns, from 1; 0 if none does. */
  readonly headerLine: number;
  /** Number of the first line that is not empty, from 1. */
  readonly firstLine: number;
  /** Fields of a line. */
  readonly fields: number;
  readonly names: readonly string[] | undefined;
  /** Indices of the fields that are taken, from 0. */
  readonly columns: readonly number[];
}

const CARRIAGE_RETURN = 0x0d;

type ParsePlainLine = (block: string, from: number, end: number, out: Float64Array, at: number) => boolean;

/** Makes a parser of lines that are numbers and separators and nothing else, as most are. It returns whether a line is one. */
export function plainLineParser({ fields, separator, columns, decimal }: Layout): ParsePlainLine {
  if (columns.length !== fields || columns.some((column, k) => column !== k)) return () => false;
  const mark = separator.charCodeAt(0);
  const scanner = new NumberScanner(decimal);
  return (block, from, end, out, at) => {
    const last = end > from && block.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    let next = from;
    for (let k = 0; k < fields; k++) {
      const stop = scanner.scan(block, next);
      if (stop < 0 || (k === fields - 1 ? stop !== last : block.charCodeAt(stop) !== mark)) return false;
      out[at + k] = scanner.value;
      next = stop + 1;
    }
    return true;
  };
}

/** Parses a line; returns whether a number is missing, which becomes NaN. */
type ParseLine = (text: string, line: number, out: Float64Array, at: number) => boolean;

const SKIPPED = -1;

/** Makes a parser that writes the numbers of a line to `out` from `at` on. */
export function lineParser(name: string, layout: Layout, mayMiss: boolean): ParseLine {
  const { fields, separator, columns, decimal } = layout;
  const mark = separator.charCodeAt(0);
  const scanner = new NumberScanner(decimal);
  const places = new Int32Array(fields).fill(SKIPPED);
  for (const [place, column] of columns.entries()) places[column] = place;
  return (text, line, out, at) => {
    let end = -1;
    let field = 0;
    let lacks = false;
    for (let from = 0; end < text.length; from = end + 1, field++) {
      if (field === fields) throw badLine(name, layout, text, line, mayMiss);
      const place = places[field];
      if (place === SKIPPED) {
        end = fieldEnd(text, from, separator);
        continue;
      }
      end = scanner.scan(text, from);
      if (end === text.length || (end >= 0 && text.charCodeAt(end) === mark)) {
        out[at + place] = scanner.value;
        continue;
      }
      end = fieldEnd(text, from, separator);
      const inside = fieldText(text, from, end);
      if (inside !== '' && scanner.scan(inside, 0) === inside.length) out[at + place] = scanner.value;
      else if (mayMiss && isMissing(inside)) {
        out[at + place] = Number.NaN;
        lacks = true;
      } else throw badLine(name, layout, text, line, mayMiss);
    }
    if (field !== fields) throw badLine(name, layout, text, line, mayMiss);
    return lacks;
  };
}

/** Makes the error for a wrong number of columns, or else for the first field that is no number. */
function badLine(name: string, layout: Layout, text: string, line: number, mayMiss: boolean): InputError {
  const { separator, fields, firstLine, columns, decimal, names } = layout;
  const count = countFields(text, separator);
  if (count !== fields) {
    return new InputError(`${name}: line ${line} must have ${fields} columns, like the first line; got ${count}.`);
  }
  const scanner = new NumberScanner(decimal);
  let column = -1;
  for (const field of fieldsOf(text, separator)) {
    column++;
    const isNumber = field !== '' && scanner.scan(field, 0) === field.length;
    if (isNumber || !columns.includes(column) || (mayMiss && isMissing(field))) continue;
    const got = `line ${line}, column ${nameOf(column, names)} must be a number; got ${quoted(field)}`;
    return new InputError(`${name}: ${got}${hintFor(field, line === firstLine, decimal)}.`);
  }
  return changedWhileRead(name);
}

/** Returns advice on a field that is no number. */
function hintFor(field: string, isFirstLine: boolean, decimal: string): string {
  if (isFirstLine) return ' (in a header no field begins with a digit and one has letters; lines end in LF or CRLF)';
  if (isMissing(field)) return ' (--missing drop leaves such rows out, --missing mean fills them)';
  if (decimal === '.' && /^[+-]?\d+,\d+$/.test(field)) return ' (is it a decimal comma? --decimal ,)';
  return /\p{Letter}/u.test(field) && !/\d/.test(field) ? ' (--drop leaves a column out)' : '';
}
