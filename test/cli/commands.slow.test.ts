/** The command line as a process: every command, its JSON, its help, and the whole way from data to picture. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { maxDifference } from '#src/core/matrix.ts';
import { learnDefaults } from '#src/learn/options.ts';
import { readArrays, readMatrix } from '#src/node/formats/arrays.ts';
import { DIST, runCli, start } from '../helpers/run.ts';
import { leftoverFiles, scratchDirectory } from '../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;

/** Runs to success; the one JSON line of stdout. */
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
    'backend components features iterations method objective out passes precision reason refined refinement samples seconds status threads'.split(
      ' ',
    ),
  );
});

describe('the way from data to picture', () => {
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

  it('encodes and decodes back, all codes and the largest alone', async () => {
    const all = await json('encode', f('model.npz'), f('data.npz'), '--out', f('codes.npz'));
    expect(all).toMatchObject({ samples: 4000, components: 16, out: f('codes.npz') });
    expect(Object.keys(all).sort()).toEqual(['components', 'density', 'out', 'samples']);
    const back = await json('decode', f('model.npz'), f('codes.npz'), '--out', f('back.npy'));
    expect(back).toEqual({ samples: 4000, features: 16, out: f('back.npy') });
    const samples = await readMatrix(`${f('data.npz')}:samples`);
    expect(maxDifference(await readMatrix(f('back.npy')), samples)).toBeLessThan(1e-12);

    const kept = await json('encode', f('model.npz'), f('data.npz'), '--keep', '3', '--out', f('kept.npy'));
    expect(kept.density).toBeLessThanOrEqual(3 / 16);
    const codes = await readMatrix(f('kept.npy'));
    for (let j = 0; j < 4000; j++) {
      expect(codes.data.subarray(j * 16, j * 16 + 16).filter((x) => x !== 0).length).toBeLessThanOrEqual(3);
    }
    const thresholded = await json('encode', f('model.npz'), f('data.npz'), '--threshold', '1e-6', '--out', f('t.npz'));
    // what is left is the codes that made the data
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

  it('draws the convergence of a run, and refuses another kind of file before it computes', async () => {
    await json('learn', f('data.npz'), '--out', f('drawn.npz'), '--plot', f('run.svg'));
    const svg = readFileSync(f('run.svg'), 'utf8');
    expect(svg.startsWith('<svg')).toBe(true);
    for (const word of ['Objective', 'Movement', 'msp', 'refine']) expect(svg).toContain(word);
    const { code, stderr } = await runCli(['learn', f('data.npz'), '--out', f('no.npz'), '--plot', f('run.txt')]);
    expect(code).toBe(2);
    expect(stderr).toContain('.svg or .png');
    expect(existsSync(f('no.npz'))).toBe(false);
  });

  it('takes options and a start from a model', async () => {
    const zca = await json(
      'learn',
      f('data.npz'),
      '--out',
      f('zca.npz'),
      '--whiten',
      'zca',
      '--center',
      '--threads',
      '1',
      '--backend',
      'js',
    );
    expect(zca).toMatchObject({ backend: 'js', threads: 1 });
    const again = await json(
      'learn',
      f('data.npz'),
      '--out',
      f('again.npz'),
      '--init',
      f('model.npz'),
      '--refine',
      'none',
      '--precision',
      'f64',
      '--tolerance',
      '1e-3',
    );
    expect(again.iterations).toBeLessThanOrEqual(6);
    const pga = await json(
      'learn',
      `${f('data.npz')}:samples`,
      '--out',
      f('pga.npz'),
      '--method',
      'pga',
      '--step',
      '0.1',
      '--max-iterations',
      '4',
      '--norm',
      '6',
      '--components',
      '5',
    );
    expect(pga).toMatchObject({ method: 'pga', components: 5, status: 'exhausted' });
    expect((await json('inspect', f('zca.npz'))).kind).toBe('complete');
    const meta = JSON.parse(String((await readArrays(f('pga.npz'))).get('meta')!.data[0]));
    expect(meta.options).toMatchObject({ method: 'pga', step: 0.1, norm: 6, components: 5, seed: 0 });
  });

  it('says the same in words for a person, and nothing on stderr', async () => {
    for (const args of [
      [...generateArgs, '--out', f('words.npz')],
      ['learn', f('data.npz'), '--out', f('words-model.npz')],
      ['evaluate', f('model.npz'), '--truth', `${f('data.npz')}:atoms`],
      ['encode', f('model.npz'), f('data.npz'), '--out', f('words-codes.npz')],
      ['decode', f('model.npz'), f('words-codes.npz'), '--out', f('words.npy')],
      ['inspect', f('model.npz')],
    ]) {
      const { code, stdout, stderr } = await runCli(args);
      expect([code, stderr], args[0]).toEqual([0, '']);
      expect(stdout.length).toBeGreaterThan(10);
      expect(stdout).not.toMatch(/undefined|NaN|\[object/);
    }
    expect(readFileSync(f('words.npz')).equals(readFileSync(f('data.npz')))).toBe(true);
  });

  it('leaves no temporary files', () => {
    expect(leftoverFiles(scratch.path, /tmp/)).toEqual([]);
  });
});

describe('the same bytes', () => {
  it.each([
    ['orthogonal', []],
    ['complete', ['--whiten', 'zca', '--center']],
  ])('with one thread and two: %s', async (name, options) => {
    await json(...'generate --samples 20000 --features 30 --theta 0.3 --seed 4'.split(' '), '--out', f('big.npz'));
    for (const threads of ['1', '2']) {
      await json('learn', f('big.npz'), ...options, '--threads', threads, '--out', f(`${name}-${threads}.npz`));
    }
    expect(readFileSync(f(`${name}-1.npz`)).equals(readFileSync(f(`${name}-2.npz`)))).toBe(true);
  });
});

describe('help', () => {
  const commands = ['demo', 'generate', 'learn', 'evaluate', 'encode', 'decode', 'inspect'];

  it('of the program names every command and an example', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const command of commands) expect(stdout).toContain(`  ${command} `);
    expect(stdout).toContain('Examples:');
  });

  it.each<[string, string[]]>([
    ['demo', ['--out', '--json']],
    [
      'generate',
      ['--samples', '--features', '--theta', '--noise', '--outliers', '--condition', '--seed', '--out', '--json'],
    ],
    [
      'learn',
      '--out --method --norm --shift --step --refine --whiten --center --components --precision --max-iterations --max-seconds --tolerance --objective-tolerance --seed --backend --threads --init --checkpoint --checkpoint-every --resume --json'.split(
        ' ',
      ),
    ],
    ['evaluate', ['--truth', '--json', 'recoveryError', 'maxAtomError', 'matched']],
    ['encode', ['--out', '--keep', '--threshold', '--threads', '--json']],
    ['decode', ['--out', '--json']],
    ['inspect', ['--atoms', '--shape', '--json']],
  ])('of %s tells every option and an example', async (command, options) => {
    const { code, stdout, stderr } = await runCli([command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const option of options) expect(stdout).toContain(option);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n  orthodict ${command} `));
  });

  it('of learn tells the defaults', async () => {
    const text = (await runCli(['learn', '--help'])).stdout.replaceAll(/\s+/g, ' ');
    for (const name of ['method', 'norm', 'shift', 'refine', 'whiten', 'precision', 'maxIterations', 'seed'] as const) {
      expect(text).toContain(`default: ${JSON.stringify(learnDefaults[name])}`);
    }
  });

  it('tells the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('a pipe that is closed early', () => {
  it.each([['--help'], ['inspect', 'MODEL']])('is no error: %s %s', async (...args) => {
    const words = args.filter(Boolean).map((word) => (word === 'MODEL' ? f('model.npz') : word));
    const command = [process.execPath, `${DIST}cli/main.js`, ...words].map((word) => `'${word}'`).join(' ');
    const script = f('pipe.mjs');
    writeFileSync(
      script,
      `import { spawnSync } from 'node:child_process';
       const run = spawnSync('bash', ['-c', ${JSON.stringify(`${command} | head -0; echo "\${PIPESTATUS[0]}"`)}], { encoding: 'utf8' });
       console.log(JSON.stringify([run.stdout, run.stderr]));`,
    );
    const { stdout } = await start(script, []).finished;
    expect(JSON.parse(stdout)).toEqual(['0\n', '']);
  });
});

describe('demo', () => {
  it('learns, prints figures that beat the paper and PCA, and leaves a model and a picture', async () => {
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
