/**
 * Parses decimal numbers in text, by one grammar and in one scan:
 *
 *     [+ -] (digits [. [digits]] | . digits) [(e | E) [+ -] digits]
 *
 * and finite; another decimal mark takes the place of the point. `Number` alone would read an empty text as 0, accept `0x10`, and ignore blanks of all scripts. A mantissa
 * m < 2⁵³ and a power of ten up to 10²² are exact in float64, so that m · 10ᵏ or m / 10ᵏ rounds once, correctly; all
 * other numbers are left to `Number`.
 */

const EXACT = 2 ** 53;
const POWERS = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
const [ZERO, PLUS, MINUS, SMALL_E] = Array.from('0+-e', (character) => character.charCodeAt(0));
const LOWER_CASE = 0x20;

export class NumberScanner {
  /** Number found by the last scan. */
  value = 0;
  readonly #point: number;

  constructor(readonly decimal = '.') {
    this.#point = decimal.charCodeAt(0);
  }

  /** Scans the number that begins at `start`; returns its end, −1 if there is none. */
  scan(text: string, start: number): number {
    const { length } = text;
    let at = start;
    if (at < length && isSign(text.charCodeAt(at))) at++;
    const first = at;
    let mantissa = 0;
    for (; at < length; at++) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      mantissa = mantissa * 10 + digit;
    }
    let digits = at - first;
    let power = 0;
    if (at < length && text.charCodeAt(at) === this.#point) {
      for (at++; at < length; at++, power--) {
        const digit = text.charCodeAt(at) - ZERO;
        if (!(digit >= 0 && digit <= 9)) break;
        mantissa = mantissa * 10 + digit;
      }
      digits -= power;
    }
    if (digits === 0) return -1;
    if (at < length && (text.charCodeAt(at) | LOWER_CASE) === SMALL_E) {
      const end = exponentEnd(text, at + 1);
      if (end < 0) return -1;
      power += Number(text.slice(at + 1, end));
      at = end;
    }
    return this.#settle(text, start, at, mantissa, power);
  }

  #settle(text: string, start: number, end: number, mantissa: number, power: number): number {
    if (mantissa < EXACT && power >= -22 && power <= 22) {
      const size = power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power];
      this.value = text.charCodeAt(start) === MINUS ? -size : size;
      return end;
    }
    const found = text.slice(start, end);
    this.value = Number(this.decimal === '.' ? found : found.replace(this.decimal, '.'));
    return Number.isFinite(this.value) ? end : -1;
  }
}

const scanner = new NumberScanner();

/** Parses a text that is a number as a whole; undefined if it is none. */
export function parseNumber(text: string): number | undefined {
  return scanner.scan(text, 0) === text.length ? scanner.value : undefined;
}

const FORM = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether the text follows the grammar, even if the number is too large for float64. */
export const hasNumberForm = (text: string): boolean => FORM.test(text);

const isSign = (code: number): boolean => code === PLUS || code === MINUS;

/** Returns the end of the exponent [+ -] digits, −1 if it has no digits. */
function exponentEnd(text: string, start: number): number {
  const first = start < text.length && isSign(text.charCodeAt(start)) ? start + 1 : start;
  let at = first;
  while (at < text.length && text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= ZERO + 9) at++;
  return at > first ? at : -1;
}

/** Matches empty text, NA, N/A, NaN, null, none, infinite, or signs only. */
const MISSING = /^(?:|#?n\/?a|nan|nil|null|none|missing|[-+]?inf(?:inity)?|[-–—.?*]+)$/iu;

/** Whether a text stands for a missing number. */
export const isMissing = (field: string): boolean => MISSING.test(field);
