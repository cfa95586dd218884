/** Parquet: files of two other writers, types, columns, missing numbers, damage, and what is written here. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '#src/core/random.ts';
import { unpackDeltas } from '#src/io/codecs/parquet/deltas.ts';
import { unpackRuns } from '#src/io/codecs/parquet/runs.ts';
import { parquetChunks } from '#src/io/codecs/parquet/write.ts';
import type { TableOptions } from '#src/io/tables/options.ts';
import { readMatrix } from '#src/node/io/arrays.ts';
import { writeAtomically } from '#src/node/io/atomic-write.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { readAll, scratchFiles } from '../../../helpers/files.ts';
import { FileServer } from '../../../helpers/http-server.ts';
import { type ColumnSource, parquetBytes, readByHyparquet } from '../../../helpers/parquet.ts';

const { put, inDirectory, refusal } = scratchFiles();
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}.parquet`, import.meta.url));

/** The rows, the names of the columns, and what was said; read into memory and piece by piece, which must agree. */
async function read(path: string, table: TableOptions = {}) {
  const remarks: string[] = [];
  const given = { ...table, onRemark: (remark: string) => void remarks.push(remark.replace(/^.*[\\/]/, '')) };
  const source = await openSource(path, { table: given });
  const { names, precision } = source;
  const { rows, cols, data } = await readAll(source);
  const streamed = await readAll(await openSource(path, { table: given, memoryLimit: 0 }));
  expect(streamed.data).toEqual(data);
  const numbers = Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));
  return { numbers, names, precision, remark: remarks[0] };
}
const readColumns = (columns: ColumnSource[], table?: TableOptions, options?: object) =>
  read(put('data.parquet', parquetBytes(columns, options)), table);
const refused = (bytes: Uint8Array, table: TableOptions = {}) =>
  refusal(openSource(put('data.parquet', bytes), { table }));

const column = (
  name: string,
  data: ColumnSource['data'],
  type: NonNullable<ColumnSource['type']>,
  rest = {},
): ColumnSource => ({
  name,
  data,
  type,
  ...rest,
});
/** Integers, and how they may be encoded; undefined: as the writer likes, which is often by a dictionary. */
const INTEGERS = [8n, 16n, 32n, 64n].flatMap((bits) =>
  [true, false].map((isSigned) => ({
    bits,
    isSigned,
    encodings: ['PLAIN', 'DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT', undefined] as const,
  })),
);
const SMALL = [column('a', [1, 2, 3], 'DOUBLE'), column('b', [4, 5, 6], 'DOUBLE')];

describe('files of version 1', () => {
  /** What fixtures/make-parquet.py says of row i. */
  const expected = (i: number, half: number) => [
    i % 5 === 2 ? half : i / 2,
    [3, -1, 7][i % 3],
    i / 4 - 3,
    2 ** 63 + 4096 * i,
    i % 2 === 0 ? 1 : 0,
    (37 * i - 100) / 100,
  ];

  it.each(['plain', 'snappy', 'gzip', 'zstd'])('are read: %s', async (name) => {
    const { numbers, names, remark } = await read(fixture(name), { drop: ['label'], missing: 'mean' });
    const given = numbers.filter((_, i) => i % 5 !== 2).map(([half]) => half);
    const mean = given.reduce((sum, half) => sum + half, 0) / given.length;
    expect(numbers[2][0]).toBeCloseTo(mean, 12);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => expected(i, numbers[2][0])));
    expect(names).toEqual(['half', 'turn', 'small', 'large', 'even', 'price']);
    expect(remark).toBe(
      `${name}.parquet: column 8 ("__index_level_0__") is the index that pandas wrote and is left out; --columns takes it.`,
    );
  });

  it('are read from an address', async () => {
    const server = await FileServer.start(fileURLToPath(new URL('fixtures', import.meta.url)));
    const table = { columns: ['turn', 'price'] };
    const [there, here] = [await read(server.url('gzip.parquet'), table), await read(fixture('gzip'), table)];
    await server.stop();
    expect(there).toEqual(here);
  });

  it('give up rows with missing numbers, and columns in any order', async () => {
    const { numbers, remark } = await read(fixture('zstd'), { columns: ['price', '8', 'half'], missing: 'drop' });
    const whole = Array.from({ length: 20 }, (_, i) => i).filter((i) => i % 5 !== 2);
    expect(numbers).toEqual(whole.map((i) => [(37 * i - 100) / 100, i, i / 2]));
    expect(remark).toBeUndefined();
  });
});

describe('types', () => {
  it('of every width, in every encoding', async () => {
    const count = 600;
    const random = createRandom(4, 'parquet');
    const of = (draw: (i: number) => unknown) =>
      Array.from({ length: count }, (_, i) => draw(i)) as ColumnSource['data'];
    const columns = [
      column(
        'double',
        of(() => random.normal()),
        'DOUBLE',
        { encoding: 'BYTE_STREAM_SPLIT' },
      ),
      column(
        'float',
        of(() => Math.fround(random.normal())),
        'FLOAT',
      ),
      column(
        'half',
        of((i) => (i % 400) / 4),
        'FLOAT16',
      ),
      column(
        'int',
        of((i) => -i),
        'INT32',
        { encoding: 'DELTA_BINARY_PACKED' },
      ),
      column(
        'long',
        of((i) => BigInt(i) ** 5n),
        'INT64',
        { encoding: 'DELTA_BINARY_PACKED' },
      ),
      column(
        'few',
        of((i) => BigInt(i % 9) - 2n ** 60n),
        'INT64',
      ),
      column(
        'bool',
        of((i) => i % 7 < 3),
        'BOOLEAN',
      ),
      column(
        'gaps',
        of((i) => (i % 11 === 0 ? null : i % 100)),
        'INT32',
        { nullable: true },
      ),
      column(
        'none',
        of(() => null),
        'DOUBLE',
        { nullable: true },
      ),
    ];
    const options = { rowGroupSize: 250, pageSize: 500 };
    const { numbers } = await readColumns(columns, { drop: ['none'], missing: 'drop' }, options);
    const rows = Array.from({ length: count }, (_, i) => columns.slice(0, 8).map(({ data }) => data[i]));
    expect(numbers).toEqual(rows.filter((row) => row[7] !== null).map((row) => row.map(Number)));
  });

  it('of integers at their limits, as DuckDB packs their differences', async () => {
    const { numbers, names } = await read(fixture('integers'));
    expect(names).toEqual(['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64']);
    for (const [i, row] of numbers.entries()) {
      const expected = names!.map((name) => {
        const [isSigned, bits] = [name.startsWith('i'), Number(name.slice(1))];
        const value = (isSigned ? -(2n ** BigInt(bits - 1)) : -1n) + 5n * BigInt(i) ** 3n;
        return Number(isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value));
      });
      expect(row, `row ${i}`).toEqual(expected);
    }
    expect(numbers).toHaveLength(300);
  });

  it('of integers of any width, size and encoding, with gaps', async () => {
    const integers = fc.constantFrom(...INTEGERS).chain(({ bits, isSigned, encodings }) => {
      const [min, max] = isSigned ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] : [0n, 2n ** bits - 1n];
      const value = fc.oneof(fc.bigInt(min, max), fc.constantFrom(min, max), fc.bigInt(max - 3n, max));
      return fc.record({
        bits: fc.constant(bits),
        isSigned: fc.constant(isSigned),
        encoding: fc.constantFrom(...encodings),
        values: fc
          .tuple(fc.array(value, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 300 }), fc.boolean())
          .map(([pattern, count, repeats]) =>
            // runs of equal values, which need no bits, and equal steps
            Array.from({ length: count }, (_, i) => pattern[(repeats ? Math.floor(i / 50) : i) % pattern.length]),
          ),
        gap: fc.constantFrom(0, 2, 7),
      });
    });
    await fc.assert(
      fc.asyncProperty(
        integers,
        fc.constantFrom(64, 700, 1e6),
        async ({ bits, isSigned, encoding, values, gap }, pageSize) => {
          const type = bits === 64n ? 'INT64' : 'INT32';
          const logical = { type: 'INTEGER', bitWidth: Number(bits), isSigned } as const;
          const repetition = gap ? 'OPTIONAL' : 'REQUIRED';
          const stored = values.map((value) => (bits === 64n ? value : Number(value)));
          const isGap = (i: number) => gap > 0 && i % gap === gap - 1;
          const data = stored.map((value, i) => (isGap(i) ? null : value)) as ColumnSource['data'];
          const schema = [
            { name: 'root', num_children: 1 },
            { name: 'a', type, repetition_type: repetition, logical_type: logical },
          ];
          const bytes = parquetBytes([{ name: 'a', data, ...(encoding && { encoding }) }], { schema, pageSize });
          const whole = values.filter((_, i) => !isGap(i)).map((value) => [Number(value)]);
          const { numbers } = await read(put('integers.parquet', bytes), { missing: 'drop' });
          expect(numbers).toEqual(whole);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('that are single or half floats stay float32', async () => {
    const floats = [column('f', [1.5, 2.5], 'FLOAT'), column('h', [0.25, 8], 'FLOAT16')];
    expect(await readColumns(floats)).toMatchObject({
      precision: 'f32',
      numbers: [
        [1.5, 0.25],
        [2.5, 8],
      ],
    });
    expect((await readColumns([...floats, column('i', [1, 2], 'INT32')])).precision).toBe('f64');
  });

  it('that are no numbers are named, with what to do', async () => {
    const times = [new Date(0), new Date(1), new Date(2)];
    const bytes = parquetBytes([
      ...SMALL,
      column('label', ['x', 'y', 'z'], 'STRING'),
      column('at', times, 'TIMESTAMP'),
    ]);
    expect(await refused(bytes)).toBe(
      'data.parquet: column 3 ("label") must hold numbers; got text (--drop leaves a column out).',
    );
    expect(await refused(bytes, { drop: ['label'] })).toContain(
      'column 4 ("at") must hold numbers; got dates or times',
    );
    expect((await read(put('data.parquet', bytes), { drop: ['3-4'] })).numbers).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
    const nested = [
      { name: 'root', num_children: 2 },
      { name: 's', num_children: 1, repetition_type: 'OPTIONAL' },
      { name: 'x', type: 'INT32', repetition_type: 'OPTIONAL' },
      { name: 'a', type: 'DOUBLE', repetition_type: 'REQUIRED' },
    ];
    const records = [{ x: 1 }, { x: 2 }, { x: 3 }];
    const both = parquetBytes(
      [
        { name: 's', data: records },
        { name: 'a', data: [1, 2, 3] },
      ],
      { schema: nested },
    );
    expect(await refused(both)).toContain('column 1 ("s") must hold numbers; got nested values');
    expect((await read(put('data.parquet', both), { columns: ['a'] })).numbers).toEqual([[1], [2], [3]]);
  });
});

describe('options', () => {
  it('that are for text are refused', async () => {
    for (const table of [{ header: 'no' }, { delimiter: ';' }, { decimal: ',' }] as TableOptions[]) {
      const [name] = Object.keys(table);
      expect(await refused(parquetBytes(SMALL), table)).toBe(
        `data.parquet: must be a table of text (.csv, .tsv) for --${name}; got .parquet.`,
      );
    }
    expect(await refused(parquetBytes(SMALL), { columns: ['c'] })).toBe(
      'data.parquet: has no column "c"; it has "a", "b".',
    );
  });

  it('say what becomes of null, NaN and infinite numbers', async () => {
    const data = [1, null, Number.NaN, Number.POSITIVE_INFINITY, 5];
    const bytes = parquetBytes([
      column('a', data, 'DOUBLE', { nullable: true }),
      column('b', [1, 2, 3, 4, 5], 'DOUBLE'),
    ]);
    const hint = '(--missing drop leaves such rows out, --missing mean fills them)';
    expect(await refused(bytes)).toBe(`data.parquet: row 2, column 1 ("a") must be a number; got null or NaN ${hint}.`);
    const path = put('data.parquet', bytes);
    expect((await read(path, { missing: 'drop' })).numbers).toEqual([
      [1, 1],
      [5, 5],
    ]);
    expect((await read(path, { missing: 'mean' })).numbers.map(([a]) => a)).toEqual([1, 3, 3, 3, 5]);
    expect(await refusal(openSource(path, { memoryLimit: 0 }))).toContain('row 2, column 1 ("a")');
  });
});

describe('damage', () => {
  const whole = parquetBytes(SMALL, { codec: 'UNCOMPRESSED' });
  const changed = (at: number, ...bytes: number[]) => {
    const copy = whole.slice();
    copy.set(bytes, at < 0 ? copy.length + at : at);
    return copy;
  };

  it('is told from other files', async () => {
    expect(await refused(Buffer.from('a,b\n1,2\n'))).toBe('data.parquet: is not a Parquet file.');
    expect(await refused(Buffer.from('PAR1'))).toBe('data.parquet: the file is truncated.');
    expect(await refused(whole.subarray(0, -1))).toBe('data.parquet: the file is truncated.');
    expect(await refused(changed(-1, 0x45))).toContain('must not be encrypted');
    expect(await refused(changed(-8, 255, 255, 255, 127))).toMatch(
      /declares 2147483647 bytes of metadata but holds \d+\./,
    );
    expect(await refused(changed(whole.length - 40, 255, 255, 255, 255))).toMatch(
      /^data\.parquet: the metadata is damaged/,
    );
  });

  it('of any byte is refused, or reads as some numbers', async () => {
    for (const [k, name] of ['plain', 'snappy'].entries()) {
      const bytes = readFileSync(fixture(name));
      for (let at = 9 * k; at < bytes.length; at += 19) {
        const copy = Uint8Array.from(bytes);
        copy[at] ^= 0xff;
        const table = { drop: ['7'], missing: 'mean', onRemark: () => {} } as const;
        await readMatrix(put('bytes.parquet', copy), { table }).catch((error) => {
          expect(error.name, `byte ${at}: ${error.stack}`).toBe('InputError');
        });
      }
    }
  });

  it('and sizes that are not believed', async () => {
    expect(await refused(parquetBytes([column('a', [], 'DOUBLE')]))).toContain(
      'at least one row and one column; got 0 × 1',
    );
    const constant = parquetBytes([column('a', new Array(1e5).fill(0), 'DOUBLE')]);
    const limits = { memory: 1000, ratio: 1 };
    expect(await refusal(openSource(put('data.parquet', constant), { limits }))).toMatch(
      /^data\.parquet: unpacks to 800 kB or more, too much for \d+ bytes of compressed data\./,
    );
  });

  it('in runs of integers ends where the bytes do', () => {
    expect([...unpackRuns(Uint8Array.of(8, 5, 3, 0b10_01_00_11, 0b01_11), 2, 10)]).toEqual([
      5, 5, 5, 5, 3, 0, 1, 2, 3, 1,
    ]);
    expect([...unpackRuns(Uint8Array.of(2, 255, 255, 255, 255), 32, 1)]).toEqual([-1]);
    expect(() => unpackRuns(Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x0f), 1, 5)).toThrow('a run of 2147483647');
    expect(() => unpackRuns(Uint8Array.of(3), 8, 1)).toThrow('ends early');
    expect(() => unpackRuns(Uint8Array.of(20, 1), 1, 9)).toThrow('a run of 10 integers for 9');
    expect(() => unpackRuns(Uint8Array.of(2, 1), 40, 1)).toThrow('40 bits');
  });
});

describe('differences', () => {
  const header = (...bytes: number[]) => Uint8Array.of(128, 1, 4, ...bytes); // blocks of 128 in 4 parts

  it('may take more bits than a value has', () => {
    // 4294967295 and a difference of −4294967290, as 64-bit integers that are to fit in 32 bits
    const bytes = header(2, 254, 255, 255, 255, 31, 243, 255, 255, 255, 31, 0, 0, 0, 0);
    const halves = unpackDeltas(bytes, 2);
    expect([halves[0] >>> 0, halves[2]]).toEqual([4294967295, 5]);
  });

  it('are refused where they end early, or claim what cannot be', () => {
    expect(() => unpackDeltas(header(2, 0), 2)).toThrow('differences end early');
    expect(() => unpackDeltas(header(1, 0), 2)).toThrow('1 differences for 2 values');
    expect(() => unpackDeltas(header(2, 0, 0, 65, 0, 0, 0), 2)).toThrow('differences of 65 bits');
    expect(() => unpackDeltas(header(2, 0, 0, 3, 0, 0, 0), 2)).toThrow('differences end early');
    expect([...unpackDeltas(header(2, 0, 0, 3, 0, 0, 0, 5), 2)]).toEqual([0, 0, 5, 0]); // the last part need not be full
    expect(() => unpackDeltas(Uint8Array.of(4, 0, 1, 0), 1)).toThrow('blocks of 4 differences in 0 parts');
    expect(() => unpackDeltas(new Uint8Array(20).fill(255), 1)).toThrow('more than 64 bits');
  });
});

describe('what is written', () => {
  it.each(['f32', 'f64'] as const)('is read again, and by hyparquet: %s', async (precision) => {
    const names = ['x', 'y', 'x'];
    const pieces = [[1, -0, 3e-300], [], [4, 5, 1e300, 7, 0.1, Math.fround(0.1)]].map((piece) =>
      precision === 'f32' ? Float32Array.from(piece.map((value) => Math.min(value, 1e30))) : Float64Array.from(piece),
    );
    const path = inDirectory(`${precision}.parquet`);
    await writeAtomically(path, parquetChunks({ names, precision, pieces }));
    const { numbers, ...found } = await read(path);
    expect(found).toMatchObject({ names: ['x', 'y', 'x (2)'], precision });
    expect(numbers.flat()).toEqual(pieces.flatMap((piece) => [...piece]));
    const { rows, metadata } = await readByHyparquet(path);
    expect(rows.map((row) => Object.values(row))).toEqual(numbers);
    expect(metadata.created_by).toBe('orthodict');
  });

  it('piece by piece, in row groups', async () => {
    const pieces = Array.from({ length: 10 }, (_, i) => Float64Array.of(i, 2 * i, 3 * i, 4 * i));
    const path = inDirectory('groups.parquet');
    await writeAtomically(path, parquetChunks({ names: ['a', 'b'], precision: 'f64', pieces }, 6));
    const { metadata } = await readByHyparquet(path);
    expect(metadata.row_groups.map((group) => Number(group.num_rows))).toEqual([3, 3, 3, 3, 3, 3, 2]);
    expect((await read(path)).numbers.flat()).toEqual(pieces.flatMap((piece) => [...piece]));
  });
});
