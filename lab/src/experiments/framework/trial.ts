/** A trial: a grid point and a seed, and the numbers it measured. */

/** Parameter values. */
export type Point = Readonly<Record<string, number>>;

/** Numbers by measure name; undefined if a method does not take part. */
export type Measured = Readonly<Record<string, number | undefined>>;

export interface Measure {
  readonly name: string;
  /** Label in tables and legends. */
  readonly label: string;
  /** Whose it is, in tables with a row per method; then all measures have one. */
  readonly method?: string;
  /** The column it belongs to there. */
  readonly column?: string;
}

export interface Trial {
  readonly trial: number;
  readonly seed: number;
  readonly point: Point;
  readonly measured: Measured;
  readonly seconds: number;
}
