/** Writes rows of numbers as a Parquet file, one row group after the other, so that memory holds only one. */
import type { FloatArray, Precision } from '../../../core/matrix.ts';
import type { NamedRows } from '../csv/write.ts';
import { allocate } from '../npy/dtype.ts';

/** Most numbers of one row group. */
const GROUP_LENGTH = 1 << 22;

type ParquetRows = NamedRows & { readonly precision: Precision };

/** Yields the bytes of the file: columns of float32 or float64 that are never null, compressed by Snappy. */
export async function* parquetChunks(rows: ParquetRows, groupLength = GROUP_LENGTH): AsyncGenerator<Uint8Array> {
  const { names, precision } = rows;
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const columns = distinct(names).map((name) => ({ name, type: precision === 'f32' ? 'FLOAT' : 'DOUBLE' }) as const);
  const writer = new ByteWriter();
  const schema = columns.map((column) => ({ ...column, repetition_type: 'REQUIRED' }) as const);
  const root = { name: 'schema', num_children: columns.length };
  const file = new ParquetWriter({ writer, schema: [root, ...schema], createdBy: 'orthodict' });
  const written = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0; // bytes handed out need not be kept; the writer counts on
    return bytes;
  };
  for await (const group of rowGroups(rows, groupLength)) {
    const columnData = columns.map(({ name }, k) => ({ name, data: group[k] }));
    await file.write({ columnData, rowGroupSize: group[0].length });
    yield written();
  }
  await file.finish();
  yield written();
}

/** Yields the columns of one row group after the other. */
async function* rowGroups({ names, precision, pieces }: ParquetRows, length: number): AsyncGenerator<FloatArray[]> {
  const cols = names.length;
  const height = Math.max(1, Math.floor(length / cols));
  const columns = Array.from({ length: cols }, () => allocate(precision, height));
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += cols) {
      if (filled === height) {
        yield columns;
        filled = 0;
      }
      for (let k = 0; k < cols; k++) columns[k][filled] = piece[at + k];
      filled++;
    }
  }
  if (filled > 0) yield columns.map((column) => column.subarray(0, filled) as FloatArray);
}

/** Makes names distinct, as columns are found by name: of equal names, the second becomes `name (2)`. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let k = 2; taken.has(free); k++) free = `${name} (${k})`;
    taken.add(free);
    return free;
  });
}
