/** A table with names through the whole program: names travel into the model, and out again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { callCli } from '../../helpers/call-cli.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const NAMES = ['height', 'width', 'depth', 'weight'];

beforeAll(() => {
  const data = normalMatrix(500, 4, createRandom(2, 'tables')).data.map((x) => x ** 3); // sparser than chance
  const rows = Array.from({ length: 500 }, (_, i) =>
    [i, i % 2 ? 'a' : 'b', ...data.subarray(4 * i, 4 * i + 4)].join(','),
  );
  writeFileSync(f('people.csv'), `,label,${NAMES.join(',')}\n${rows.join('\n')}\n`);
});

it('names travel into the model and out again', async () => {
  const flags = ['--drop', '1,label'];
  const learned = await callCli(['learn', f('people.csv'), ...flags, '--out', f('model.npz'), '--json']);
  expect([learned.code, learned.stderr]).toEqual([0, '']);
  expect(JSON.parse(learned.stdout)).toMatchObject({ samples: 500, features: 4 });

  const inspected = await callCli(['inspect', f('model.npz'), '--top', '2']);
  const atoms = inspected.stdout.split('\n').filter((line) => line.startsWith('atom '));
  expect(atoms.length).toBe(4);
  for (const atom of atoms)
    expect(atom).toMatch(/^atom \d +(height|width|depth|weight) [+−]\d\.\d{3} {2}\w+ [+−]\d\.\d{3}$/);
  const json = JSON.parse((await callCli(['inspect', f('model.npz'), '--top', '1', '--json'])).stdout);
  expect(NAMES).toContain(json.weights[0][0].feature);

  const encoded = await callCli(['encode', f('model.npz'), f('people.csv'), ...flags, '--out', f('codes.csv')]);
  expect(encoded.code).toBe(0);
  expect(readFileSync(f('codes.csv'), 'utf8').split('\n')[0]).toBe('atom1,atom2,atom3,atom4');
  expect((await callCli(['decode', f('model.npz'), f('codes.csv'), '--out', f('back.csv')])).code).toBe(0);
  const [header, first] = readFileSync(f('back.csv'), 'utf8').split('\n');
  expect(header).toBe(NAMES.join(','));
  const original = readFileSync(f('people.csv'), 'utf8').split('\n')[1].split(',').slice(2).map(Number);
  for (const [k, text] of first.split(',').entries()) expect(Number(text)).toBeCloseTo(original[k], 12);
});

it('says what it took for granted, and what to do', async () => {
  writeFileSync(
    f('pandas.csv'),
    `0,1,2\n${readFileSync(f('people.csv'), 'utf8')
      .split('\n')
      .slice(1, 401)
      .map((line) => line.split(',').slice(2, 5).join(','))
      .join('\n')}\n`,
  );
  const { code, stderr, stdout } = await callCli(['learn', f('pandas.csv'), '--out', f('p.npz'), '--json']);
  expect([code, JSON.parse(stdout).samples]).toEqual([0, 400]);
  expect(stderr).toMatch(/pandas\.csv: line 1 \(0, 1, 2, …\) counts the columns and is taken for a header/);
  const refused = await callCli(['learn', f('people.csv'), '--out', f('x.npz')]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/column 2 \("label"\) must be a number.*--drop/),
  ]);
  const vain = await callCli(['learn', f('model.npz'), '--columns', 'a', '--out', f('x.npz')]);
  expect([vain.code, vain.stderr]).toEqual([
    2,
    expect.stringMatching(/must be a table \(.csv, .tsv, .parquet\) for --columns; got \.npz/),
  ]);
  const zero = await callCli(['inspect', f('model.npz'), '--top', '0']);
  expect([zero.code, zero.stderr]).toEqual([2, 'inspect: --top must be an integer of at least 1; got 0.\n']);
});
