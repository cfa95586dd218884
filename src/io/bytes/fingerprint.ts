/** Distinguishes a file from another one under the same name, and from its own next version. */
import { InputError } from '../../core/errors.ts';

export interface Fingerprint {
  readonly size: number;
  /** When it was last written to; for an address, what the server says in its place. */
  readonly stamp: string;
}

/** Throws an InputError if the file is no longer what it was. */
export function requireSame(name: string, was: Fingerprint, is: Fingerprint): void {
  if (is.size !== was.size || is.stamp !== was.stamp) throw changedWhileRead(name);
}

export function changedWhileRead(name: string): InputError {
  return new InputError(`${name}: has changed while it was being read.`);
}
