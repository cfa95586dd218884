/** Handles rows with missing numbers: they are left out, or the means of the columns are filled in. */
import { InputError } from '../../core/errors.ts';
import type { FloatArray } from '../../core/matrix.ts';

/** Numbers to fill in by column; NaN: leave the row out. */
export type Substitutes = Float64Array;

/** Counts rows and computes the means of the columns, in a first pass over all rows. */
export class MissingSurvey {
  #whole = 0;
  #rows = 0;
  readonly #means: Float64Array;
  readonly #counts: Float64Array;

  constructor(cols: number) {
    this.#means = new Float64Array(cols);
    this.#counts = new Float64Array(cols);
  }

  /** Adds the row that begins at `at`; a missing number is NaN or infinite. */
  add(numbers: FloatArray, at: number): void {
    const cols = this.#means.length;
    let found = 0;
    for (let k = 0; k < cols; k++) {
      const number = numbers[at + k];
      if (!Number.isFinite(number)) continue;
      found++;
      this.#counts[k]++;
      this.#means[k] += (number - this.#means[k]) / this.#counts[k]; // running mean, which cannot overflow
    }
    if (found === cols) this.#whole++;
    this.#rows++;
  }

  /** Means so far; always the same array. */
  get means(): Substitutes {
    return this.#means;
  }

  /** Returns the number of rows to take and the numbers to fill in. `nameOf`: of one of the columns, for messages. */
  settle(
    file: string,
    how: 'drop' | 'mean',
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

/** Means of columns over many files: each file adds its rows when it is opened, and is read when all have. */
export class CommonMeans {
  #survey: MissingSurvey | undefined;

  /** Returns the survey for the next file. */
  survey(cols: number): MissingSurvey {
    this.#survey ??= new MissingSurvey(cols);
    return this.#survey;
  }

  /** Completes the means when all files are open. */
  settle(name: string): void {
    this.#survey?.settle(name, 'mean', (column) => `${column + 1}`);
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
