/**
 * Decides whether the first line of a table names its columns. Words do. So do numbers that count the columns, 0, 1, 2, … as pandas writes
 * them, or years in order, if the line below does nothing of the kind. A line of numbers and missing values is a sample, and
 * must not vanish; nor must lines that end in a single CR and so look like one.
 */
import { isMissing, parseNumber } from '../../tables/number-text.ts';

export type HeaderKind = 'words' | 'numbers' | 'none';

/** Fewest columns for numbers to be names: with fewer, 0, 1 and 1, 2, 3 may well be a sample. */
const FEWEST_FROM_0 = 3;
const FEWEST_FROM_1 = 8;
const YEARS = { first: 1500, last: 2200 };

/** Classifies the first line. `second`: the fields of the line below; empty if there is none. */
export function headerKind(first: readonly string[], second: readonly string[]): HeaderKind {
  if (first.some((field) => /\r(?!\n)/.test(field))) return 'none';
  if (hasWords(first)) return 'words';
  return counts(first) && second.length > 0 && !counts(second) ? 'numbers' : 'none';
}

function hasWords(fields: readonly string[]): boolean {
  const isWord = (field: string) => /\p{Letter}/u.test(field) && !isMissing(field);
  return fields.some(isWord) && !fields.some((field) => parseNumber(field) !== undefined || /^[+-]?\.?\d/.test(field));
}

/** Whether fields are 0, 1, 2, …, perhaps after the empty name of an index; 1, 2, 3, …; or successive years. */
function counts(fields: readonly string[]): boolean {
  const hasIndex = fields[0] === '';
  const numbers = (hasIndex ? fields.slice(1) : fields).map((field) => (/^\d+$/.test(field) ? Number(field) : -1));
  const [start, end] = [numbers[0], numbers.at(-1)!];
  if (numbers.length < FEWEST_FROM_0 || numbers.some((number, k) => number !== start + k)) return false;
  if (start === 0) return true;
  if (hasIndex) return false;
  return (start === 1 && numbers.length >= FEWEST_FROM_1) || (start >= YEARS.first && end <= YEARS.last);
}
