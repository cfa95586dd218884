/** Tests that cannot run everywhere. */
import { describe, it } from 'vitest';

/** A test; or, where there is a reason against it, a skipped one that tells the reason in its name and on standard error. */
export function itUnless(reason: string | undefined, name: string, test: () => void | Promise<void>): void {
  if (reason === undefined) {
    it(name, test);
    return;
  }
  console.warn(`${name}: skipped, ${reason}.`);
  it.skip(`${name} (skipped: ${reason})`, test);
}

/** The same for several tests. */
export function describeUnless(reason: string | undefined, name: string, tests: () => void): void {
  if (reason === undefined) {
    describe(name, tests);
    return;
  }
  console.warn(`${name}: skipped, ${reason}.`);
  describe.skip(`${name} (skipped: ${reason})`, tests);
}
