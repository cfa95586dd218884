/** Bad input: one sentence with the function, the requirement and the value given. */

import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import type { Matrix } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { learn } from '#src/learn/learn.ts';
import { defineMethod } from '#src/learn/methods/method.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { settleOptions } from '#src/learn/options.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { product } from '../helpers/matrices.ts';

const samples = normalMatrix(30, 4, createRandom(1, 'options'));
const spoiled = (row: number, column: number, value: number): Matrix => {
  const data = samples.data.slice();
  data[row * 4 + column] = value;
  return { ...samples, data };
};
const lowRank = product(
  normalMatrix(30, 2, createRandom(2, 'options')),
  normalMatrix(2, 4, createRandom(3, 'options')),
);

describe('learn refuses', () => {
  it.each<[string, Matrix, LearnOptions, string]>([
    [
      'zeros',
      { rows: 9, cols: 3, data: new Float32Array(27) },
      {},
      'samples must be different from zero somewhere; got only zeros',
    ],
    ['NaN', spoiled(17, 3, Number.NaN), {}, 'samples must be finite; got NaN at row 17, column 3'],
    ['Inf', spoiled(0, 0, Number.POSITIVE_INFINITY), {}, 'samples must be finite; got Infinity at row 0, column 0'],
    ['-Inf', spoiled(29, 1, Number.NEGATIVE_INFINITY), {}, 'samples must be finite; got -Infinity at row 29, column 1'],
    [
      'too few samples',
      normalMatrix(3, 5, createRandom(4, 'options')),
      {},
      'samples must be at least as many as features (5); got 3; components of 3 or fewer would learn that many atoms',
    ],
    [
      'more components than the rank',
      lowRank,
      { components: 3 },
      'components must be at most 2, the rank of the data; got 3',
    ],
    [
      'more components than features',
      samples,
      { components: 5 },
      'components must be at most 4, the rank of the data; got 5',
    ],
    ['data of another length', { ...samples, rows: 31 }, {}, 'samples.data must be of length 124 (31×4); got 120'],
    [
      'no rows',
      { rows: 0, cols: 4, data: new Float64Array(0) },
      {},
      'samples must be at least one row and one column; got 0×4',
    ],
    [
      'no columns',
      { rows: 4, cols: 0, data: new Float64Array(0) },
      {},
      'samples must be at least one row and one column; got 4×0',
    ],
    [
      'other arrays',
      { rows: 1, cols: 2, data: [1, 2] as never },
      {},
      'samples.data must be a Float32Array or Float64Array; got [object Array]',
    ],
    [
      'a start of another shape',
      samples,
      { start: normalMatrix(4, 3, createRandom(1, 'x')) },
      'start must be 4×4, atoms as rows; got 4×3',
    ],
    [
      'a start with too few atoms',
      samples,
      { start: normalMatrix(3, 4, createRandom(1, 'x')) },
      'start must be 4×4, atoms as rows; got 3×4',
    ],
    [
      'a start that is not finite',
      samples,
      { start: spoiled(0, 2, Number.NaN) },
      'start must be finite; got NaN at row 0, column 2',
    ],
    ['a start that is no matrix', samples, { start: 'here' as never }, 'start must be a matrix; got here'],
  ])('%s', async (_, data, options, message) => {
    await expect(learn(data, options)).rejects.toThrow(new InputError(`learn: ${message}.`));
  });

  it.each<[string, unknown, string]>([
    [
      'method',
      'kmeans',
      'one of msp, givens, gtransform, householder, ica, ml, pga, procrustes, dct, ksvd, pca; got kmeans',
    ],
    ['norm', 5, '3 or an even number from 4 to 64; got 5'],
    ['norm', 2, '3 or an even number from 4 to 64; got 2'],
    ['norm', 66, '3 or an even number from 4 to 64; got 66'],
    ['norm', Number.NaN, '3 or an even number from 4 to 64; got NaN'],
    ['norm', '4', '3 or an even number from 4 to 64; got 4'],
    ['shift', 'big', 'auto, none or a number; got big'],
    ['shift', Number.POSITIVE_INFINITY, 'auto, none or a number; got Infinity'],
    ['step', 0, 'a number above 0; got 0'],
    ['step', -1, 'a number above 0; got -1'],
    ['refine', true, 'auto or none; got true'],
    ['whiten', 'pca', 'none or zca; got pca'],
    ['center', 1, 'true or false; got 1'],
    ['components', 0, 'a whole number from 1; got 0'],
    ['components', 1.5, 'a whole number from 1; got 1.5'],
    ['precision', 'f16', 'mixed, f32 or f64; got f16'],
    ['maxIterations', 0, 'a whole number from 1; got 0'],
    ['maxIterations', Number.POSITIVE_INFINITY, 'a whole number from 1; got Infinity'],
    ['tolerance', -1e-9, 'auto or a number, 0 or more; got -1e-9'],
    ['tolerance', Number.NaN, 'auto or a number, 0 or more; got NaN'],
    ['tolerance', 'tight', 'auto or a number, 0 or more; got tight'],
    ['objectiveTolerance', -1, 'a number, 0 or more; got -1'],
    ['maxSeconds', 0, 'a number above 0; got 0'],
    ['seed', 0.5, 'a whole number; got 0.5'],
    ['seed', null, 'a whole number; got null'],
  ])('%s %o', async (name, value, words) => {
    const given: object = { ...(name === 'step' && { method: 'pga' }), [name]: value };
    const run = learn(samples, given);
    await expect(run).rejects.toThrow(new InputError(`learn: ${name} must be ${words}.`));
  });

  it('an option it does not know, naming those it does', async () => {
    const run = learn(samples, { maxIteration: 5 } as never);
    await expect(run).rejects.toThrow(/^learn: there is no option "maxIteration"; known: method, norm, .*start\.$/);
    await expect(run).rejects.toBeInstanceOf(InputError);
  });
});

describe('learn takes', () => {
  it('undefined for the option of another method', async () => {
    const others = { norm: undefined, shift: undefined };
    const { settings } = await learn(samples, { method: 'pca', ...others });
    expect(settings.method).toBe('pca');
    expect(settings).not.toHaveProperty('norm');
  });

  it('no more settings than a method has', () => {
    const { settings } = settleOptions({ method: 'householder' });
    expect(Object.keys(settings).sort()).toEqual(['method', 'refine', 'reflectors', 'seed', 'start']);
  });

  it('a free method from outside without refining it', () => {
    const free = defineMethod({
      name: 'free',
      summary: 's',
      space: 'free',
      options: {},
      solver: () => undefined as never,
    });
    expect(settleOptions({ method: free }).settings).toMatchObject({ refine: 'none', whiten: 'none' });
    expect(() => settleOptions({ method: free, refine: 'auto' })).toThrow('refine must be none with method free');
  });

  it('undefined for an option that is not given, and 0 for a tolerance', async () => {
    const options = {
      seed: undefined,
      norm: undefined,
      tolerance: 0,
      objectiveTolerance: 0,
      maxIterations: 7,
      fallback: 'none',
    } as const;
    const result = await learn(samples, options);
    expect(result).toMatchObject({
      iterations: 7,
      status: 'exhausted',
      reason: '7 iterations',
      samples: 30,
      features: 4,
    });
    expect(result.settings).toMatchObject({ seed: 0, norm: 4, tolerance: 0 });
  });
});

describe('learn stops', () => {
  it('maxSeconds leaves no time for refining', async () => {
    const samples = generate({ samples: 3000, features: 12, theta: 0.3, seed: 5 }).samples;
    const late = await learn(samples, { maxSeconds: 1e-9, scout: 'none' });
    expect([late.status, late.reason, late.refined, late.refinement]).toEqual([
      'exhausted',
      '1e-9 seconds',
      false,
      'no time is left for it',
    ]);
    expect(late.iterations).toBe(1);
    expect((await learn(samples, { maxSeconds: 1e9, scout: 'none' })).refined).toBe(true);
  });

  it('after a time, with what it has', async () => {
    const result = await learn(samples, { refine: 'none', maxSeconds: 1e-9 });
    expect(result).toMatchObject({ status: 'exhausted', reason: '1e-9 seconds', iterations: 1 });
    expect(result.dictionary.atoms.rows).toBe(4);
  });

  it('at a signal: with what it has, or with the reason if it has nothing yet', async () => {
    const controller = new AbortController();
    let steps = 0;
    const options = { tolerance: 0, objectiveTolerance: 0, maxIterations: 1000 };
    const result = await learn(samples, options, {
      signal: controller.signal,
      onProgress: () => {
        if (++steps === 4) controller.abort();
      },
    });
    expect(result).toMatchObject({ status: 'aborted', iterations: 4, refined: false });
    expect(result.dictionary.components).toBe(4);
    const reason = new Error('too late');
    await expect(learn(samples, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('reports its progress: both stages, iterations from one, a rising objective', async () => {
    const seen: string[] = [];
    await learn(
      samples,
      { precision: 'f64', shift: 'none', refine: 'none' },
      {
        onProgress: ({ solver, iteration }) => void seen.push(`${solver} ${iteration}`),
      },
    );
    expect(seen[0]).toBe('msp 1');
    expect(seen.length).toBeGreaterThan(2);
  });
});
