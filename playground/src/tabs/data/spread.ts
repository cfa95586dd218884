/** Finds columns in very different units, by the first rows of a table. */
import type { TablePreview } from 'orthodict/browser';
import { unequalSpread as unequal } from 'orthodict/extend';
import type { Chosen } from './columns.ts';

export interface UnequalSpread {
  readonly most: string;
  /** A column of median spread. */
  readonly usual: string;
  /** Ratio of the spreads, to one digit. */
  readonly ratio: number;
}

export function unequalSpread(
  { columns, head }: Pick<TablePreview, 'columns' | 'head'>,
  chosen: Chosen,
): UnequalSpread | undefined {
  const places = [...chosen];
  const found = unequal(places.map((place) => deviation(head.map((row) => row[place]))));
  if (!found) return undefined;
  const name = (k: number) => columns[places[k]].name;
  return { most: name(found.most), usual: name(found.usual), ratio: found.ratio };
}

function deviation(cells: readonly unknown[]): number {
  const numbers = cells.filter((cell): cell is number => typeof cell === 'number');
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numbers.length);
}
