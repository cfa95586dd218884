/** Tables, whatever they are printed as. */
export interface Table {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Lines below the table. */
  readonly notes: readonly string[];
}

/** Tables with their titles and notes as Markdown, to be pasted into a page. */
export const markdownTables = (tables: readonly Table[]): string =>
  tables
    .map(({ title, header, rows, notes }) => {
      const list = notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : [];
      return [`**${title}**`, markdownTable(header, rows, 'right'), ...list].join('\n\n');
    })
    .join('\n\n');

/** `others`: how the columns after the first are aligned. */
export function markdownTable(
  header: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  others: 'left' | 'right' = 'left',
): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = header.map((_, column) => (column > 0 && others === 'right' ? '---:' : '---'));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}
