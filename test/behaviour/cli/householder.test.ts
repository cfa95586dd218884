/** Products of reflectors on the command line, from generated samples to an evaluated model. */
import { beforeAll, describe, expect, it } from 'vitest';
import { dot, row } from '#src/core/matrix.ts';
import type { NpyArray } from '#src/io/codecs/npy/npy.ts';
import type { ReflectorTransform } from '#src/kernels/kernels.ts';
import { readArrays, writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { loadModel } from '#src/node/io/model-file.ts';
import { callCli, callJson, callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = (name: string) => scratch.file(name);

const GENERATE = ['generate', '--kind', 'householder', '--features', '200', '--theta', '0.3', '--seed', '2'];

describe('a product of three reflectors from 20 samples', () => {
  it('is learned exactly, and roughly from its moments alone', async () => {
    const made = await callJson(...GENERATE, '--samples', '20', '--reflectors', '3', '--out', f('few.npz'));
    expect(made).toMatchObject({ kind: 'householder', samples: 20, features: 200 });
    const arrays = await readArrays(f('few.npz'));
    expect(Object.fromEntries([...arrays].map(([name, { shape }]) => [name, shape]))).toEqual({
      samples: [20, 200],
      reflectors: [3, 200],
      codes: [20, 200],
    });

    const learn = ['learn', f('few.npz'), '--method', 'householder', '--reflectors', '3'];
    const learned = await callJson(...learn, '--out', f('model.npz'));
    expect(learned).toMatchObject({ method: 'householder', refined: true, exact: true, reflectors: 3, identified: 3 });
    const exact = await callJson('evaluate', f('model.npz'), '--truth', `${f('few.npz')}:reflectors`);
    expect(exact.frobenius).toBeLessThan(1e-10);

    const rough = await callJson(...learn, '--refine', 'none', '--out', f('moments.npz'));
    expect(rough).toMatchObject({ refined: false, identified: 1, passes: 1 });
    expect(rough.thetaMu / 0.45).toBeCloseTo(1, 1);
    const { frobenius } = await callJson('evaluate', f('moments.npz'), '--truth', `${f('few.npz')}:reflectors`);
    expect(frobenius).toBeGreaterThan(0.1);

    const { dictionary, meta } = await loadModel(f('model.npz'));
    expect(dictionary.transform.kind).toBe('reflectors');
    expect(meta).toMatchObject({ method: 'householder', options: { reflectors: 3 } });
    const told = await callCli([...learn, '--theta', '0.3', '--mean', '1.5', '--out', f('told.npz')]);
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(told.stdout).toMatch(/product of 3 reflectors/);
  });
});

describe('--start', () => {
  const learn = (...args: string[]) =>
    callJson('learn', f('start.npz'), '--method', 'householder', '--reflectors', '2', '--refine', 'none', ...args);

  it('takes the reflectors of a file, or random ones: the first is fitted, the other stays', async () => {
    await callJson(...GENERATE, '--samples', '40', '--reflectors', '2', '--out', f('start.npz'));
    const { shape, data } = (await readArrays(f('start.npz'))).get('reflectors') as NpyArray;
    const truth = { rows: shape[0], cols: shape[1], data: Float64Array.from(data as Float64Array) };
    await writeArray(f('start.npy'), truth);
    const files = [f('start.npz'), `${f('start.npz')}:reflectors`, f('start.npy')];
    for (const [k, start] of [...files, 'random', 'identity'].entries()) {
      await learn('--start', start, '--seed', '5', '--out', f(`started${k}.npz`));
      const { dictionary, meta } = await loadModel(f(`started${k}.npz`));
      const { reflectors } = dictionary.transform as ReflectorTransform;
      const kept = dot(row(reflectors, reflectors.rows - 1), row(truth, 1)) > 1 - 1e-12;
      const expected = k < files.length ? [2, true, 'given'] : [start === 'random' ? 2 : 1, false, start];
      expect([reflectors.rows, kept, (meta.options as { start: string }).start], start).toEqual(expected);
    }
  });
});

beforeAll(async () => {
  const data = Float64Array.from({ length: 400 }, (_, i) => Math.sin(i * i));
  await writeArrays(f('data.npz'), { samples: { rows: 50, cols: 8, data } });
});

const LEARN = ['learn', f('data.npz'), '--method', 'householder', '--out', f('never.npz')];

it.each([
  [
    "another method's option",
    [...LEARN, '--whiten', 'zca'],
    /whiten must be given with another method; got whiten with householder/,
  ],
  [
    'its option for another method',
    ['learn', f('data.npz'), '--theta', '.3', '--out', f('never.npz')],
    /theta must be given with method householder only/,
  ],
  [
    'more reflectors than features',
    [...LEARN, '--reflectors', '9'],
    /reflectors must be a whole number from 1 to .* 8; got 9/,
  ],
  ['theta outside (0, 1)', [...LEARN, '--theta', '1.5', '--mean', '1'], /theta must be in \(0, 1\)/],
  ['theta alone', [...LEARN, '--theta', '.5'], /theta and mean must be given together/],
  ['dense codes of zero mean', LEARN, /use method msp/],
  [
    'a start of another shape',
    [...LEARN, '--start', f('data.npz:samples')],
    /learn: start must be a 1×8 matrix; got 50×8/,
  ],
  ['a start that is not there', [...LEARN, '--start', f('none.npy')], /none\.npy: cannot be read \(no such file\)/],
  ['an archive without reflectors', [...LEARN, '--start', f('data.npz')], /no array "reflectors"/],
  [
    'a start for another method',
    ['learn', f('data.npz'), '--start', 'random', '--out', f('never.npz')],
    /start must be given with method householder only; got start with msp/,
  ],
  [
    'atoms instead of reflectors',
    [...LEARN, '--init', f('data.npz:samples')],
    /--init must come with a method that starts from atoms; got householder, which takes --start/,
  ],
  [
    'an option of the other kind',
    ['generate', '--samples', '9', '--features', '4', '--theta', '.5', '--entries', 'normal', '--out', f('never.npz')],
    /--entries must be given with --kind householder only/,
  ],
])('%s is an error that says so', async (_, args, words) => {
  expect(await callRefused(...args)).toMatch(words);
});

it('one sample is too few', async () => {
  await callJson(...GENERATE, '--samples', '1', '--reflectors', '1', '--out', f('one.npz'));
  expect(await callRefused('learn', f('one.npz'), '--method', 'householder', '--out', f('never.npz'))).toBe(
    'learn: samples must be at least 2, to distinguish their mean from chance; got 1.\n',
  );
});
