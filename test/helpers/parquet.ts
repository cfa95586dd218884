/** Parquet files written and read by hyparquet, as a second implementation. */
import { readFileSync } from 'node:fs';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';

export type { ColumnSource };

/** The bytes of a file. */
export function parquetBytes(columnData: ColumnSource[], options: object = {}): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, ...options }));
}

/** Reads a file with hyparquet, row by row. */
export async function readByHyparquet(
  path: string,
): Promise<{ readonly rows: Record<string, unknown>[]; readonly metadata: FileMetaData }> {
  const file = Uint8Array.from(readFileSync(path)).buffer;
  return { rows: await parquetReadObjects({ file, compressors }), metadata: parquetMetadata(file) };
}
