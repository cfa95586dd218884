/** Remarks for the user on a result: a code for programs and a text for people. */
import type { Source } from '../engine/source/source.ts';

/** Topic of a remark. */
export type RemarkCode =
  | 'one-feature'
  | 'unequal-spread'
  | 'rank-reduced'
  | 'nothing-sparser'
  | 'dense-codes'
  | 'heavy-tails';

/** A remark for the user on a result. */
export interface Remark {
  readonly code: RemarkCode;
  /** A sentence without its full stop. */
  readonly text: string;
}

/** Returns the remarks on the source, which apply to every method. */
export function remarksOnSource({ cols }: Pick<Source, 'cols'>): Remark[] {
  if (cols > 1) return [];
  const text = 'samples of one feature have nothing to learn: the only atom is 1, whatever they are';
  return [{ code: 'one-feature', text }];
}

/** Returns the remark on fewer directions with energy than features. */
export function remarksOnRank(rank: number, features: number, complete: boolean): Remark[] {
  if (rank >= features) return [];
  const rest = complete ? `; the last ${features - rank} of the basis are arbitrary` : '';
  const text = `the samples have energy in ${rank} of ${features} directions only: ${rank} atoms are learned${rest}`;
  return [{ code: 'rank-reduced', text }];
}

/** Ratio of a column's spread to the usual one from which it hides the others. */
const UNEQUAL = 30;

/** A feature that varies much more than the usual one. */
export interface UnequalSpread {
  /** Index of the column that varies most; next: of one in the middle. */
  readonly most: number;
  readonly usual: number;
  /** Ratio of their spreads, to one digit. */
  readonly ratio: number;
}

/** Finds columns in very different units. `spreads`: the standard deviation of every column, in any unit. */
export function unequalSpread(spreads: ArrayLike<number>): UnequalSpread | undefined {
  const order = Array.from(spreads, (_, k) => k)
    .filter((k) => spreads[k] > 0)
    .sort((a, b) => spreads[a] - spreads[b]);
  const [usual, most] = [order[(order.length - 1) >> 1], order.at(-1)];
  if (most === undefined || spreads[most] < UNEQUAL * spreads[usual]) return undefined;
  return { most, usual, ratio: Number((spreads[most] / spreads[usual]).toPrecision(1)) };
}

export function remarksOnSpread(spreads: ArrayLike<number>, names: readonly string[] | undefined): Remark[] {
  const found = unequalSpread(spreads);
  if (!found) return [];
  const name = (k: number) => names?.[k] || `column ${k + 1}`;
  const times = found.ratio.toLocaleString('en');
  const text = `${name(found.most)} varies ${times} times as much as ${name(found.usual)}, and holds most of the energy: use --whiten zca, or scale the columns first`;
  return [{ code: 'unequal-spread', text }];
}
