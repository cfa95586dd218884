/** Tables that are in order: the numbers must come out, bit by bit. */
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMatrix } from '#src/node/io/arrays.ts';
import { subject, type Target } from '../target.ts';
import { type CsvText, drawCsv } from './csv-text.ts';

export const tables: Target = {
  name: 'tables',
  about: 'tables in order, written in many ways: the numbers, bit by bit',
  cases: 1000,
  open: async (folder) =>
    subject<CsvText>({
      draw: drawCsv,
      check: async ({ name, bytes, rows }) => {
        const path = join(folder, name);
        writeFileSync(path, bytes);
        const { data } = await readMatrix(path);
        const expected = rows.flat();
        const wrong = expected.findIndex((value, i) => !Object.is(value, data[i]));
        if (wrong >= 0 || data.length !== expected.length) {
          throw new Error(`got ${data[wrong]} for number ${wrong}, ${expected[wrong]}`);
        }
        return 'read';
      },
      keep: async ({ name, bytes }, destination) => {
        await writeFile(join(destination, name), bytes);
        return Buffer.from(bytes).toString();
      },
    }),
};
