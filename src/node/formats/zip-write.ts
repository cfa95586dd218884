/** Writes zip archives (format: see zip.ts): stored entries of known size, streamed; checksums follow afterwards. */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Chunks } from './write-all.ts';
import { writeAll } from './write-all.ts';

export interface ZipInput {
  readonly name: string;
  readonly byteLength: number;
  readonly chunks: Chunks;
}

interface Written {
  readonly name: Buffer;
  readonly size: number;
  readonly offset: number;
  readonly crc: number;
  readonly zip64: boolean;
}

const LIMIT = 0xffffffff;
/** 1980-01-01, the earliest date of the format. */
const DATE = (1 << 5) | 1;
const UTF8_NAME = 1 << 11;

/** Writes an archive at the start of `file`; `zip64` forces the wide form, normally used only from 4 GiB. */
export async function writeZip(file: FileHandle, inputs: Iterable<ZipInput>, zip64 = false): Promise<void> {
  const entries: Written[] = [];
  let position = 0;
  for (const input of inputs) {
    const entry = await writeEntry(file, input, position, zip64);
    entries.push(entry);
    position += localHeader(entry).length + entry.size;
  }
  const directory = Buffer.concat(entries.map(centralHeader));
  await writeAll(file, [directory, end(entries.length, position, directory.length, zip64)]);
}

async function writeEntry(file: FileHandle, input: ZipInput, offset: number, forced: boolean): Promise<Written> {
  const size = input.byteLength;
  const zip64 = forced || size >= LIMIT || offset >= LIMIT;
  const entry = { name: Buffer.from(input.name), size, offset, zip64 };
  await writeAll(file, [localHeader({ ...entry, crc: 0 })]);
  let crc = 0;
  async function* summed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.chunks) {
      crc = crc32(chunk, crc);
      yield chunk;
    }
  }
  const written = await writeAll(file, summed());
  if (written !== size) throw new RangeError(`writeZip: ${input.name} must have ${size} bytes; got ${written}.`);
  const header = localHeader({ ...entry, crc });
  await file.write(header, 0, header.length, offset);
  return { ...entry, crc };
}

/** The fields that both headers share: version, flags, method, time, date, checksum, sizes, name and extra lengths. */
function common(entry: Written, extraLength: number): Buffer {
  const fields = Buffer.alloc(26);
  const size = entry.zip64 ? LIMIT : entry.size;
  fields.writeUInt16LE(entry.zip64 ? 45 : 20, 0);
  fields.writeUInt16LE(entry.name.some((byte) => byte > 127) ? UTF8_NAME : 0, 2);
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(entry.crc, 10);
  fields.writeUInt32LE(size, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(entry.name.length, 22);
  fields.writeUInt16LE(extraLength, 24);
  return fields;
}

function localHeader(entry: Written): Buffer {
  const extra = entry.zip64 ? extra64([entry.size, entry.size]) : Buffer.alloc(0);
  return Buffer.concat([Buffer.from('PK\x03\x04'), common(entry, extra.length), entry.name, extra]);
}

function centralHeader(entry: Written): Buffer {
  const extra = entry.zip64 ? extra64([entry.size, entry.size, entry.offset]) : Buffer.alloc(0);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(entry.zip64 ? LIMIT : entry.offset, 10);
  const madeBy = Buffer.from([entry.zip64 ? 45 : 20, 0]);
  return Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, common(entry, extra.length), rest, entry.name, extra]);
}

function extra64(values: number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, i) => {
    extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  });
  return extra;
}

function end(count: number, offset: number, length: number, forced: boolean): Buffer {
  const record = Buffer.alloc(22);
  record.write('PK\x05\x06', 'latin1');
  const zip64 = forced || offset + length >= LIMIT || count >= 0xffff;
  record.writeUInt16LE(zip64 ? 0xffff : count, 8);
  record.writeUInt16LE(zip64 ? 0xffff : count, 10);
  record.writeUInt32LE(zip64 ? LIMIT : length, 12);
  record.writeUInt32LE(zip64 ? LIMIT : offset, 16);
  return zip64 ? Buffer.concat([end64(count, offset, length), record]) : record;
}

/** The zip64 end record and its locator. */
function end64(count: number, offset: number, length: number): Buffer {
  const record = Buffer.alloc(76);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(length), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.write('PK\x06\x07', 56, 'latin1');
  record.writeBigUInt64LE(BigInt(offset + length), 64);
  record.writeUInt32LE(1, 72);
  return record;
}
