/** Tables as Markdown, to be pasted into a page. */
import type { Table } from './table.ts';

export const markdownTables = (tables: readonly Table[]): string => tables.map(markdownTable).join('\n');

/** The first column is aligned left, the others right. */
function markdownTable({ title, header, rows, notes }: Table): string {
  const lines = [header, ...rows].map((line) => line.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = header.map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)));
  const format = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [
    `**${title}**`,
    '',
    format(lines[0]),
    `| ${rule.join(' | ')} |`,
    ...lines.slice(1).map(format),
    '',
    ...notes.flatMap((note) => [`- ${note}`]),
    ...(notes.length > 0 ? [''] : []),
  ].join('\n');
}
