/** Columns in very different units, as far as the first rows of a table tell. */
import type { TablePreview } from 'orthodict/browser';
import type { Chosen } from './columns.ts';

/** A column that varies so many times as much as the others hides them. */
const WORTH_TELLING = 30;

export interface UnequalSpread {
  readonly most: string;
  /** One in the middle. */
  readonly usual: string;
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
  const [middle, most] = [spreads[spreads.length >> 1], spreads.at(-1)];
  if (!middle || !most || most.spread < WORTH_TELLING * middle.spread) return undefined;
  return { most: most.name, usual: middle.name, ratio: Number((most.spread / middle.spread).toPrecision(1)) };
}

function deviation(cells: readonly unknown[]): number {
  const numbers = cells.filter((cell): cell is number => typeof cell === 'number');
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numbers.length);
}
