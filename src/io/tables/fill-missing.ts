/** Rows in which numbers are missing: they are left out, or the means of the columns take the place of what is missing. */
import { InputError } from '../../core/errors.ts';
import type { FloatArray } from '../../core/matrix.ts';

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

  /** The means so far; the same array to the end. */
  get means(): Substitutes {
    return this.#means;
  }

  /** `nameOf`: of one of the columns, for messages. */
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

/** The means of columns over many files: each file adds its rows when it is opened, and is read when all have. */
export class CommonMeans {
  #survey: MissingSurvey | undefined;

  /** For the next file. */
  survey(cols: number): MissingSurvey {
    this.#survey ??= new MissingSurvey(cols);
    return this.#survey;
  }

  /** When all files are open. */
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
