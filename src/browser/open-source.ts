/** Opens samples in a page: files that were dropped or chosen, and addresses. */
import { InputError } from '../core/errors.ts';
import { warnOnce } from '../core/warn.ts';
import type { Locator, Source } from '../engine/source/source.ts';
import { EXTENSIONS, extensionOf, openFormat } from '../io/codecs/index.ts';
import { codecs } from '../io/codecs/loaders.ts';
import type { PatchReading } from '../io/codecs/picture/reading.ts';
import { givenExtension, requirePatchReading, requirePictures, requireTable } from '../io/tables/option-use.ts';
import { requireTableOptions, type TableOptions } from '../io/tables/options.ts';
import { recognisedFormat } from '../io/tables/recognise.ts';
import { sourceOfTable } from '../io/tables/source.ts';
import type { Table } from '../io/tables/table.ts';
import { type BlobBytes, browserPlatform } from './blob-bytes.ts';
import { type DataOptions, type OpenPageData, openData, type PageData, whileOpening } from './open-bytes.ts';
import { blobLocator } from './open-locator.ts';

/** Options for opening samples. */
export interface PageSourceOptions extends DataOptions {
  /** Array of an .npz file; default: `samples`, or else the only 2-d one. */
  readonly array?: string | undefined;
  /** Options of tables, and of data whose format its name does not show. */
  readonly table?: TableOptions | undefined;
  /** Options of pictures. */
  readonly pictures?: PatchReading | undefined;
  /**
   * Most bytes of numbers to keep in memory; default: an eighth of the device's memory, as far as the browser reports it, at most 1
   * GiB.
   */
  readonly memoryLimit?: number | undefined;
}

/**
 * Opens samples in a page: a File or Blob, read piece by piece, or an address. Data that fits is read into memory, shared between threads
 * if the page is isolated; workers read larger data in place. The options are those of `openSource` in Node.
 *
 * @example
 * ```ts
 * import { createBrowserExecutor, learn, openSource } from 'orthodict/browser';
 *
 * const [file] = document.querySelector('input').files;
 * const source = await openSource(file, { table: { drop: ['label'] } });
 * const { dictionary } = await learn(source, {}, { executor: await createBrowserExecutor() });
 * ```
 */
export function openSource(data: PageData, options: PageSourceOptions = {}): Promise<Source> {
  requireTableOptions(options.table ?? {});
  requirePatchReading(options.pictures ?? {});
  return whileOpening(options.signal, async (signal) => {
    const opened = await openData('openSource', data, { ...options, signal });
    const table = await openTable(opened, options);
    return sourceOfTable(table, {
      memoryLimit: options.memoryLimit ?? defaultMemoryLimit(),
      spool: browserPlatform.spool,
      spoolLocator: (bytes) => blobLocator((bytes as BlobBytes).blob, { name: table.name, extension: '.npy' }),
    });
  });
}

/** Returns the table of opened data, without its numbers. */
async function openTable(opened: OpenPageData, options: PageSourceOptions): Promise<Table> {
  const { table = {}, pictures = {}, array = opened.array } = options;
  const { bytes } = opened;
  const extension = await extensionFor(opened, table);
  requireTable(bytes.name, extension, table);
  requirePictures(bytes.name, extension, pictures);
  const whole = await openFormat(extension, bytes, { array, table, pictures, codecs, decoder });
  if (!whole.patch) return { ...whole, locator: locatorOf(opened, extension, options) };
  const { limitPatches } = await codecs.picture();
  return limitPatches(whole, pictures, table.onRemark ?? warnOnce);
}

const decoder = async () => (await import('./canvas.ts')).canvasDecoder;

/** Formats by MIME type. */
const TYPES: Readonly<Record<string, string>> = {
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'audio/wav': '.wav',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
};

/** Returns the extension given by the options, the name, the type or the first bytes, in this order. */
export async function extensionFor({ bytes, path, blob }: OpenPageData, table: TableOptions): Promise<string> {
  const named = givenExtension(table) ?? extensionOf(path) ?? TYPES[blob?.type.replace(/;.*/s, '') ?? ''];
  if (named !== undefined) return named;
  const recognised = await recognisedFormat(bytes);
  if (recognised) return `.${recognised}`;
  throw new InputError(
    `${bytes.name}: must have a name that ends in one of ${EXTENSIONS.join(' ')}, or come with its format, as in table: { format: 'csv' }.`,
  );
}

/** Returns the locator of data that workers read in place. */
function locatorOf(
  opened: OpenPageData,
  extension: string,
  { limits, array = opened.array }: PageSourceOptions,
): Locator {
  const { bytes, blob, address } = opened;
  const details = { extension, ...(array !== undefined && { array }), ...(limits && { limits }) };
  if (blob) return blobLocator(blob, { name: bytes.name, ...details });
  return { kind: 'address', address: address!, ...bytes.fingerprint!, ...details };
}

const GIBIBYTE = 2 ** 30;

/** Default of `memoryLimit`: browsers report the memory of the device in GiB, up to 8, or not at all. */
function defaultMemoryLimit(): number {
  const { navigator } = globalThis as { readonly navigator?: { readonly deviceMemory?: number } };
  return Math.min(navigator?.deviceMemory ?? 4, 8) * (GIBIBYTE / 8);
}
