/** What a preview of a table is: its columns, and its first rows. */

/** A number, a word, or nothing where a number is missing. */
export type Cell = number | string | null;

/** A column of a table. */
export interface PreviewColumn {
  /** Its name; its number, from 1, if it has none. */
  readonly name: string;
  /** What the options `columns` and `drop` call it. */
  readonly pick: string;
  /** Whether it holds numbers, as far as was read. */
  readonly numbers: boolean;
}

/** What a page shows of a table before it is read. */
export interface TablePreview {
  /** As the names of such files end: `csv`. */
  readonly format: string;
  /** How many there are, if that is known without reading all of them. */
  readonly rows?: number;
  /** Names of the 2-d arrays of an archive. */
  readonly arrays?: readonly string[];
  /** The array of an archive that is shown. */
  readonly array?: string;
  readonly columns: readonly PreviewColumn[];
  /** The first rows. */
  readonly head: readonly (readonly Cell[])[];
}

/** Rows of the preview. */
export const HEAD_ROWS = 20;

/** Columns by their names; those that have none, or share one, are picked by number. */
export function columnsOf(names: readonly string[], isNumbers: (column: number) => boolean): PreviewColumn[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, k) => {
    const number = `${k + 1}`;
    const byNumber = counts.has(number) ? `${number}-${number}` : number; // a name comes before a number
    const pick = name !== '' && counts.get(name) === 1 ? name : byNumber;
    return { name: name || number, pick, numbers: isNumbers(k) };
  });
}
