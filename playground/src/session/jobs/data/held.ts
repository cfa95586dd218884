/** The last result, kept in the worker, from which rows and files are made on request. */
import type { LearnResult, Source } from 'orthodict/browser';

/** A result and the table that it describes. */
export interface Held {
  readonly number: number;
  readonly source: Source;
  readonly result: LearnResult;
}

let held: Held | undefined;
let count = 0;

/** Replaces the last result; returns the number of the new one. */
export async function hold(source: Source, result: LearnResult): Promise<number> {
  const before = held;
  held = { number: ++count, source, result };
  await before?.source.close?.();
  return held.number;
}

export function heldAs(number: number): Held {
  if (held?.number !== number) throw new Error('This result has been replaced by a newer one.');
  return held;
}
