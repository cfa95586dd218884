/** A guide for the eye: a curve that falls as 1/√x from the first of the given cells. */
import type { Cell } from '../framework/summary.ts';

export function inverseRoot(cells: readonly Cell[], along: string): Cell[] {
  return cells.map(({ point, measure }) => {
    const value = cells[0].median * Math.sqrt(cells[0].point[along] / point[along]);
    return { point, measure, values: Float64Array.of(value), median: value, low: value, high: value };
  });
}
