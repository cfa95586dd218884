// Reads the same numbers with our reader of tables, with csv-parse and with Papa Parse, into a Float64Array: prints MB/s of each, and whether
// they agree. Then it tests files that are easy to misread. `node scripts/compare-csv.mjs [MB]`, after a build.
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import Papa from 'papaparse';
import { readMatrix } from '../dist/bundle/node.js';

const COLS = 50;
const ROUNDS = 3;
const megabytes = Number(process.argv[2] ?? 50);
const folder = mkdtempSync(join(tmpdir(), 'orthodict-csv-'));

/** The readers; each returns all numbers of a file, row after row. */
const READERS = {
  orthodict: async (path) => (await readMatrix(path, { table: { header: 'yes' } })).data,
  'csv-parse': async (path) => {
    const numbers = collector();
    const records = createReadStream(path).pipe(
      parse({ from_line: 1, bom: true, columns: false, skip_empty_lines: true }),
    );
    let isHeader = true;
    for await (const record of records) {
      if (!isHeader) for (const field of record) numbers.push(Number(field));
      isHeader = false;
    }
    return numbers.all();
  },
  papaparse: async (path) => {
    const numbers = collector();
    let isHeader = true;
    const step = ({ data }) => {
      if (!isHeader) for (const field of data) numbers.push(Number(field));
      isHeader = false;
    };
    await new Promise((complete, error) => {
      Papa.parse(createReadStream(path, 'utf8'), { step, complete, error, skipEmptyLines: true });
    });
    return numbers.all();
  },
};

/** A Float64Array that grows. */
function collector() {
  let [held, count] = [new Float64Array(1 << 16), 0];
  return {
    push(number) {
      if (count === held.length) {
        const larger = new Float64Array(2 * count);
        larger.set(held);
        held = larger;
      }
      held[count++] = number;
    },
    all: () => held.subarray(0, count),
  };
}

/** Writes normal numbers with all their digits, or rounded to `digits`. */
function writeNumbers(path, digits) {
  const header = Array.from({ length: COLS }, (_, k) => `c${k}`).join(',');
  const shown = digits === undefined ? String : (x) => x.toFixed(digits);
  const draw = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  const lines = Array.from({ length: 2000 }, () => Array.from({ length: COLS }, () => shown(draw())).join(',')).join(
    '\n',
  );
  writeFileSync(path, `${header}\n${`${lines}\n`.repeat(Math.max(1, Math.round((megabytes * 1e6) / lines.length)))}`);
}

const agree = (a, b) => a.length === b.length && a.every((value, i) => Object.is(value, b[i]));

async function race(what, digits) {
  const path = join(folder, 'numbers.csv');
  writeNumbers(path, digits);
  const size = statSync(path).size / 1e6;
  console.log(`${what}: ${size.toFixed(0)} MB, ${COLS} columns, the best of ${ROUNDS}`);
  let expected;
  for (const [name, read] of Object.entries(READERS)) {
    let [best, numbers] = [Number.POSITIVE_INFINITY];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      numbers = await read(path);
      best = Math.min(best, (performance.now() - start) / 1000);
    }
    expected ??= numbers;
    const same = agree(numbers, expected) ? 'the same numbers' : 'OTHER NUMBERS';
    console.log(`  ${name.padEnd(10)} ${(size / best).toFixed(0).padStart(4)} MB/s  ${same}`);
  }
}

/** Contents of files and their numbers; undefined if the file must be refused because a number is missing or invalid. */
const TRICKY = [
  ['quotes', 'a,b\n"1","2"\n3,"4"\n', [1, 2, 3, 4]],
  ['a separator in a quoted name', '"a,x",b\n1,2\n', [1, 2]],
  ['a quote in a quoted name', '"a""x",b\n1,2\n', [1, 2]],
  ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n', [1, 2, 3, 4]],
  ['a byte order mark', '\ufeffa,b\n1,2\n', [1, 2]],
  ['no last line end', 'a,b\n1,2\n3,4', [1, 2, 3, 4]],
  ['blank lines', 'a,b\n\n1,2\n\n3,4\n\n', [1, 2, 3, 4]],
  ['extremes', 'a,b\n1e308,-1.7976931348623157e308\n5e-324,-0\n', [1e308, -Number.MAX_VALUE, 5e-324, -0]],
  ['17 digits', 'a,b\n0.1000000000000000055,9007199254740993\n', [0.1, 9007199254740992]],
  [
    'halfway cases',
    'a,b\n9007199254740993.00000001,2.2250738585072011e-308\n',
    [9007199254740994, Number('2.2250738585072011e-308')],
  ],
  ['a line end in a quoted name', '"a\nx",b\n1,2\n', [1, 2]],
  ['an empty field', 'a,b\n1,\n3,4\n', undefined],
  ['a word', 'a,b\n1,x\n', undefined],
  ['a short line', 'a,b\n1,2\n3\n', undefined],
  ['hexadecimal', 'a,b\n0x10,2\n', undefined],
  ['beyond the largest', 'a,b\n1e309,2\n', undefined],
];

async function verdict(read, path, expected) {
  const numbers = await read(path).catch(() => undefined);
  if (!numbers) return expected ? 'refused' : 'right';
  if (expected) return agree(numbers, Float64Array.from(expected)) ? 'right' : 'wrong';
  return 'wrong';
}

try {
  await race('All digits');
  await race('Four decimals', 4);
  console.log(
    `\n${'tricky files'.padEnd(30)}${Object.keys(READERS)
      .map((name) => name.padEnd(12))
      .join('')}`,
  );
  for (const [what, text, expected] of TRICKY) {
    const path = join(folder, 'tricky.csv');
    writeFileSync(path, text);
    const found = [];
    for (const read of Object.values(READERS)) found.push((await verdict(read, path, expected)).padEnd(12));
    console.log(`${what.padEnd(30)}${found.join('')}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
