/** The one form of an error about input: who refuses, which parameter, what it must be, what it got. */

/** Bad input from the caller: the message is meant to be shown as it is, without a stack. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** `learn: samples must be finite; got NaN at row 17, column 3.` */
export function inputError(who: string, parameter: string, mustBe: string, got: unknown): InputError {
  return new InputError(`${who}: ${parameter} must be ${mustBe}; got ${typeof got === 'string' ? got : show(got)}.`);
}

function show(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value === undefined || value === null) return String(value);
  const text = JSON.stringify(value);
  return text && text.length <= 80 ? text : Object.prototype.toString.call(value);
}
