/** Columns in very different units, as far as the first rows of a table tell. */
import type { TablePreview } from 'orthodict/browser';
import type { Chosen } from './columns.ts';

/** A column that varies so many times as much as another hides it. */
const WORTH_TELLING = 30;

export interface UnequalSpread {
  readonly most: string;
  readonly least: string;
  /** To one digit. */
  readonly ratio: number;
}

export function unequalSpread(
  { columns, head }: Pick<TablePreview, 'columns' | 'head'>,
  chosen: Chosen,
): UnequalSpread | undefined {
  const spreads = [...chosen]
    .map((place) => ({ name: columns[place].name, spread: deviation(head.map((row) => row[place])) }))
    .filter(({ spread }) => spread > 0)
    .sort((a, b) => a.spread - b.spread);
  const [least, most] = [spreads[0], spreads.at(-1)];
  if (!least || !most || most.spread < WORTH_TELLING * least.spread) return undefined;
  // beside the middle one, so that a single column that hardly varies is no reason
  const middle = spreads[spreads.length >> 1];
  const other = most.spread >= WORTH_TELLING * middle.spread ? middle : undefined;
  return other && { most: most.name, least: other.name, ratio: Number((most.spread / other.spread).toPrecision(1)) };
}

function deviation(cells: readonly unknown[]): number {
  const numbers = cells.filter((cell): cell is number => typeof cell === 'number');
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numbers.length);
}
