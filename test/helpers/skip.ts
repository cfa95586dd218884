/** Tests that cannot run everywhere. */
import { it } from 'vitest';

/** A test; or, where there is a reason against it, a skipped one that tells the reason in its name and on standard error. */
export function itUnless(reason: string | undefined, name: string, test: () => void | Promise<void>): void {
  if (reason === undefined) {
    it(name, test);
    return;
  }
  console.warn(`${name}: skipped, ${reason}.`);
  it.skip(`${name} (skipped: ${reason})`, test);
}
