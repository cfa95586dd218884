/** `orthodict factor`, and the commands on structured models. */
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { identity, maxDifference } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { readArrays, readMatrix, writeArrays } from '#src/node/io/arrays.ts';
import { loadModel } from '#src/node/io/model-file.ts';
import { callCli, callJson, callRefused } from '../../helpers/cli.ts';
import { leftoverFiles, scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const N = 16;

beforeAll(async () => {
  await callJson('generate', '--samples', '3000', '--features', `${N}`, '--theta', '.3', '--out', f('data.npz'));
  await callJson('learn', f('data.npz'), '--center', '--out', f('model.npz'));
});

describe.each<[string, string[], string[]]>([
  ['householder', ['--householder', `${N}`], ['reflectors', 'mean', 'meta']],
  ['givens', ['--givens', `${(N * (N - 1)) / 2}`], ['rotations', 'order', 'signs', 'mean', 'meta']],
])('all factors: %s', (kind, options, names) => {
  const structured = f(`${kind}.npz`);
  beforeAll(async () => {
    const result = await callJson('factor', f('model.npz'), ...options, '--out', structured);
    expect(Object.keys(result)).toEqual(['kind', 'factors', 'error', 'features', 'curve', 'out']);
    expect(result).toMatchObject({ kind, features: N, out: structured });
    expect(result.error).toBeLessThan(1e-13);
    const curve = result.curve as { factors: number; error: number }[];
    expect(curve.slice(0, 4).map(({ factors }) => factors)).toEqual([1, 2, 4, 8]);
    expect(curve.at(-1)).toEqual({ factors: result.factors, error: result.error });
  });

  it('writes the factors and reproduces the dictionary to rounding', async () => {
    expect([...(await readArrays(structured)).keys()]).toEqual(names);
    const [dense, fast] = [await loadModel(f('model.npz')), await loadModel(structured)];
    expect(maxDifference(fast.dictionary.atoms, dense.dictionary.atoms)).toBeLessThan(1e-13);
    expect(fast.dictionary.mean).toEqual(dense.dictionary.mean);
    expect(fast.meta).toMatchObject({ method: 'msp', factored: { kind } });
  });

  it('encodes the same codes on one thread and two, and decodes back', async () => {
    await callJson('encode', f('model.npz'), f('data.npz'), '--out', f('dense.npy'));
    for (const threads of ['1', '2']) {
      await callJson('encode', structured, f('data.npz'), '--threads', threads, '--out', f(`codes-${threads}.npy`));
    }
    expect(readFileSync(f('codes-1.npy')).equals(readFileSync(f('codes-2.npy')))).toBe(true);
    expect(maxDifference(await readMatrix(f('codes-1.npy')), await readMatrix(f('dense.npy')))).toBeLessThan(1e-12);
    await callJson('decode', structured, f('codes-1.npy'), '--out', f('back.npy'));
    const samples = await readMatrix(`${f('data.npz')}:samples`);
    expect(maxDifference(await readMatrix(f('back.npy')), samples)).toBeLessThan(1e-12);
  });

  it('is evaluated and inspected', async () => {
    const [dense, fast] = [
      await callJson('evaluate', f('model.npz'), '--truth', `${f('data.npz')}:atoms`),
      await callJson('evaluate', structured, '--truth', `${f('data.npz')}:atoms`),
    ];
    expect(fast.matched).toBe(dense.matched);
    const facts = await callJson('inspect', structured, '--atoms', f('atoms.png'));
    expect(facts).toMatchObject({ kind, atoms: N, features: N, denseOperationsPerSample: 2 * N * N });
    expect(facts.operationsPerSample).toBeGreaterThan(0);
    const { stdout } = await callCli(['inspect', structured]);
    expect(stdout).not.toMatch(/undefined|NaN|\[object/);
  });
});

describe('fewer factors', () => {
  it('have the error they report, and a picture of it', async () => {
    const { factors, error } = await callJson(
      'factor',
      f('model.npz'),
      '--householder',
      '4',
      '--out',
      f('four.npz'),
      '--atoms',
      '--plot',
      f('errors.svg'),
    );
    expect(factors).toBeLessThanOrEqual(4);
    expect(error).toBeGreaterThan(0.01);
    expect([...(await readArrays(f('four.npz'))).keys()]).toEqual(['reflectors', 'atoms', 'mean', 'meta']);
    expect(readFileSync(f('errors.svg'), 'utf8')).toContain('number of factors');
  });

  it('print a table', async () => {
    const { code, stdout, stderr } = await callCli(['factor', f('model.npz'), '--givens', '20', '--out', f('g.npz')]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/factors +error\n─+ +─+\n1 /);
    expect(stdout).toContain('20 rotations');
  });

  it('can be none, and can be factored again', async () => {
    await callJson('factor', f('model.npz'), '--householder', '0', '--out', f('none.npz'));
    expect(maxDifference((await loadModel(f('none.npz'))).dictionary.atoms, identity(N))).toBe(0);
    const again = await callJson('factor', f('g.npz'), '--householder', `${N}`, '--out', f('again.npz'));
    expect(again.error).toBeLessThan(1e-13);
  });
});

describe('factor refuses', () => {
  beforeAll(async () => {
    await callJson('learn', f('data.npz'), '--whiten', 'zca', '--out', f('complete.npz'));
    await callJson('learn', f('data.npz'), '--components', '5', '--refine', 'none', '--out', f('five.npz'));
    await writeArrays(f('skew.npz'), { atoms: normalMatrix(4, 4, createRandom(1, 'skew')) });
    await writeArrays(f('long.npz'), { reflectors: { rows: 1, cols: 2, data: Float64Array.of(3, 4) } });
    await writeArrays(f('wild.npz'), {
      rotations: { rows: 1, cols: 4, data: Float64Array.of(0, 9, 1, 0) },
      order: { shape: [2], data: Int32Array.of(0, 1) },
      signs: { shape: [2], data: Float64Array.of(1, 1) },
    });
  });

  it.each<[string, string, string[], RegExp]>([
    ['no kind', 'model.npz', [], /either --householder or --givens; got neither/],
    ['both kinds', 'model.npz', ['--householder', '1', '--givens', '1'], /got both/],
    [
      'too many reflectors',
      'model.npz',
      ['--householder', '17'],
      /reflectors must be a whole number from 0 to 16; got 17/,
    ],
    ['too many rotations', 'model.npz', ['--givens', '121'], /rotations must be a whole number from 0 to 120; got 121/],
    ['a negative number', 'model.npz', ['--givens', '-1'], /from 0 to 120; got -1/],
    ['a word', 'model.npz', ['--householder', 'ten'], /--householder must be a number; got "ten"/],
    [
      'a complete model',
      'complete.npz',
      ['--householder', '3'],
      /orthogonal model; got a complete one\. Learn it with --whiten none/,
    ],
    [
      'fewer atoms than features',
      'five.npz',
      ['--householder', '3'],
      /as many atoms as features; got 5 atoms of 16 features/,
    ],
    [
      'atoms that are not orthogonal',
      'skew.npz',
      ['--givens', '3'],
      /skew\.npz must be an orthogonal model; got a complete one/,
    ],
    [
      'reflectors that are not unit',
      'long.npz',
      ['--givens', '1'],
      /reflectors must be rows of length 1; got 5 in row 0/,
    ],
    ['rotations out of range', 'wild.npz', ['--givens', '1'], /two different features from 0 to 1; got 0, 9 in row 0/],
    ['a model that is not there', 'missing.npz', ['--givens', '1'], /missing\.npz/],
    ['a picture of another kind', 'model.npz', ['--givens', '1', '--plot', 'a.gif'], /\.svg or \.png/],
  ])('%s', async (_, model, options, pattern) => {
    expect(await callRefused('factor', f(model), ...options, '--out', f('out.npz'))).toMatch(pattern);
    expect(existsSync(f('out.npz'))).toBe(false);
  });

  it('leaves no temporary files', () => {
    expect(leftoverFiles(scratch.path, /tmp/)).toEqual([]);
  });
});

describe('learn --method procrustes', () => {
  it.each([[['--keep', '5']], [['--threshold', '0.5']], [[]]])('learns exactly with %j', async (options) => {
    const learned = await callJson('learn', f('data.npz'), '--method', 'procrustes', ...options, '--out', f('p.npz'));
    expect(learned).toMatchObject({ method: 'procrustes', status: 'converged', refined: true });
    const { recoveryError } = await callJson('evaluate', f('p.npz'), '--truth', `${f('data.npz')}:atoms`);
    expect(recoveryError).toBeLessThan(1e-12);
  });

  it('says what it did in words', async () => {
    const { stdout } = await callCli([
      'learn',
      f('data.npz'),
      '--method',
      'procrustes',
      '--keep',
      '4',
      '--out',
      f('w.npz'),
    ]);
    expect(stdout).toContain('procrustes, 4 codes a sample');
  });

  it.each<[string[], RegExp]>([
    [['--method', 'procrustes', '--keep', '3', '--threshold', '1'], /either keep or threshold; got both/],
    [['--method', 'procrustes', '--keep', '0'], /keep must be a whole number from 1; got 0/],
    [['--method', 'procrustes', '--threshold', '1e9'], /threshold must be small enough to keep a code; got 1000000000/],
    [['--keep', '3'], /keep must be given with method gtransform or procrustes or ksvd only; got keep with msp/],
  ])('refuses %j', async (options, pattern) => {
    expect(await callRefused('learn', f('data.npz'), ...options, '--out', f('no.npz'))).toMatch(pattern);
    expect(existsSync(f('no.npz'))).toBe(false);
  });
});
