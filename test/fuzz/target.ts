/**
 * What the harness can attack. A target draws cases from a seed, checks the outcome of one, and can make a failing case
 * smaller. A case is plain data: the same seed gives the same case.
 */
import type { Random } from '#src/core/random.ts';

export interface Target {
  readonly name: string;
  /** What is attacked, and the outcome that is right; one line for the table. */
  readonly about: string;
  /** Cases of a run that counts cases instead of seconds; those of slow targets are few. */
  readonly cases: number;
  /** `folder`: an empty directory for its files. */
  open(folder: string): Promise<Subject>;
}

export interface Subject<Case = unknown> {
  draw(random: Random): Case;
  /** Throws if the outcome is wrong; returns a word for it, such as `refused`. */
  check(given: Case): Promise<string>;
  /** Cases that are a little simpler, the most promising first. */
  smaller?(given: Case): Iterable<Case>;
  /** Puts what a person needs to look at it into `folder`; returns words to print. */
  keep?(given: Case, folder: string): Promise<string>;
  close?(): Promise<void>;
}

/** The subject of a target, whatever the type of its cases. */
export const subject = <Case>(given: Subject<Case>): Subject => given as unknown as Subject;

/** Most tries to make a case smaller. */
const MOST_TRIES = 300;

/** The smallest case found that still fails, and how it fails. */
export async function shrink(
  { check, smaller }: Subject,
  given: unknown,
  failure: unknown,
): Promise<{ readonly smallest: unknown; readonly failure: unknown }> {
  let [smallest, why, tries] = [given, failure, 0];
  const failsSmaller = async (): Promise<boolean> => {
    for (const candidate of smaller?.(smallest) ?? []) {
      if (tries++ >= MOST_TRIES) return false;
      const found = await check(candidate).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (!found) continue;
      [smallest, why] = [candidate, found.error];
      return true;
    }
    return false;
  };
  while (await failsSmaller());
  return { smallest, failure: why };
}
