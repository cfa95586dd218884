/** A table of a report, whatever it is printed as. */
export interface Table {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Lines below the table. */
  readonly notes: readonly string[];
}
