/** Parts of a preview of a table: its columns, and its first rows. */

/** Content of a cell: a number, a text, or null if missing. */
export type Cell = number | string | null;

/** A column of a table. */
export interface PreviewColumn {
  /** Name of the column; its number, from 1, if it has none. */
  readonly name: string;
  /** Name of the column in the options `columns` and `drop`. */
  readonly pick: string;
  /** Whether it contains numbers, as far as was read. */
  readonly numbers: boolean;
}

/** Preview of a table before it is read. */
export interface TablePreview {
  /** Format by file extension: `csv`. */
  readonly format: string;
  /** Number of rows, if known without reading all of them. */
  readonly rows?: number;
  /** Names of the 2-d arrays of an archive. */
  readonly arrays?: readonly string[];
  /** Array of an archive that is shown. */
  readonly array?: string;
  readonly columns: readonly PreviewColumn[];
  /** First rows. */
  readonly head: readonly (readonly Cell[])[];
}

/** Number of rows of the preview. */
export const HEAD_ROWS = 20;

/** Lists columns by their names; those that have none, or share one, are picked by number. */
export function columnsOf(names: readonly string[], isNumbers: (column: number) => boolean): PreviewColumn[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, k) => {
    const number = `${k + 1}`;
    const byNumber = counts.has(number) ? `${number}-${number}` : number; // names take precedence over numbers
    const pick = name !== '' && counts.get(name) === 1 ? name : byNumber;
    return { name: name || number, pick, numbers: isNumbers(k) };
  });
}
