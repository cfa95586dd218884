/** The command line as processes: from data to picture, bad input, closed pipes, and the demonstration. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { maxDifference } from '#src/core/matrix.ts';
import { readArrays, readMatrix, writeArray } from '#src/node/io/arrays.ts';
import { callJson } from '../../helpers/cli.ts';
import { DIST, runCli } from '../../helpers/run.ts';
import { leftoverFiles, scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;

/** Runs it, expects success, and returns the JSON line of stdout. */
async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runCli([...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.endsWith('\n') && stdout.indexOf('\n') === stdout.length - 1).toBe(true);
  return JSON.parse(stdout);
}

const generateArgs = ['generate', '--samples', '4000', '--features', '16', '--theta', '0.3', '--seed', '3'];

beforeAll(async () => {
  const made = await json(...generateArgs, '--out', f('data.npz'));
  expect(made).toEqual({
    kind: 'bernoulli-gaussian',
    samples: 4000,
    features: 16,
    theta: 0.3,
    seed: 3,
    out: f('data.npz'),
  });
  const learned = await json('learn', f('data.npz'), '--out', f('model.npz'));
  expect(learned).toMatchObject({
    method: 'msp',
    status: 'converged',
    precision: 'mixed',
    refined: true,
    features: 16,
    samples: 4000,
    out: f('model.npz'),
  });
  for (const name of ['iterations', 'passes', 'objective', 'seconds', 'backend', 'threads'])
    expect(learned).toHaveProperty(name);
  expect(Object.keys(learned).sort()).toEqual(
    'backend certainty certified components features iterations method objective objectiveUnit out passes path precision reason refined refinement remarks samples seconds status threads'.split(
      ' ',
    ),
  );
});

describe('from data to picture', () => {
  it('generates samples = codes · atoms', async () => {
    const arrays = await readArrays(f('data.npz'));
    expect([...arrays].map(([name, { shape }]) => [name, shape])).toEqual([
      ['samples', [4000, 16]],
      ['atoms', [16, 16]],
      ['codes', [4000, 16]],
    ]);
  });

  it('evaluates the learned model as exact', async () => {
    const figures = await json('evaluate', f('model.npz'), '--truth', `${f('data.npz')}:atoms`);
    expect(Object.keys(figures).sort()).toEqual(['amari', 'atoms', 'matched', 'maxAtomError', 'recoveryError']);
    expect(figures).toMatchObject({ matched: 16, atoms: 16 });
    expect(figures.recoveryError).toBeLessThanOrEqual(1e-12);
    expect(figures.maxAtomError).toBeLessThanOrEqual(1e-6);
  });

  it('encodes and decodes back, with all codes and with only the largest', async () => {
    const all = await json('encode', f('model.npz'), f('data.npz'), '--out', f('codes.npz'));
    expect(all).toMatchObject({ samples: 4000, components: 16, out: f('codes.npz') });
    expect(Object.keys(all).sort()).toEqual(['components', 'density', 'out', 'samples']);
    const back = await json('decode', f('model.npz'), f('codes.npz'), '--out', f('back.npy'));
    expect(back).toEqual({ samples: 4000, features: 16, out: f('back.npy') });
    const samples = await readMatrix(`${f('data.npz')}:samples`);
    expect(maxDifference(await readMatrix(f('back.npy')), samples)).toBeLessThan(1e-12);

    const kept = await callJson('encode', f('model.npz'), f('data.npz'), '--keep', '3', '--out', f('kept.npy'));
    expect(kept.density).toBeLessThanOrEqual(3 / 16);
    const codes = await readMatrix(f('kept.npy'));
    for (let j = 0; j < 4000; j++) {
      expect(codes.data.subarray(j * 16, j * 16 + 16).filter((x) => x !== 0).length).toBeLessThanOrEqual(3);
    }
    const thresholded = await callJson(
      'encode',
      f('model.npz'),
      f('data.npz'),
      '--threshold',
      '1e-6',
      '--out',
      f('t.npz'),
    );
    // what is left are the codes that made the data
    expect(thresholded.density).toBeCloseTo(0.3, 1);
  });

  it('inspects the model and draws its atoms', async () => {
    const facts = await json('inspect', f('model.npz'), '--atoms', f('atoms.png'));
    expect(facts).toMatchObject({
      atoms: 16,
      features: 16,
      kind: 'orthogonal',
      method: 'msp',
      status: 'converged',
      seed: 0,
      picture: f('atoms.png'),
    });
    expect(facts.orthogonalityError).toBeLessThan(1e-12);
    expect(readFileSync(f('atoms.png')).subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  });

  it('leaves no temporary files', () => {
    expect(leftoverFiles(scratch.path, /tmp/)).toEqual([]);
  });
});

describe('a process that refuses its input says so in one line and exits with code 2', () => {
  it.each<[string, string[], RegExp]>([
    ['before it computes', ['learn', f('missing.npy'), '--out', f('no.npz')], /^\S*missing\.npy: .*\n$/],
    [
      'with threads that are waiting',
      ['learn', f('nan.npy'), '--threads', '2', '--out', f('no.npz')],
      /^learn: samples must be finite; got NaN at row 2, column 1\.\n$/,
    ],
    [
      'in its own words',
      ['inspect', f('model.npz'), '--atoms', f('a.png'), '--shape', '8by8'],
      /^inspect: --shape .*\n$/,
    ],
    [
      "in the parser's words",
      ['learn', f('data.npz'), '--out', f('no.npz'), '--colour', 'red'],
      /^orthodict: unknown option '--colour'.*\n$/,
    ],
    ['where it does not know the command', ['lern'], /^orthodict: unknown command 'lern'.*\n$/],
  ])('%s', async (_, args, line) => {
    await writeArray(f('nan.npy'), { rows: 3, cols: 2, data: Float64Array.of(1, 2, 3, 4, 5, Number.NaN) });
    const { code, signal, stdout, stderr } = await runCli(args);
    expect({ code, signal, stdout }).toEqual({ code: 2, signal: null, stdout: '' });
    expect(stderr).toMatch(line);
    expect(existsSync(f('no.npz'))).toBe(false);
  });
});

describe('a pipe that is closed early', () => {
  it.each([['--help'], ['inspect', 'model.npz']])('is not an error: %s %s', (...args) => {
    const command = [process.execPath, `${DIST}cli/main.js`, ...args].map((word) => `'${word}'`).join(' ');
    const script = `${command} | head -0; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: scratch.path, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['0\n', '']);
  });
});

describe('demo', () => {
  it('learns, prints numbers that beat the paper and PCA, and writes a model and a picture', async () => {
    const result = (await json('demo', '--out', f('demo'))) as {
      planted: { method: string; error: number }[];
      photograph: { residuals: Record<'learned' | 'pca' | 'dct', number[]> };
      model: string;
      picture: string;
    };
    const [paper, explored, refined] = result.planted.map(({ error }) => error);
    expect(explored).toBeLessThanOrEqual(1.3 * paper);
    expect(refined).toBeLessThanOrEqual(1e-12);
    const { learned, pca } = result.photograph.residuals;
    expect(learned[0]).toBeLessThan(pca[0]);
    expect(existsSync(result.model) && statSync(result.picture).size > 1000).toBe(true);
  });
});
