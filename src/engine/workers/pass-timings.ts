/** How long passes have taken lately, so as to tell how long the next one will take. */
import type { AnyPass } from '../pass.ts';
import type { Source } from '../source/source.ts';

/** Passes of one name differ, as in the number of atoms: the slowest of this many counts. */
const REMEMBERED = 4;

export class Paces {
  /** Milliseconds a row, by pass and length of a row. */
  readonly #lately = new Map<string, number[]>();

  note(pass: AnyPass, { cols }: Source, rows: number, milliseconds: number): void {
    const key = keyOf(pass, cols);
    const lately = this.#lately.get(key) ?? [];
    lately.push(milliseconds / rows);
    if (lately.length > REMEMBERED) lately.shift();
    this.#lately.set(key, lately);
  }

  /** Milliseconds that one thread may need for `rows` rows; undefined if nothing is known. */
  expect(pass: AnyPass, { cols }: Source, rows: number): number | undefined {
    const lately = this.#lately.get(keyOf(pass, cols));
    return lately && rows * Math.max(...lately);
  }
}

const keyOf = ({ name }: AnyPass, cols: number): string => `${name} ${cols}`;
