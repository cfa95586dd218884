/** Bad input: one line on stderr without a stack, exit code 2, nothing on stdout, no output file, no temporary file. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { callRefused } from '../../helpers/cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const samples = normalMatrix(40, 5, createRandom(1, 'bad input'));

/** A .npy file with any header and any bytes. */
function npy(header: string, body: Uint8Array = new Uint8Array(0)): Buffer {
  const text = header.padEnd(117, ' ');
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]);
  return Buffer.concat([start, Buffer.from(`${text}\n`, 'latin1'), body]);
}

const header = (descr: string, shape: string) => `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;

beforeAll(async () => {
  await writeArray(f('good.npy'), samples);
  await writeArrays(f('model.npz'), { atoms: normalMatrix(5, 5, createRandom(2, 'bad input')) });
  const good = readFileSync(f('good.npy'));
  writeFileSync(f('empty.npy'), '');
  writeFileSync(f('empty.npz'), '');
  writeFileSync(f('empty.csv'), '');
  writeFileSync(f('magic.npy'), Buffer.concat([Buffer.from('NOTNPY'), good.subarray(6)]));
  writeFileSync(f('magic.npz'), Buffer.from('this is no archive at all, only some text'));
  writeFileSync(f('truncated.npy'), good.subarray(0, good.length - 9));
  writeFileSync(f('truncated.npz'), readFileSync(f('model.npz')).subarray(0, 150));
  writeFileSync(f('promises.npy'), npy(header('<f8', '(1000, 5)'), new Uint8Array(80)));
  writeFileSync(f('huge.npy'), npy(header('<f8', '(1000000000000, 5)'), new Uint8Array(80)));
  writeFileSync(f('wide.npy'), npy(header('<f8', '(5, 1000000000000)'), new Uint8Array(80)));
  writeFileSync(f('object.npy'), npy(header('|O', '(4, 5)'), new Uint8Array(80)));
  writeFileSync(f('nan.csv'), `1,2\n3,4\n5,nan\n`);
  for (const [name, value] of [
    ['nan.npy', Number.NaN],
    ['inf.npy', Number.POSITIVE_INFINITY],
  ] as const) {
    const data = samples.data.slice();
    data[17 * 5 + 3] = value;
    await writeArray(f(name), { ...samples, data });
  }
  await writeArray(f('flat.npy'), { shape: [200], data: samples.data });
  await writeArray(f('cube.npy'), { shape: [2, 20, 5], data: samples.data });
  await writeArray(f('zeros.npy'), { rows: 9, cols: 3, data: new Float64Array(27) });
  await writeArray(f('few.npy'), normalMatrix(3, 8, createRandom(3, 'bad input')));
  writeFileSync(f('letters.csv'), '1,2\n3,x\n');
  mkdirSync(f('folder.npz'));
  mkdirSync(f('locked'));
  chmodSync(f('locked'), 0o555);
});

/** One sentence on stderr that matches; nothing else anywhere. */
async function expectRefused(args: string[], pattern: RegExp, output = f('out.npz')): Promise<void> {
  const before = readdirSync(scratch.path).sort();
  expect((await callRefused(...args)).trimEnd()).toMatch(pattern);
  expect(existsSync(output)).toBe(false);
  expect(readdirSync(scratch.path).sort()).toEqual(before);
}

describe('learn refuses data that is', () => {
  it.each<[string, string, RegExp]>([
    ['not there', 'missing.npy', /missing\.npy/],
    ['empty (.npy)', 'empty.npy', /empty\.npy/],
    ['empty (.npz)', 'empty.npz', /empty\.npz/],
    ['empty (.csv)', 'empty.csv', /empty\.csv/],
    ['of a wrong magic (.npy)', 'magic.npy', /magic\.npy/],
    ['of a wrong magic (.npz)', 'magic.npz', /magic\.npz/],
    ['truncated (.npy)', 'truncated.npy', /truncated\.npy/],
    ['truncated (.npz)', 'truncated.npz', /truncated\.npz/],
    ['less than its header promises', 'promises.npy', /promises\.npy/],
    ['said to have 10^12 rows', 'huge.npy', /huge\.npy/],
    ['said to have 10^12 columns', 'wide.npy', /wide\.npy/],
    ['made of Python objects', 'object.npy', /object/],
    ['NaN somewhere', 'nan.npy', /NaN at row 17, column 3/],
    ['NaN somewhere (.csv)', 'nan.csv', /nan\.csv|NaN at row 2, column 1/],
    ['infinite somewhere', 'inf.npy', /Infinity at row 17, column 3/],
    ['one-dimensional', 'flat.npy', /flat\.npy/],
    ['three-dimensional', 'cube.npy', /cube\.npy/],
    ['all zeros', 'zeros.npy', /only zeros/],
    ['fewer samples than features', 'few.npy', /at least as many as features \(8\); got 3/],
    ['letters', 'letters.csv', /line 2.*column 2/],
    ['a directory', 'folder.npz', /folder\.npz/],
    ['of a kind it does not know', 'picture.xyz', /picture\.xyz/],
    ['an array that is not in the file', 'model.npz:other', /other/],
  ])('%s', async (_, file, pattern) => {
    await expectRefused(['learn', f(file), '--out', f('out.npz'), '--json'], pattern);
  });
});

describe('commands refuse', () => {
  const learn = (...more: string[]) => ['learn', f('good.npy'), '--out', f('out.npz'), ...more];
  it.each<[string, () => string[], RegExp]>([
    [
      'an output in a missing folder',
      () => ['learn', f('good.npy'), '--out', f('nowhere/out.npz')],
      /nowhere\/out\.npz/,
    ],
    ['an output that is a folder', () => ['learn', f('good.npy'), '--out', f('folder.npz')], /folder\.npz.*directory/],
    [
      'an output of another kind',
      () => ['learn', f('good.npy'), '--out', f('out.txt')],
      /--out must be a file ending in \.npz/,
    ],
    ['a checkpoint that cannot be written', () => learn('--checkpoint', f('nowhere/c.npz')), /nowhere\/c\.npz/],
    ['--resume without --checkpoint', () => learn('--resume'), /--resume must come with --checkpoint/],
    ['an unknown option', () => learn('--colour', 'red'), /unknown option '--colour'/],
    ['an unknown command', () => ['lern', f('good.npy')], /unknown command 'lern'/],
    ['help for an unknown command', () => ['patches', '--help'], /unknown command 'patches'/],
    ['a mistyped flag and so a missing one', () => ['learn', f('good.npy'), '--otu', f('x.npz')], /'--otu'.*--out\?/],
    ['no command at all but an option', () => ['--nonsense'], /unknown option '--nonsense'/],
    ['a missing argument', () => ['learn'], /DATA|--out/],
    ['too many arguments', () => learn('another'), /too many arguments/],
    ['a bad number', () => learn('--seed', 'seven'), /--seed must be a number; got "seven"/],
    ['an empty number', () => learn('--seed', ''), /--seed must be a number; got ""/],
    [
      'a number out of range',
      () => learn('--norm', '5'),
      /learn: norm must be 3 or an even number from 4 to 64; got 5\./,
    ],
    ['a word that is no choice', () => learn('--whiten', 'pca'), /pca.*none, zca/],
    ['a bad shift', () => learn('--shift', 'much'), /--shift must be auto, none or a number; got "much"/],
    [
      'zero threads for codes',
      () => ['encode', f('model.npz'), f('good.npy'), '--out', f('codes.npy'), '--threads', '0'],
      /^encode: threads must be a whole number from 1 to 1024; got 0/,
    ],
    ['zero threads', () => learn('--threads', '0'), /threads must be a whole number from 1 to 1024; got 0/],
    [
      'more components than the rank',
      () => learn('--components', '6'),
      /components must be at most 5, the rank of the data; got 6/,
    ],
    ['a negative interval', () => learn('--checkpoint', f('c.npz'), '--checkpoint-every', '-1'), /checkpoint-every/],
    ['an --init of another shape', () => learn('--init', f('few.npy')), /start must be/],
    ['an --init that is nothing', () => learn('--init', f('none.npz')), /none\.npz: cannot be read/],
    [
      'generate: a bad probability',
      () => ['generate', '--samples', '9', '--features', '2', '--theta', '2', '--out', f('out.npz')],
      /theta must be in \(0, 1\]; got 2/,
    ],
    [
      'generate: more than memory holds',
      () => ['generate', '--samples', '1e12', '--features', '100', '--theta', '.1', '--out', f('out.npz')],
      /generate/,
    ],
    ['evaluate: a truth of another shape', () => ['evaluate', f('model.npz'), '--truth', f('few.npy')], /5|8/],
    [
      'evaluate: a truth that is not finite',
      () => ['evaluate', f('model.npz'), '--truth', f('nan.npy')],
      /finite|atoms/,
    ],
    [
      'encode: samples of another length',
      () => ['encode', f('model.npz'), f('few.npy'), '--out', f('out.npz')],
      /samples must be of 5 columns/,
    ],
    [
      'encode: samples that are not finite',
      () => ['encode', f('model.npz'), f('nan.npy'), '--out', f('out.npz')],
      /NaN at row 17, column 3/,
    ],
    [
      'encode: keep and threshold',
      () => ['encode', f('model.npz'), f('good.npy'), '--keep', '1', '--threshold', '1', '--out', f('out.npz')],
      /either keep or threshold/,
    ],
    ['encode: no model', () => ['encode', f('good.npy'), f('good.npy'), '--out', f('out.npz')], /good\.npy/],
    [
      'decode: codes of another length',
      () => ['decode', f('model.npz'), f('few.npy'), '--out', f('out.npz')],
      /codes must be of 5 columns/,
    ],
    [
      'decode: codes that are not finite',
      () => ['decode', f('model.npz'), f('nan.npy'), '--out', f('out.npz')],
      /NaN at row 17, column 3/,
    ],
    ['inspect: a truncated model', () => ['inspect', f('truncated.npz')], /truncated\.npz/],
    [
      'inspect: a bad shape',
      () => ['inspect', f('model.npz'), '--atoms', f('atoms.png'), '--shape', '8by8'],
      /--shape must be of the form 8x8/,
    ],
    [
      'inspect: a shape that does not fit',
      () => ['inspect', f('model.npz'), '--atoms', f('atoms.png'), '--shape', '2x2'],
      /2/,
    ],
    [
      'inspect: a picture of another kind',
      () => ['inspect', f('model.npz'), '--atoms', f('atoms.gif')],
      /--atoms must be a file ending in \.png/,
    ],
  ])('%s', async (_, args, pattern) => {
    await expectRefused(args(), pattern);
  });

  it('an output in a folder without permission', async () => {
    const out = process.getuid?.() === 0 ? '/sys/out.npz' : f('locked/out.npz'); // root may write into any folder but the kernel's
    const words = `${out}: cannot be written (no permission).`;
    await expectRefused(['learn', f('good.npy'), '--out', out], new RegExp(words.replaceAll(/[/.()]/g, '\\$&')), out);
  });

  it('keeps an existing output', async () => {
    writeFileSync(f('old.npz'), 'old');
    expect(await callRefused('learn', f('nan.npy'), '--out', f('old.npz'))).toContain('NaN');
    expect(readFileSync(f('old.npz'), 'utf8')).toBe('old');
  });
});
