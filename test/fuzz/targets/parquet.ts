/** Parquet files of two writers, against hyparquet: it decodes the same pages by other code. */
import { readFileSync } from 'node:fs';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { Matrix } from '#src/core/matrix.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { type ColumnSource, parquetBytes } from '../../helpers/parquet.ts';
import { fileTarget, type WholeFile } from '../files.ts';
import { readMatrixOf } from './samples.ts';

const fixtures = new URL('../../io/codecs/parquet/fixtures/', import.meta.url);
/** Decimals are left out: hyparquet rounds them twice. */
const COLUMNS = ['half', 'turn', 'small', 'large', 'even'];

const alone = (name: string, bytes: Uint8Array): WholeFile => ({ name, parts: [bytes], pack: ([part]) => part });

function whole(): WholeFile[] {
  const of = (draw: (i: number) => unknown) => Array.from({ length: 30 }, (_, i) => draw(i)) as ColumnSource['data'];
  const columns: ColumnSource[] = [
    { name: 'half', type: 'FLOAT16', data: of((i) => i / 8) },
    { name: 'turn', type: 'INT32', nullable: true, data: of((i) => (i % 4 === 1 ? null : i % 3)) },
    { name: 'small', type: 'DOUBLE', data: of((i) => Math.sin(i)), encoding: 'BYTE_STREAM_SPLIT' },
    { name: 'large', type: 'INT64', data: of((i) => BigInt(i) ** 9n), encoding: 'DELTA_BINARY_PACKED' },
    { name: 'even', type: 'BOOLEAN', data: of((i) => i % 2 === 0) },
  ];
  const second = (codec: 'SNAPPY' | 'UNCOMPRESSED') => parquetBytes(columns, { codec, rowGroupSize: 20 });
  return [
    ...['plain', 'snappy', 'gzip', 'zstd'].map((name) =>
      alone(`${name}.parquet`, readFileSync(new URL(`${name}.parquet`, fixtures))),
    ),
    alone('second.parquet', second('UNCOMPRESSED')),
    alone('packed.parquet', second('SNAPPY')),
  ];
}

/** Both must see the same numbers where hyparquet sees any. */
async function requireSameRows({ rows, cols, data }: Matrix, path: string): Promise<void> {
  const file = Uint8Array.from(readFileSync(path)).buffer;
  const seen = await parquetReadObjects({ file, columns: COLUMNS, compressors }).catch(() => undefined);
  if (!seen) return; // it also reads what nobody asked for
  if (seen.length !== rows) throw new Error(`read ${rows} rows where hyparquet reads ${seen.length}`);
  for (const [i, row] of seen.entries()) {
    for (const [k, name] of COLUMNS.entries()) {
      const [ours, value] = [data[i * cols + k], row[name]];
      const theirs = Number(value);
      if (value === null || value === undefined || !Number.isFinite(theirs)) continue; // filled by the mean
      if (!Object.is(ours, theirs)) throw new Error(`read ${ours} where hyparquet reads ${theirs}: ${name}, row ${i}`);
    }
  }
}

export const parquet = fileTarget({
  name: 'parquet',
  about: '.parquet: refused, or the numbers that hyparquet reads',
  cases: 500,
  words: ['PAR1', 'PARE', '\x15\x00', '\x15\x02', '\x19', '\x2c', '\x00', '\xff\xff\xff\xff\x0f', 'half', 'pandas'],
  whole,
  read: async (path) => {
    const table = { columns: COLUMNS, missing: 'mean', onRemark: () => {} } as const;
    const inMemory = await readMatrixOf(await openSource(path, { table }));
    const inPieces = await readMatrixOf(await openSource(path, { table, memoryLimit: 0 }));
    if (Buffer.compare(Buffer.from(inMemory.data.buffer), Buffer.from(inPieces.data.buffer)) !== 0) {
      throw new Error('other numbers piece by piece');
    }
    await requireSameRows(inMemory, path);
  },
});
