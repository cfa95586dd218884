/** Reads the first rows of a Parquet file, one column at a time: numbers as usual, everything else by hyparquet. */
import { type Bytes, readBytes } from '../../bytes/bytes.ts';
import { type Cell, columnsOf, HEAD_ROWS, type TablePreview } from '../../tables/preview-columns.ts';
import { type NumberType, type ParquetColumn, type ParquetFile, readFooter, unlessDamaged } from './footer.ts';
import { chunkDecoder, readChunk } from './pages.ts';

/** Most bytes of a column in a row group: larger ones are not read, and their cells are empty. */
const MOST_BYTES = 1 << 26;
const LONGEST_TEXT = 80;

/** Previews a file. The index that pandas wrote is left out, as when the table is read. */
export async function previewParquet(bytes: Bytes): Promise<Pick<TablePreview, 'rows' | 'columns' | 'head'>> {
  const { rows, columns, groups } = await readFooter(bytes);
  const shown = columns.filter(({ isIndex }) => !isIndex);
  const count = Math.min(rows, HEAD_ROWS, groups[0]?.rows ?? 0);
  const head = Array.from({ length: count }, (): Cell[] => []);
  const [readNumbers, readOthers] = [await numberReader(bytes, groups[0], count), await columnReader(bytes, count)];
  for (const column of count > 0 ? shown : []) {
    const { start, end } = groups[0].chunk(column);
    const read = () => (isNumbers(column) ? readNumbers(column) : readOthers(column.name));
    const cells = end - start <= MOST_BYTES ? await read() : [];
    for (const [i, row] of head.entries()) row.push(cells[i] ?? null);
  }
  const names = columnsOf(
    shown.map(({ name }) => name),
    (k) => isNumbers(shown[k]),
  );
  return { rows, columns: names, head };
}

type NumberColumn = ParquetColumn & { readonly type: NumberType };

const isNumbers = (column: ParquetColumn): column is NumberColumn => typeof column.type !== 'string';

/** Reads the first numbers of a column of numbers. */
async function numberReader(bytes: Bytes, group: ParquetFile['groups'][number], count: number) {
  const decode = await chunkDecoder(bytes);
  return async (column: NumberColumn): Promise<Cell[]> => {
    const chunk = await readChunk(bytes, group, column);
    const out = new Float64Array(count);
    const to = { start: 0, end: count, out, at: 0, stride: 1 };
    unlessDamaged(bytes.name, `column ${column.shown}`, () => decode(chunk, to));
    return Array.from(out, cellOf);
  };
}

/** Reads the first cells of a column by its name. */
async function columnReader(bytes: Bytes, count: number): Promise<(column: string) => Promise<Cell[]>> {
  const [{ parquetMetadataAsync, parquetRead }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ]);
  const { name, byteLength } = bytes;
  const slice = async (start: number, end = byteLength) => (await readBytes(bytes, start, end - start)).buffer;
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
