/** Tests that cannot run everywhere. */
import { describe, it } from 'vitest';

/** A test, or if there is a reason against it, a skipped one with the reason in its name and on standard error. */
export function itUnless(reason: string | undefined, name: string, test: () => void | Promise<void>): void {
  if (reason === undefined) {
    it(name, test);
    return;
  }
  console.warn(`${name}: skipped, ${reason}.`);
  it.skip(`${name} (skipped: ${reason})`, test);
}

/** A group of tests, skipped if there is a reason against them. */
export function describeUnless(reason: string | undefined, name: string, tests: () => void): void {
  if (reason === undefined) {
    describe(name, tests);
    return;
  }
  console.warn(`${name}: skipped, ${reason}.`);
  describe.skip(`${name} (skipped: ${reason})`, tests);
}
