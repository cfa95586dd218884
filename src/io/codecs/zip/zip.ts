/**
 * Zip container, as far as .npz files need it. Reading: the directory at the end of the file lists the entries;
 * each entry is a local header and its data, stored or deflated. Two entries of one name, entries that share bytes of the
 * file, a directory that does not end at the declared place, and names that differ between directory and entry are damage:
 * programs would disagree on what the file holds, or unpack the same bytes many times. Writing: stored entries with a
 * fixed date, so that the same arrays give the same bytes. Sizes and offsets of 4 GiB and more are in "zip64" extra fields; NumPy writes these
 * for every entry, we write them only when needed.
 */
import { InputError } from '../../../core/errors.ts';
import { quoted } from '../../../core/printable.ts';
import type { ByteReader, Bytes } from '../../bytes/bytes.ts';
import { drain, endsEarly, readView, section, sequentialReader } from '../../bytes/bytes.ts';
import { utf8Text } from '../../bytes/text-bytes.ts';
import { inflateReader } from './inflate.ts';

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly offset: number;
  /** Start of the next entry or of the directory. */
  readonly limit: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const LOCAL_LENGTH = 30;
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const LONGEST_DIRECTORY = 1 << 26;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** Flags of patched data, strong encryption, masked headers. */
const UNUSUAL = (1 << 5) | (1 << 6) | (1 << 13);
/** Newest version of the format that an entry may need, times 10: there is none after 6.3. */
const NEWEST = 63;
const IN_ZIP64 = 0xffffffff;

/** Reads the entries in directory order. */
export async function readZipDirectory(bytes: Bytes): Promise<ZipEntry[]> {
  const { name, byteLength } = bytes;
  const tailStart = Math.max(0, byteLength - END_LENGTH - LONGEST_COMMENT - 20);
  const tail = await readView(bytes, tailStart, byteLength - tailStart);
  const end = findEnd(tail);
  if (end < 0) throw await notAnArchive(bytes);
  const place = (await zip64Directory(bytes, tail, end)) ?? {
    offset: tail.getUint32(end + 16, true),
    length: tail.getUint32(end + 12, true),
    count: tail.getUint16(end + 10, true),
    end: tailStart + end,
  };
  if (place.offset + place.length !== place.end || place.length > LONGEST_DIRECTORY) {
    throw damaged(name, 'its directory');
  }
  bytes.budget.limit('entries', place.count, 'members');
  const entries = parseDirectory(bytes, await readView(bytes, place.offset, place.length));
  if (entries.length !== place.count) throw damaged(name, 'its directory');
  return separate(bytes, entries, place.offset);
}

/** Returns the bytes of an entry as stored, possibly deflated. */
export async function entryBytes(archive: Bytes, entry: ZipEntry, name: string): Promise<Bytes> {
  if (entry.flags & ENCRYPTED) throw new InputError(`${name}: is encrypted.`);
  if (entry.flags & UNUSUAL) throw damaged(archive.name, name);
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new InputError(`${name}: must be stored or deflated; got zip compression method ${entry.method}.`);
  }
  if (entry.offset + LOCAL_LENGTH > archive.byteLength) throw damaged(archive.name, name);
  const header = await readView(archive, entry.offset, LOCAL_LENGTH);
  if (header.getUint32(0, true) !== LOCAL) throw damaged(archive.name, name);
  const nameLength = header.getUint16(26, true);
  const start = entry.offset + LOCAL_LENGTH + nameLength + header.getUint16(28, true);
  if (start > archive.byteLength) throw endsEarly(name);
  const called = await readView(archive, entry.offset + LOCAL_LENGTH, nameLength);
  if (utf8Text(called) !== entry.name) throw damaged(archive.name, name);
  if (start + entry.compressedSize > archive.byteLength) throw endsEarly(name);
  if (start + entry.compressedSize > entry.limit) throw overlapping(archive.name, entry.name);
  if (isStored(entry) && entry.compressedSize !== entry.size) throw damaged(archive.name, name);
  return section(archive, name, start, entry.compressedSize);
}

export const isStored = (entry: ZipEntry): boolean => entry.method === STORED;

/** Reads the content of an entry from its start; verifies the checksum at the end. */
export function entryReader(bytes: Bytes, entry: ZipEntry): ByteReader {
  const reader = isStored(entry) ? sequentialReader(bytes) : inflateReader(bytes);
  let crc = 0;
  let position = 0;
  const read = async (target: Uint8Array): Promise<number> => {
    const length = Math.min(target.byteLength, entry.size - position);
    const count = await reader.read(target.subarray(0, length));
    if (count < length) throw endsEarly(bytes.name);
    if (count > 0) crc = bytes.platform.crc32(target.subarray(0, count), crc); // of no bytes, zlib returns 0
    position += count;
    if (position === entry.size && crc !== entry.crc) {
      throw new InputError(`${bytes.name}: the data is damaged (its checksum differs).`);
    }
    return count;
  };
  return { name: bytes.name, read, finish: () => drain(read), close: () => reader.close() };
}

function findEnd(tail: DataView): number {
  for (let at = tail.byteLength - END_LENGTH; at >= 0; at--) {
    if (tail.getUint32(at, true) === END && at + END_LENGTH + tail.getUint16(at + 20, true) <= tail.byteLength)
      return at;
  }
  return -1;
}

async function notAnArchive(bytes: Bytes): Promise<InputError> {
  const start = await readView(bytes, 0, Math.min(4, bytes.byteLength));
  if (start.byteLength === 4 && start.getUint32(0, true) === LOCAL) return endsEarly(bytes.name);
  return new InputError(`${bytes.name}: is not an .npz file (it is not a zip archive).`);
}

async function zip64Directory(
  bytes: Bytes,
  tail: DataView,
  end: number,
): Promise<{ offset: number; length: number; count: number; end: number } | null> {
  const locator = end - 20;
  if (locator < 0 || tail.getUint32(locator, true) !== LOCATOR_64) return null;
  const position = long(tail, locator + 8);
  if (position + 56 > bytes.byteLength) throw damaged(bytes.name, 'its directory');
  const record = await readView(bytes, position, 56);
  if (record.getUint32(0, true) !== END_64) throw damaged(bytes.name, 'its directory');
  return { offset: long(record, 48), length: long(record, 40), count: long(record, 32), end: position };
}

type Listed = Omit<ZipEntry, 'limit'>;

function parseDirectory({ name, budget }: Bytes, directory: DataView<ArrayBuffer>): Listed[] {
  const entries: Listed[] = [];
  for (let at = 0; at < directory.byteLength; ) {
    if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== CENTRAL)
      throw damaged(name, 'its directory');
    if (directory.getUint8(at + 6) > NEWEST) throw damaged(name, 'its directory');
    budget.limit('entries', entries.length + 1, 'members');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.getUint16(at + field, true));
    const extraStart = at + 46 + nameLength;
    const next = extraStart + extraLength + commentLength;
    if (next > directory.byteLength) throw damaged(name, 'its directory');
    const extra = part(directory, extraStart, extraLength);
    const [size, compressedSize, offset] = widen(
      extra,
      [24, 20, 42].map((field) => directory.getUint32(at + field, true)),
    );
    entries.push({
      name: utf8Text(part(directory, at + 46, nameLength)),
      method: directory.getUint16(at + 10, true),
      flags: directory.getUint16(at + 8, true),
      crc: directory.getUint32(at + 16, true),
      compressedSize,
      size,
      offset,
    });
    at = next;
  }
  return entries;
}

/** Returns the entries with the bytes that belong to each; refuses two of one name, and those that overlap. */
function separate({ name: archive }: Bytes, entries: readonly Listed[], directory: number): ZipEntry[] {
  const names = new Set<string>();
  for (const { name } of entries) {
    if (names.has(name)) throw new InputError(`${archive}: the zip archive is damaged (it has ${quoted(name)} twice).`);
    names.add(name);
  }
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset);
  const limits = new Map<string, number>();
  inOrder.forEach(({ name, offset, compressedSize }, i) => {
    const limit = inOrder[i + 1]?.offset ?? directory;
    if (offset + LOCAL_LENGTH + compressedSize > limit) throw overlapping(archive, name);
    limits.set(name, limit);
  });
  return entries.map((entry) => ({ ...entry, limit: limits.get(entry.name)! }));
}

/** Replaces the values that did not fit in 4 bytes by those in the zip64 extra field, which contains only these. */
function widen(extra: DataView, values: number[]): number[] {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    return values.map((value) => {
      if (value !== IN_ZIP64 || next + 8 > extra.byteLength) return value;
      next += 8;
      return long(extra, next - 8);
    });
  }
  return values;
}

const part = (view: DataView<ArrayBuffer>, start: number, length: number): DataView<ArrayBuffer> =>
  new DataView(view.buffer, view.byteOffset + start, length);

const long = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

function damaged(archive: string, what: string): InputError {
  return new InputError(`${archive}: the zip archive is damaged (${what} cannot be read).`);
}

function overlapping(archive: string, entry: string): InputError {
  return new InputError(`${archive}: the zip archive is damaged (${quoted(entry)} overlaps what follows it).`);
}
