/**
 * Prints results on stdout, as one JSON object or as text and tables for people, and remarks on stderr. Names and texts in
 * models come from outside, so every line is made printable here.
 */
import { printable, printableJson } from '../../core/printable.ts';

export function printJson(value: unknown): void {
  process.stdout.write(`${printableJson(value)}\n`);
}

/** Prints one line of any length; without text, an empty one. */
export function printLine(text = ''): void {
  process.stdout.write(`${printable(text, Number.POSITIVE_INFINITY)}\n`);
}

/** Prints one line on stderr. */
export function printRemark(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** Prints labels on the left and values on the right. */
export function printFacts(facts: ReadonlyArray<readonly [label: string, value: string]>): void {
  const labels = facts.map(([label]) => printable(label));
  const width = Math.max(...labels.map((label) => label.length));
  facts.forEach(([, value], i) => {
    printLine(`${labels[i].padEnd(width)}  ${printable(value)}`);
  });
}

/** Prints a table: the first column is aligned left, the others right. */
export function printTable(header: readonly string[], rows: ReadonlyArray<readonly string[]>): void {
  const lines = [header, ...rows].map((line) => line.map((cell) => printable(cell)));
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const format = (line: readonly string[]) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ');
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  for (const line of [format(lines[0]), rule, ...lines.slice(1).map(format)]) process.stdout.write(`${line}\n`);
}

/** `1 pass`, `3 passes` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** Formats whole numbers with separators and other numbers with four digits. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return withSeparators(value);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}

/** `1,234,567`. Not `toLocaleString`: its first call in a process loads all locales, which takes 20 ms. */
const withSeparators = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',');

/** Says how a run ended, and why. */
export const statusWords = (status: string, reason: string): string =>
  reason.startsWith(status) ? reason : `${status} (${reason})`;
