/** Every exported function answers wrong arguments with one sentence of an InputError that says who refuses, or with a result. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import * as library from '#src/index.ts';
import * as node from '#src/node/index.ts';

const GOOD = { rows: 2, cols: 2, data: Float64Array.of(1, 0, 0, 1) };
const circular: Record<string, unknown> = {};
circular.self = circular;

/** What is given by mistake in place of a matrix, options, a name or a number. */
const WRONG: readonly unknown[] = [
  undefined,
  null,
  [
    [1, 2],
    [3, 4],
  ],
  [],
  {},
  'nonsense',
  42,
  Number.NaN,
  true,
  10n,
  () => 1,
  new Float64Array(3),
  circular,
  new Date(0),
  { rows: 2, cols: 2, data: [1, 2, 3, 4] },
  { rows: 2, cols: 3, data: new Float64Array(4) },
  { rows: 2, cols: 2, data: Float64Array.of(1, Number.NaN, 2, 3) },
];
const CALLS: readonly (readonly unknown[])[] = [
  [],
  ...WRONG.map((wrong) => [wrong]),
  ...WRONG.map((wrong) => [wrong, wrong]),
  ...WRONG.map((wrong) => [GOOD, wrong]),
  ...WRONG.map((wrong) => [GOOD, {}, wrong]),
];

type Callable = ((...args: unknown[]) => unknown) & (new (...args: unknown[]) => unknown);

const functions = Object.entries({ library, node }).flatMap(([entry, names]) =>
  Object.entries(names as Record<string, unknown>)
    .filter(([, value]) => typeof value === 'function')
    .filter(([name, value]) => entry === 'library' || value !== (library as Record<string, unknown>)[name])
    .map(([name, value]) => [`${name} of ${entry}`, value as Callable] as const),
);

const isClass = (value: Callable) => /^class/.test(Function.prototype.toString.call(value));

/** The error of a call, or of the first step of what it returns. */
async function errorOf(callable: Callable, args: readonly unknown[]): Promise<unknown> {
  try {
    const made = isClass(callable) ? new callable(...args) : callable(...args);
    const steps = made as { next?: () => unknown } | null | undefined;
    const first = typeof steps?.next === 'function' ? steps.next() : made;
    const found = (await first) as { close?: () => Promise<void> } | null | undefined;
    if (typeof found?.close === 'function') await found.close();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('wrong arguments', () => {
  const home = process.cwd();
  const scratch = mkdtempSync(join(tmpdir(), 'orthodict-wrong-'));

  it.each(functions)('of %s', async (_, callable) => {
    process.chdir(scratch); // names of files are tried too
    try {
      for (const args of CALLS) {
        const error = await errorOf(callable, args);
        if (error === undefined) continue;
        const shown = args.map((each) =>
          typeof each === 'object' ? Object.prototype.toString.call(each) : String(each),
        );
        expect(error, `(${shown.join(', ')}): ${(error as Error).stack}`).toBeInstanceOf(InputError);
        expect((error as InputError).message).toMatch(/^[^\n]*: [^\n]+\.$/);
      }
    } finally {
      process.chdir(home);
    }
  });
});
