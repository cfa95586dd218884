/** Fingerprint of a file: distinguishes it from another file of the same name, and from its own next version. */
import { InputError } from '../../core/errors.ts';

export interface Fingerprint {
  readonly size: number;
  /** Time of the last change; for an address, the ETag or date of the server. */
  readonly stamp: string;
}

/** Throws an InputError if the file has changed. */
export function requireSame(name: string, was: Fingerprint, is: Fingerprint): void {
  if (is.size !== was.size || is.stamp !== was.stamp) throw changedWhileRead(name);
}

export function changedWhileRead(name: string): InputError {
  return new InputError(`${name}: has changed while it was being read.`);
}
