/**
 * Parses JSON from a file, nested no deeper than JSON of ours: deeper nesting overflows the stack of recursive code, and a key
 * `__proto__` changes the object it is copied to.
 */
import { InputError } from '../../core/errors.ts';

const DEEPEST = 32;

/** Parses JSON. `name`: of the text, for messages. */
export function parseJson(name: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError(`${name} must be JSON text; got something else.`);
  }
  const open: { readonly inner: unknown; readonly depth: number }[] = [{ inner: value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { inner, depth } = next;
    if (inner === null || typeof inner !== 'object') continue;
    if (depth === DEEPEST) throw new InputError(`${name} must be nested at most ${DEEPEST} deep; got more.`);
    if (Object.hasOwn(inner, '__proto__')) throw new InputError(`${name} must not have a key "__proto__".`);
    for (const child of Object.values(inner)) open.push({ inner: child, depth: depth + 1 });
  }
  return value;
}
