/** Missing numbers of many files are filled with the means of all of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readMatrix } from '#src/node/io/arrays.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const HEADER = 'a,b\n';
const ROWS = ['1,10\n', ',20\n', '100,\n', '3,\n'];

it('in shards as in one file, also where a column of a shard is empty', async () => {
  mkdirSync(scratch.file('shards'));
  writeFileSync(scratch.file('whole.csv'), HEADER + ROWS.join(''));
  writeFileSync(scratch.file('shards/1.csv'), HEADER + ROWS.slice(0, 2).join(''));
  writeFileSync(scratch.file('shards/2.csv'), HEADER + ROWS.slice(2).join(''));
  const table = { missing: 'mean' } as const;
  const whole = await readMatrix(scratch.file('whole.csv'), { table });
  expect([...whole.data]).toEqual([1, 10, (1 + 100 + 3) / 3, 20, 100, 15, 3, 15]);
  expect(await readMatrix(scratch.file('shards'), { table })).toEqual(whole);
});

it('refuses a column that is empty in all of them', async () => {
  mkdirSync(scratch.file('empty'));
  for (const name of ['1.csv', '2.csv']) writeFileSync(scratch.file(`empty/${name}`), `${HEADER}1,\n2,\n`);
  await expect(readMatrix(scratch.file('empty'), { table: { missing: 'mean' } })).rejects.toThrow(
    /empty: column 2 must have a number for its mean; got none: drop it\.$/,
  );
});

it('knows its options', async () => {
  const read = (options: object) => readMatrix(scratch.file('whole.csv'), options);
  await expect(read({ table: { dropp: ['a'] } })).rejects.toThrow('table: there is no option "dropp"; known: format,');
  await expect(read({ table: { drop: 'a' } })).rejects.toThrow('table: drop must be a list of names; got "a".');
  await expect(read({ table: { delimiter: 5 } })).rejects.toThrow('table: delimiter must be one character');
  await expect(read({ pictures: { patch: 8 } })).rejects.toThrow(
    'pictures: there is no option "patch"; known: patches,',
  );
  await expect(read({ pictures: { color: 'red' } })).rejects.toThrow('pictures: color must be grey or rgb; got "red".');
});
