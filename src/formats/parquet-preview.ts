/** The first rows of a Parquet file, text and all, by hyparquet: one column at a time. */
import type { Bytes } from './bytes.ts';
import { readFooter, readPart, unlessDamaged } from './parquet-footer.ts';
import { type Cell, columnsOf, HEAD_ROWS, type TablePreview } from './preview-columns.ts';

/** Longer columns of a row group are not read; their cells are empty. */
const MOST_BYTES = 1 << 26;
const LONGEST_TEXT = 80;

/** The index that pandas wrote is left out, as it is when the table is read. */
export async function previewParquet(bytes: Bytes): Promise<Pick<TablePreview, 'rows' | 'columns' | 'head'>> {
  const { rows, columns, groups } = await readFooter(bytes);
  const shown = columns.filter(({ isIndex }) => !isIndex);
  const count = Math.min(rows, HEAD_ROWS, groups[0]?.rows ?? 0);
  const head = Array.from({ length: count }, (): Cell[] => []);
  const readColumn = await columnReader(bytes, count);
  for (const column of shown) {
    const { start, end } = groups[0].chunk(column);
    const cells = end - start <= MOST_BYTES ? await readColumn(column.name) : [];
    for (const [i, row] of head.entries()) row.push(cells[i] ?? null);
  }
  const names = columnsOf(
    shown.map(({ name }) => name),
    (k) => typeof shown[k].type !== 'string',
  );
  return { rows, columns: names, head };
}

/** Reads the first cells of a column by its name. */
async function columnReader(bytes: Bytes, count: number): Promise<(column: string) => Promise<Cell[]>> {
  const [{ parquetMetadataAsync, parquetRead }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ]);
  const { name, byteLength } = bytes;
  const slice = async (start: number, end = byteLength) => (await readPart(bytes, start, end)).buffer as ArrayBuffer;
  const file = { byteLength, slice };
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  return async (column) => {
    let cells: Cell[] = [];
    const onComplete = (found: unknown[][]) => {
      cells = found.map(([value]) => cellOf(value));
    };
    const options = { file, metadata, columns: [column], rowStart: 0, rowEnd: count, compressors, geoparquet: false };
    await parquetRead({ ...options, onComplete }).catch((error) =>
      unlessDamaged(name, `column "${column}"`, () => {
        throw error;
      }),
    );
    return cells;
  };
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    const number = Number(value);
    return Number.isFinite(number) ? number : null;
  }
  const text = typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
