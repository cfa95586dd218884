/** What must not compile: options of one method with another. `npm run typecheck` fails where an expected error is missing. */
import { expect, it } from 'vitest';
import type { Matrix } from '#src/core/matrix.ts';
import { learn } from '#src/learn/learn.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { settleOptions } from '#src/learn/options.ts';

const Y: Matrix = { rows: 1, cols: 1, data: Float64Array.of(1) };

it('options are told apart by the method', async () => {
  const right: LearnOptions[] = [
    { norm: 3, shift: 'none' },
    { method: 'pga', step: 3 },
    { method: 'ksvd', keep: 3, components: 9 },
    { method: 'householder', reflectors: 2 },
  ];
  for (const options of right) expect(() => settleOptions(options)).not.toThrow();
  const wrong = [
    // @ts-expect-error: keep is an option of procrustes, gtransform and ksvd
    () => learn(Y, { method: 'pga', keep: 3 }),
    // @ts-expect-error: the default method is msp
    () => learn(Y, { keep: 3 }),
    // @ts-expect-error: beside an option that it has
    () => learn(Y, { seed: 1, keep: 3 }),
    // @ts-expect-error: step is an option of pga
    () => learn(Y, { method: 'msp', step: 3 }),
    // @ts-expect-error: reflectors take no tolerance
    () => learn(Y, { method: 'householder', tolerance: 1 }),
    // @ts-expect-error: a misspelt option
    () => learn(Y, { maxIteration: 3 }),
    // @ts-expect-error: a word that is no method
    () => learn(Y, { method: 'kmeans' }),
    // @ts-expect-error: a number where a word is wanted
    () => learn(Y, { method: 'ksvd', growth: 3 }),
  ];
  for (const call of wrong) await expect(call()).rejects.toThrow(/^learn: /);
});
