/** Rows in which numbers are missing: they are left out, or the means of the columns take the place of what is missing. */
import { InputError } from '../../core/errors.ts';
import type { FloatArray } from '../../core/matrix.ts';
import type { TableOptions } from './table-options.ts';

/** What takes the place of missing numbers, by column; NaN: the row is left out. */
export type Substitutes = Float64Array;

/** Sees every row once, before the numbers are read: counts rows and finds the means of the columns. */
export class MissingSurvey {
  #whole = 0;
  #rows = 0;
  readonly #means: Float64Array;
  readonly #counts: Float64Array;

  constructor(cols: number) {
    this.#means = new Float64Array(cols);
    this.#counts = new Float64Array(cols);
  }

  /** The row that begins at `at`; a missing number is NaN or infinite. */
  add(numbers: FloatArray, at: number): void {
    const cols = this.#means.length;
    let found = 0;
    for (let k = 0; k < cols; k++) {
      const number = numbers[at + k];
      if (!Number.isFinite(number)) continue;
      found++;
      this.#counts[k]++;
      this.#means[k] += (number - this.#means[k]) / this.#counts[k]; // the mean so far, which cannot overflow
    }
    if (found === cols) this.#whole++;
    this.#rows++;
  }

  /** `nameOf`: of one of the columns, for messages. */
  settle(
    file: string,
    how: TableOptions['missing'],
    nameOf: (column: number) => string,
  ): { readonly rows: number; readonly substitutes: Substitutes } {
    if (how === 'drop') {
      if (this.#whole === 0) throw new InputError(`${file}: must have a row without missing numbers; got none.`);
      return { rows: this.#whole, substitutes: new Float64Array(this.#means.length).fill(Number.NaN) };
    }
    const empty = this.#counts.indexOf(0);
    if (empty < 0) return { rows: this.#rows, substitutes: this.#means };
    throw new InputError(`${file}: column ${nameOf(empty)} must have a number for its mean; got none: drop it.`);
  }
}

/** Fills the row that begins at `at`; returns whether it can be taken. */
export function substitute(numbers: FloatArray, at: number, substitutes: Substitutes): boolean {
  for (let k = 0; k < substitutes.length; k++) {
    if (Number.isFinite(numbers[at + k])) continue;
    if (Number.isNaN(substitutes[k])) return false;
    numbers[at + k] = substitutes[k];
  }
  return true;
}
