/** Input errors in one form: which function, which parameter, what it must be, what it got. */
import { printable } from './printable.ts';

/** Bad input from the caller. The message is one printable line: it can be shown to users directly, without a stack. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly #who: string | undefined;

  /** `who`: the public function that throws, if the message begins with its name. */
  constructor(message: string, who?: string) {
    super(printable(String(message)));
    this.#who = who;
  }

  get who(): string | undefined {
    return this.#who;
  }
}

/** `learn: samples must be finite; got NaN at row 17, column 3.` */
export function inputError(who: string, parameter: string, mustBe: string, got: unknown): InputError {
  const text = typeof got === 'string' ? got : show(got);
  return new InputError(`${who}: ${parameter} must be ${mustBe}; got ${text}.`, who);
}

/** Throws an `inputError` unless `ok`. */
export function demand(ok: boolean, who: string, parameter: string, mustBe: string, got: unknown): void {
  if (!ok) throw inputError(who, parameter, mustBe, got);
}

/** A value as text; undefined for values without one, such as an object that contains itself. */
function textOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function show(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value === undefined || value === null) return String(value);
  const text = typeof value === 'object' && !ArrayBuffer.isView(value) ? textOf(value) : undefined;
  return text && text.length <= 80 ? text : Object.prototype.toString.call(value);
}
