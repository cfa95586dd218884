/** Preview of a table in a page, before columns are chosen. */

import { codecs } from '../io/codecs/loaders.ts';
import { requireTableOptions } from '../io/tables/options.ts';
import { previewOf } from '../io/tables/preview.ts';
import type { TablePreview } from '../io/tables/preview-columns.ts';
import { openData, type PageData, whileOpening } from './open-bytes.ts';
import { extensionFor, type PageSourceOptions } from './open-source.ts';

/**
 * Reads the columns and the first rows of a table, text included: a .csv, .tsv, .npy, .npz, .idx, .parquet or .wav file. Its columns list
 * their names in `openSource` (`pick`), and whether they hold numbers.
 *
 * @example
 * ```ts
 * import { openSource, previewTable } from 'orthodict/browser';
 *
 * const { columns, head } = await previewTable(file);
 * const chosen = columns.filter(({ numbers }) => numbers).map(({ pick }) => pick);
 * const source = await openSource(file, { table: { columns: chosen } });
 * ```
 */
export function previewTable(
  data: PageData,
  options: Omit<PageSourceOptions, 'pictures' | 'memoryLimit'> = {},
): Promise<TablePreview> {
  const { table = {} } = options;
  requireTableOptions(table);
  return whileOpening(options.signal, async (signal) => {
    const opened = await openData('previewTable', data, { ...options, signal });
    const { array = opened.array } = options;
    const decoder = async () => (await import('./canvas.ts')).canvasDecoder;
    return previewOf(await extensionFor(opened, table), opened.bytes, { array, table, pictures: {}, codecs, decoder });
  });
}
