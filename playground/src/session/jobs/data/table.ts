/** The table that the page names: previewed from its beginning, and read in chunks. */
import { openSource, previewTable, type Source, type TablePreview } from 'orthodict/browser';
import type { JobContext } from '../../context.ts';
import type { JobProgress } from '../../session.svelte.ts';
import { countReads } from './count-reads.ts';

/** A file of the user, and which parts of it to use. */
export interface TableRequest {
  readonly file: Blob;
  readonly name: string;
  /** Name of an array of an .npz. */
  readonly array?: string | undefined;
  /** The columns to use; undefined for all, and for formats without named columns. */
  readonly columns?: readonly string[] | undefined;
  /** What to do about missing numbers; undefined for formats without columns. */
  readonly missing?: 'error' | 'drop' | 'mean' | undefined;
}

export interface Preview extends TablePreview {
  /** Size of the file in bytes, and number of bytes read. */
  readonly size: number;
  readonly bytesRead: number;
  /** Whether columns can be chosen and missing numbers handled; arrays are always used whole. */
  readonly hasColumns: boolean;
}

export async function previewFile({ file, name, array }: TableRequest): Promise<Preview> {
  const counted = countReads(file);
  const preview = await previewTable(counted.file, { name, array });
  const hasColumns = /csv|tsv|parquet/.test(preview.format);
  return { ...preview, size: file.size, bytesRead: Math.min(counted.bytes, file.size), hasColumns };
}

/** Size in bytes from which reading a file reports progress. */
const WORTH_TELLING = 4e6;

/** Opens a table; `remarks` collects the assumptions that were made. */
export async function openTable(
  { file, name, array, columns, missing }: TableRequest,
  { signal, emit }: JobContext<{ readonly progress: JobProgress }>,
  remarks: string[],
): Promise<Source> {
  let isOpening = true;
  const counted = countReads(file, (bytes) => {
    if (!isOpening || file.size < WORTH_TELLING) return;
    const words = `Reading ${megabytes(bytes)} of ${megabytes(file.size)}`;
    emit({ progress: { words, fraction: (0.5 * bytes) / file.size } });
  });
  const onRemark = (text: string) => void remarks.push(text);
  const source = await openSource(counted.file, { name, array, table: { columns, missing, onRemark }, signal });
  isOpening = false;
  return source;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
