/** What comes from outside is printed as text: no terminal escape, no second line, whoever chose the names. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { identity } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { callCli, callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';
import { zipOf } from '../../helpers/zip.ts';

const scratch = scratchDirectory();
const f = scratch.file;

/** Sets the title of a terminal, clears its screen in eight-bit controls, begins a line, reverses what follows. */
const EVIL = '\x1b]0;owned\x07\x9b2J\nsecond\u202eline\x7f';
const SHOWN = '\\u001b]0;owned\\u0007\\u009b2J\\nsecond\\u202eline\\u007f';
const ACTS = /[\p{Cc}\p{Bidi_Control}]/u;

const npy = (descr: string) => {
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (1, 1), }`;
  const start = [0x93, ...Buffer.from('NUMPY'), 1, 0, text.length, 0];
  return Buffer.concat([Buffer.from(start), Buffer.from(text, 'latin1'), Buffer.alloc(8)]);
};

beforeAll(async () => {
  await writeArray(f('good.npy'), normalMatrix(40, 5, createRandom(1, 'printable')));
  await writeArrays(f('model.npz'), {
    atoms: identity(5),
    meta: JSON.stringify({ method: EVIL, [EVIL]: 'key', options: { note: EVIL } }),
  });
  await writeArrays(f('names.npz'), { [EVIL]: identity(2), b: identity(2) });
  writeFileSync(f('dtype.npy'), npy('<\x1b[31m\n8'));
  writeFileSync(f('twice.npz'), zipOf([0, 1].map(() => ({ name: `${EVIL}.npy`, content: npy('<f8') }))));
  writeFileSync(f('fields.csv'), '1,2\n3,\x1b[2J\n');
  writeFileSync(f('words.txt'), Array.from({ length: 200 }, (_, i) => `${i % 40} w${i % 9}\x1b[31m 2`).join('\n'));
  mkdirSync(f('folder'));
});

describe('one line on stderr, without controls, for', () => {
  it.each<[string, () => string[], string]>([
    [
      'a file name',
      () => ['learn', f(`${EVIL}.npy`), '--out', f('out.npz')],
      `${SHOWN}.npy: cannot be read (no such file).`,
    ],
    ['an output', () => ['learn', f('good.npy'), '--out', f(`none/${EVIL}.npz`)], `${SHOWN}.npz: cannot be written`],
    [
      'the names of arrays',
      () => ['learn', f('names.npz'), '--out', f('out.npz')],
      `it holds ${SHOWN} (2 × 2), b (2 × 2)`,
    ],
    [
      'an array that is not there',
      () => ['learn', `${f('names.npz')}:${EVIL}x`, '--out', f('out.npz')],
      'has no array "',
    ],
    ['the name of a member', () => ['learn', f('twice.npz'), '--out', f('out.npz')], `it has "${SHOWN}.npy" twice`],
    ['a dtype', () => ['learn', f('dtype.npy'), '--out', f('out.npz')], '(dtype <\\u001b[31m\\n8)'],
    ['a field', () => ['learn', f('fields.csv'), '--out', f('out.npz')], 'got "\\u001b[2J"'],
    ['the value of an option', () => ['learn', f('good.npy'), '--out', f('out.npz'), '--seed', EVIL], `got "${SHOWN}"`],
    ['a choice', () => ['learn', f('good.npy'), '--out', f('out.npz'), '--whiten', EVIL], '\\u001b]0;owned'],
    [
      'an option',
      () => ['learn', f('good.npy'), '--out', f('out.npz'), `--${EVIL}`],
      "unknown option '--\\u001b]0;owned",
    ],
    ['a command', () => [EVIL], "unknown command '\\u001b]0;owned"],
  ])('%s', async (_, args, shown) => {
    const line = (await callRefused(...args())).trimEnd();
    expect(line).toContain(shown);
    expect(line).not.toMatch(ACTS);
  });
});

describe('stdout', () => {
  it('describes a model in printable lines', async () => {
    const { code, stdout } = await callCli(['inspect', f('model.npz')]);
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => ACTS.test(line))).toEqual([]);
    expect(stdout).toMatch(/^method +\\u001b\]0;owned/m);
    expect(stdout).toContain(`${SHOWN}  key`);
  });

  it('is JSON that says the same and acts on nothing', async () => {
    const { stdout } = await callCli(['inspect', f('model.npz'), '--json']);
    expect(stdout.trimEnd()).not.toMatch(ACTS);
    expect(JSON.parse(stdout)).toMatchObject({ atoms: 5, method: EVIL, [EVIL]: 'key', options: { note: EVIL } });
  });

  it('names files and words in printable lines', async () => {
    const topics = await callCli(['topics', f('words.txt'), '--topics', '2', '--out', f(`${EVIL}.npz`)]);
    expect([topics.code, topics.stderr]).toEqual([0, '']);
    const written = await callCli(['encode', f('model.npz'), f('good.npy'), '--out', f(`${EVIL}.npy`)]);
    for (const { stdout } of [topics, written]) {
      expect(stdout).toContain(SHOWN);
      expect(stdout.split('\n').filter((line) => ACTS.test(line))).toEqual([]);
    }
    expect(topics.stdout).toContain('\\u001b[31m');
  });

  it('keeps what a model is apart from what it says about itself', async () => {
    await writeArrays(f('liar.npz'), { atoms: identity(3), meta: '{"atoms": 9, "kind": "complete", "method": "msp"}' });
    const { stdout } = await callCli(['inspect', f('liar.npz'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ atoms: 3, kind: 'orthogonal', method: 'msp' });
  });
});
