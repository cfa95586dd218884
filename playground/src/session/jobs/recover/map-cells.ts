/** The cells of the map: a column for each θ, a row for each number of samples, the fewest first. */
import type { Recipe } from './contenders.ts';

export const COLUMNS = 12;
export const ROWS = 12;
/** Which cells come first: every fourth of columns and rows, and so on. */
export const STRIDES = [4, 2, 1] as const;

/** The part of a recipe that all cells share. */
export type MapRecipe = Omit<Recipe, 'theta' | 'p'>;

/** A dictionary counts as recovered up to this error |1 − ‖A Dᵀ‖₄⁴/n|, as in the figures of the ℓ4 papers. */
export const RECOVERED = 0.1;

export const thetaOf = (column: number): number => Math.round(7 * (column + 1)) / 100;

/** From two samples per feature on; each row has 1.7 times as many as the one before, to two digits. */
export function samplesOf(n: number, row: number): number {
  const exact = 2 * n * 1.7 ** row;
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
  return Math.round(exact / digit) * digit;
}

/** The recipe of a cell. */
export const recipeOf = (shared: MapRecipe, column: number, row: number): Recipe => {
  const { n, noise, condition, seed } = shared;
  return { n, noise, condition, seed, theta: thetaOf(column), p: samplesOf(n, row) };
};
