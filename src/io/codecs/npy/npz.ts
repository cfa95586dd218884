/** .npz files: zip archives (zip.ts) with one .npy file per array; the entry `samples.npy` is the array `samples`. */
import { InputError } from '../../../core/errors.ts';
import { quoted } from '../../../core/printable.ts';
import type { Bytes } from '../../bytes/bytes.ts';
import { type Content, HIGHEST_COMPRESSION } from '../../bytes/content.ts';
import type { ZipInput } from '../zip/write.ts';
import type { ZipEntry } from '../zip/zip.ts';
import { entryBytes, entryReader, isStored, readZipDirectory } from '../zip/zip.ts';
import { shapeText } from './header.ts';
import { readHeader } from './npy.ts';
import type { NpyOutput } from './write.ts';

/** Array used as the data when a file holds several. */
const DEFAULT_ARRAY = 'samples';

export interface NpzArray {
  readonly array: string;
  /** Opens the array; its content stays valid while the archive is open. */
  content(): Promise<Content>;
}

/** Lists the arrays of an archive without opening them. */
export async function openNpz(bytes: Bytes): Promise<NpzArray[]> {
  const arrays: NpzArray[] = [];
  for (const entry of await readZipDirectory(bytes)) {
    if (!entry.name.endsWith('.npy')) continue;
    const array = entry.name.slice(0, -'.npy'.length);
    arrays.push({ array, content: () => openEntry(bytes, entry, `${bytes.name}:${array}`) });
  }
  if (arrays.length === 0) throw new InputError(`${bytes.name}: holds no arrays.`);
  return arrays;
}

/** Opens the array with that name; without a name, `samples` or else the only 2-d array. */
export async function pickArray(file: string, arrays: readonly NpzArray[], name?: string): Promise<Content> {
  const called = (wanted: string) => arrays.find(({ array }) => array === wanted);
  const wanted = called(name ?? DEFAULT_ARRAY) ?? (name?.endsWith('.npy') ? called(name.slice(0, -4)) : undefined);
  if (wanted) return wanted.content();
  if (name !== undefined) {
    throw new InputError(`${file}: has no array ${quoted(name)}; it holds ${await listArrays(arrays)}.`);
  }
  const matrices: Content[] = [];
  for (const array of arrays) {
    const content = await array.content();
    if ((await readHeader(content)).shape.length === 2) matrices.push(content);
  }
  if (matrices.length === 1) return matrices[0];
  const which = matrices.length === 0 ? 'has no 2-d array' : 'has several 2-d arrays';
  const advice = matrices.length === 0 ? '' : `: pick one, as in ${matrices[0].name}`;
  throw new InputError(`${file}: ${which}; it holds ${await listArrays(arrays)}${advice}.`);
}

/** Converts the arrays to input for `writeZip`. */
export function npzEntries(arrays: ReadonlyArray<readonly [string, NpyOutput]>): ZipInput[] {
  return arrays.map(([name, output]) => ({ name: `${name}.npy`, ...output }));
}

/** Lists arrays for messages: `atoms (4 × 4), meta (0-d)`. */
async function listArrays(arrays: readonly NpzArray[]): Promise<string> {
  const texts = arrays
    .slice(0, 20)
    .map(async ({ array, content }) => `${array} (${shapeText((await readHeader(await content())).shape)})`);
  return (await Promise.all(texts)).join(', ') + (arrays.length > 20 ? ', …' : '');
}

async function openEntry(archive: Bytes, entry: ZipEntry, name: string): Promise<Content> {
  const bytes = await entryBytes(archive, entry, name);
  const content = {
    name,
    byteLength: entry.size,
    budget: archive.budget,
    platform: archive.platform,
    reader: () => entryReader(bytes, entry),
    close: () => archive.close(),
  };
  if (isStored(entry)) return { ...content, atMost: entry.size, bytes, checksummed: true };
  return {
    ...content,
    packed: entry.compressedSize,
    atMost: Math.min(entry.size, entry.compressedSize * HIGHEST_COMPRESSION),
  };
}
