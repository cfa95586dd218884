/** `evaluate --data`, `learn --holdout` and `learn --starts` on the command line. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { evaluate } from '#src/metrics/evaluate.ts';
import { readMatrix } from '#src/node/io/arrays.ts';
import { loadModel } from '#src/node/io/model-file.ts';
import { callCli, callJson, callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const f = scratchDirectory().file;
const digits = fileURLToPath(new URL('../../../data/digits.npz', import.meta.url));

beforeAll(async () => {
  const planted = ['generate', '--samples', '2000', '--features', '9', '--theta', '0.3', '--seed', '3'];
  await callJson(...planted, '--out', f('data.npz'));
  await callJson('learn', f('data.npz'), '--out', f('model.npz'));
});

describe('evaluate --data', () => {
  it('reports what the library finds, and draws it', async () => {
    const flags = ['--data', f('data.npz'), '--keep', '1,3', '--dct-shape', '3x3', '--plot', f('missing.svg')];
    const found = await callJson('evaluate', f('model.npz'), ...flags);
    const { dictionary } = await loadModel(f('model.npz'));
    const expected = await evaluate(dictionary, await readMatrix(f('data.npz')), { keep: [1, 3], dctShape: '3x3' });
    const close = ({ missing }: { missing: readonly number[] }) => missing.map((value) => expect.closeTo(value, 10));
    expect(found.model).toMatchObject({ missing: close(expected.model) });
    expect(found.pca).toMatchObject({ missing: close(expected.pca!) });
    expect(found.dct).toMatchObject({ missing: close(expected.dct!) });
    expect(found).toMatchObject({ samples: 2000, keep: [1, 3], pcaOf: 'these samples', dctShape: '3x3' });
    const svg = readFileSync(f('missing.svg'), 'utf8');
    for (const word of ['this model', 'PCA of these samples', 'DCT 3x3', 'codes kept']) expect(svg).toContain(word);
  });

  it('says it in words, together with the truth', async () => {
    const truth = ['--truth', `${f('data.npz')}:atoms`];
    const both = await callCli(['evaluate', f('model.npz'), '--data', f('data.npz'), ...truth, '--dct-shape', '1x9']);
    expect(both.code).toBe(0);
    for (const word of ['matched', '9 of 9 atoms', 'k = 5', 'best case', 'DCT in one', 'kurtosis', 'unused atoms']) {
      expect(both.stdout).toContain(word);
    }
    const figures = await callJson('evaluate', f('model.npz'), '--data', f('data.npz'), ...truth, '--no-compare');
    expect(figures).toMatchObject({ matched: 9, atoms: 9, components: 9 });
    expect(figures.pca).toBeUndefined();
  });

  it.each([
    [[], '--data or --truth must be given'],
    [['--truth', 'data.npz:atoms', '--keep', '2'], '--keep must come with --data'],
    [['--data', 'data.npz', '--keep', '10'], 'keep must be at most 9'],
    [['--data', 'data.npz', '--keep', '1;2'], '--keep must be comma-separated numbers'],
    [['--data', digits], 'samples must be of 9 columns, one per feature of the dictionary; got 1797×64'],
    [['--data', 'data.npz', '--plot', 'missing.pdf'], '.svg or .png'],
  ])('refuses %j', async (flags, words) => {
    const here = flags.map((flag) => (/^(data|missing)\./.test(flag) ? f(flag) : flag));
    expect(await callRefused('evaluate', f('model.npz'), ...here)).toContain(words);
  });
});

describe('learn', () => {
  it('reports on samples held out and on several starts, and the model says the same', async () => {
    const flags = ['--holdout', '0.1', '--starts', '2', '--components', '6', '--max-iterations', '30'];
    const told = await callJson('learn', digits, '--out', f('digits.npz'), ...flags);
    expect(told).toMatchObject({ samples: 1618, holdout: { samples: 179, pcaOf: 'learned samples' } });
    expect(told.starts).toHaveLength(2);
    expect(told.agreement).toMatchObject({ atoms: 6 });
    const { meta } = await loadModel(f('digits.npz'));
    const { starts, agreement, holdout } = told;
    expect(meta).toMatchObject({ starts, agreement, holdout });
    const { stdout } = await callCli(['learn', digits, '--out', f('digits.npz'), ...flags]);
    for (const words of ['found by every start', 'seed 1', 'held out: 179 samples', 'PCA of learned']) {
      expect(stdout).toContain(words);
    }
  });

  it('says what converged means where there was one start', async () => {
    const { stdout } = await callCli(['learn', f('data.npz'), '--out', f('model.npz')]);
    expect(stdout).toMatch(/certainty +certified: (\d+) of \1 atoms/);
    expect(stdout).not.toContain('another start');
    const rough = await callCli(['learn', f('data.npz'), '--out', f('rough.npz'), '--refine', 'none']);
    expect(rough.stdout).toContain('another start may give another result (compare with --starts 4)');
    expect(rough.stdout).toMatch(/certainty +not certified/);
    const pca = await callCli(['learn', f('data.npz'), '--out', f('pca.npz'), '--method', 'pca']);
    expect(pca.stdout).not.toContain('another start');
  });

  it('refuses several starts with a given one, before it writes', async () => {
    const line = await callRefused(
      'learn',
      f('data.npz'),
      '--out',
      f('no.npz'),
      '--init',
      f('model.npz'),
      '--starts',
      '2',
    );
    expect(line).toContain('--starts must come without --init');
    expect(existsSync(f('no.npz'))).toBe(false);
  });
});
