import { beforeAll, describe, expect, it } from 'vitest';
import { readArrays, writeArrays } from '#src/node/io/arrays.ts';
import { generateSparseComponents } from '#src/synthetic/sparse-components.ts';
import { callCli, callJson, callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const data = scratch.file('data.npz');
const planted = generateSparseComponents({ samples: 200, features: 64, components: 3, nonzeros: 8, seed: 1 });
const supports = planted.support.map((features) => features.join()).sort();

beforeAll(() => writeArrays(data, { samples: planted.samples }));

describe.each([[], ['--stream'], ['--method', 'gpower'], ['--method', 'givens', '--pairs', 'tournament']])(
  'sparse-pca %s',
  (...flags) => {
    it('writes loadings and scores, and reports the components', async () => {
      const out = scratch.file('out.npz');
      const told = await callJson('sparse-pca', data, '--components', '3', '--nonzeros', '8', '--out', out, ...flags);
      expect(told.components.map((c: { support: number[] }) => c.support.join()).sort()).toEqual(supports);
      expect(told.explained).toBeGreaterThan(0.5);
      const arrays = await readArrays(out);
      expect(arrays.get('loadings')!.shape).toEqual([3, 64]);
      expect(arrays.get('scores')!.shape).toEqual([200, 3]);
      const scores = arrays.get('scores')!.data as Float64Array;
      const variance = scores.reduce((sum, t, at) => (at % 3 === 0 ? sum + t * t : sum), 0) / 200;
      expect(told.components[0].variance).toBeCloseTo(variance, 8);
    });
  },
);

it('prints a table and draws the loadings', async () => {
  const [out, picture] = [scratch.file('table.npz'), scratch.file('tiles.png')];
  const { code, stdout } = await callCli([
    'sparse-pca',
    data,
    '--components',
    '3',
    '--gamma',
    '0.8',
    '--out',
    out,
    '--picture',
    picture,
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/component +non-zeros +gamma +adjusted variance +share +together/);
  expect(stdout).toMatch(/^1 +8 +0\.8 /m);
});

it('leaves the mean in with --no-center', async () => {
  const args = ['sparse-pca', data, '--components', '2', '--gamma', '0.8', '--no-center'];
  for (const flags of [[], ['--stream']]) {
    const out = scratch.file('raw.npz');
    await callJson(...args, '--out', out, ...flags);
    expect((await readArrays(out)).get('mean')!.data).toEqual(new Float64Array(64));
  }
});

it('refuses to continue a stream with other options', async () => {
  const args = ['sparse-pca', data, '--components', '3', '--gamma', '0.8', '--stream', '--resume'];
  const flags = [
    '--rotations',
    '9',
    '--checkpoint',
    scratch.file('stream-run.npz'),
    '--out',
    scratch.file('stream.npz'),
  ];
  const once = await callJson(...args, ...flags);
  expect(once.method).toBe('stream');
  expect(await callJson(...args, ...flags)).toEqual({
    ...once,
    seconds: expect.any(Number),
  });
  expect(await callRefused(...args, ...flags.with(1, '8'))).toContain('got another rotations (9 there, 8 here)');
});

describe('bad input is one line and exit code 2', () => {
  it.each([
    [['--components', '3'], 'one of gamma, nonzeros and totalNonzeros must be given, and no other; got none'],
    [['--components', '3', '--gamma', '1', '--nonzeros', '4'], 'got gamma 1 and nonzeros 4'],
    [['--components', '65', '--gamma', '1'], 'components must be at most the number of features, 64; got 65'],
    [
      ['--components', '65', '--gamma', '1', '--stream'],
      'components must be at most the number of features, 64; got 65',
    ],
    [['--components', '3', '--gamma', '1', '--stream', '--pairs', 'random'], '--pairs must come without --stream'],
    [
      ['--components', '3', '--gamma', '1', '--method', 'gpower', '--pairs', 'random'],
      'pairs must be given with method givens only; got pairs with method gpower',
    ],
    [['--components', '3', '--gamma', '1', '--reserve', '4'], '--reserve must come with --stream'],
    [['--components', '3', '--gamma', '1', '--rotations', '4'], '--rotations must come with --stream'],
    [['--components', '3', '--gamma', '1', '--shape', '8', '--picture', 'a.png'], '--shape must be of the form 8x8'],
  ])('%s', async (flags, message) => {
    expect(await callRefused('sparse-pca', data, '--out', scratch.file('bad.npz'), ...flags)).toContain(message);
  });

  it('says where a NaN is, also in a stream', async () => {
    const spoiled = scratch.file('nan.npz');
    const samples = {
      ...planted.samples,
      data: planted.samples.data.map((y, at) => (at === 64 * 5 + 2 ? Number.NaN : y)),
    };
    await writeArrays(spoiled, { samples });
    for (const [flags, who] of [
      [[], 'sparse-pca'],
      [['--stream'], `${spoiled}:samples`], // read in place, where every piece is checked
    ] as const) {
      const args = ['--components', '3', '--gamma', '1', '--out', scratch.file('n.npz'), ...flags];
      expect(await callRefused('sparse-pca', spoiled, ...args)).toBe(
        `${who}: samples must be finite; got NaN at row 5, column 2.\n`,
      );
    }
  });
});
