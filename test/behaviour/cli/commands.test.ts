/** Options, help and printed words of the commands. As processes: commands.slow.test.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { learnDefaults } from '#src/learn/options.ts';
import { readArrays } from '#src/node/io/arrays.ts';
import { callCli, callJson, callRefused } from '../../helpers/cli.ts';
import { leftoverFiles, scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;

const generateArgs = ['generate', '--samples', '4000', '--features', '16', '--theta', '0.3', '--seed', '3'];

beforeAll(async () => {
  await callJson(...generateArgs, '--out', f('data.npz'));
  await callJson('learn', f('data.npz'), '--out', f('model.npz'));
});

describe('learn', () => {
  it('draws the convergence of a run, and refuses another kind of file before it computes', async () => {
    await callJson('learn', f('data.npz'), '--out', f('drawn.npz'), '--plot', f('run.svg'));
    const svg = readFileSync(f('run.svg'), 'utf8');
    expect(svg.startsWith('<svg')).toBe(true);
    for (const word of ['Objective', 'Movement', 'msp', 'refine']) expect(svg).toContain(word);
    const line = await callRefused('learn', f('data.npz'), '--out', f('no.npz'), '--plot', f('run.txt'));
    expect(line).toContain('.svg or .png');
    expect(existsSync(f('no.npz'))).toBe(false);
  });

  it('takes the order of the planes with method givens only', async () => {
    const learn = ['learn', f('data.npz'), '--out', f('turned.npz'), '--pairs', 'cyclic'];
    expect(await callJson(...learn, '--method', 'givens')).toMatchObject({ method: 'givens', status: 'converged' });
    const meta = JSON.parse(String((await readArrays(f('turned.npz'))).get('meta')!.data));
    expect(meta.options.pairs).toBe('cyclic');
    expect(await callRefused(...learn)).toContain('pairs must be given with method givens only');
  });

  it('takes options and a start from a model', async () => {
    const zca = await callJson(
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
    const again = await callJson(
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
    const flags = ['--refine', 'none', '--precision', 'f64', '--tolerance', '1e-3'];
    const init = `${f('model.npz')}:atoms`;
    const matrix = await callJson('learn', f('data.npz'), '--out', f('matrix.npz'), '--init', init, ...flags);
    expect([matrix.iterations, matrix.objective]).toEqual([again.iterations, again.objective]);
    const pga = await callJson(
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
    expect((await callJson('inspect', f('zca.npz'))).kind).toBe('complete');
    const meta = JSON.parse(String((await readArrays(f('pga.npz'))).get('meta')!.data[0]));
    expect(meta.options).toMatchObject({ method: 'pga', step: 0.1, norm: 6, components: 5, seed: 0 });
  });
});

describe('every command', () => {
  it('says the same in words, and nothing on stderr', async () => {
    for (const args of [
      [...generateArgs, '--out', f('words.npz')],
      ['learn', f('data.npz'), '--out', f('words-model.npz')],
      ['evaluate', f('model.npz'), '--truth', `${f('data.npz')}:atoms`],
      ['encode', f('model.npz'), f('data.npz'), '--out', f('words-codes.npz')],
      ['decode', f('model.npz'), f('words-codes.npz'), '--out', f('words.npy')],
      ['inspect', f('model.npz')],
    ]) {
      const { code, stdout, stderr } = await callCli(args);
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
  beforeAll(async () => {
    await callJson(...'generate --samples 20000 --features 30 --theta 0.3 --seed 4'.split(' '), '--out', f('big.npz'));
  });

  it.each([
    ['orthogonal', []],
    ['centred', ['--center']],
    ['complete', ['--whiten', 'zca', '--center']],
  ])('with one thread and two: %s', async (name, options) => {
    for (const threads of ['1', '2']) {
      await callJson('learn', f('big.npz'), ...options, '--threads', threads, '--out', f(`${name}-${threads}.npz`));
    }
    expect(readFileSync(f(`${name}-1.npz`)).equals(readFileSync(f(`${name}-2.npz`)))).toBe(true);
  });
});

describe('help', () => {
  const commands = ['demo', 'generate', 'learn', 'evaluate', 'encode', 'decode', 'inspect'];

  it('of the program names every command and an example', async () => {
    const { code, stdout, stderr } = await callCli(['--help']);
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
    ['evaluate', ['--data', '--keep', '--truth', '--json', 'recoveryError', 'maxAtomError', 'matched']],
    ['encode', ['--out', '--keep', '--threshold', '--threads', '--json']],
    ['decode', ['--out', '--json']],
    ['inspect', ['--atoms', '--shape', '--json']],
  ])('of %s lists every option and an example', async (command, options) => {
    const { code, stdout, stderr } = await callCli([command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const option of options) expect(stdout).toContain(option);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n  orthodict ${command} `));
  });

  it('of learn shows the defaults', async () => {
    const text = (await callCli(['learn', '--help'])).stdout.replaceAll(/\s+/g, ' ');
    for (const name of ['method', 'refine', 'whiten', 'precision', 'maxIterations', 'seed'] as const) {
      expect(text).toContain(`default: ${JSON.stringify(learnDefaults[name])}`);
    }
    expect(text).toContain('--shift <BETA> auto: the natural shift on white data');
    expect(text).toContain('defaults --max-iterations 100, --tolerance 0.001');
  });

  it('prints the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(await callCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});
