/**
 * Splits one record of separated fields. A field may be in double quotes, in which separators are text and `""` is one quote;
 * blanks around fields and quotes do not count. A field whose quotes are not well-formed is kept unchanged, and so
 * is no number.
 */

/** Returns the end of the field that begins at `from`: its separator, or the end of the line. */
export function fieldEnd(line: string, from: number, separator: string): number {
  let at = from;
  while (isBlank(line, at) && line[at] !== separator) at++;
  while (line[at] === '"') {
    at = line.indexOf('"', at + 1) + 1; // after the closing quote; another one there is the second half of a pair
    if (at === 0) return line.length;
  }
  const end = line.indexOf(separator, at);
  return end < 0 ? line.length : end;
}

/** Returns the field in [from, end) without blanks and quotes around it. */
export function fieldText(line: string, from: number, end: number): string {
  const text = trimmed(line, from, end);
  if (!text.startsWith('"')) return text;
  const inside = text.slice(1, -1);
  const wellFormed = text.length > 1 && text.endsWith('"') && !inside.replaceAll('""', '').includes('"');
  return wellFormed ? trimmed(inside, 0, inside.length).replaceAll('""', '"') : text;
}

export function* fieldsOf(line: string, separator: string): Generator<string> {
  for (let from = 0, end = -1; end < line.length; from = end + 1) {
    end = fieldEnd(line, from, separator);
    yield fieldText(line, from, end);
  }
}

/** Counts the fields and keeps nothing. */
export function countFields(line: string, separator: string): number {
  let count = 0;
  for (let from = 0, end = -1; end < line.length; from = end + 1, count++) end = fieldEnd(line, from, separator);
  return count;
}

/** Detects the separator. Commas come last: with the other two separators they may be decimal marks or text. */
export function findSeparator(line: string): string {
  const unquoted = line.replace(/"[^"]*"/g, '');
  return ['\t', ';'].find((separator) => unquoted.includes(separator)) ?? ',';
}

/** Whether a line is empty: blanks, but no separator. */
export function isEmptyLine(line: string, separator: string | undefined): boolean {
  for (let at = 0; at < line.length; at++) if (!isBlank(line, at) || line[at] === separator) return false;
  return true;
}

function trimmed(text: string, from: number, end: number): string {
  let [first, last] = [from, end];
  while (first < last && isBlank(text, first)) first++;
  while (last > first && isBlank(text, last - 1)) last--;
  return text.slice(first, last);
}

export const isBlank = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code === 0x20 || code === 0x09;
};
