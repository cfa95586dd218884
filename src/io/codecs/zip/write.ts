/** Writes zip archives (format: see zip.ts): stored entries of known size, streamed; checksums follow afterwards. */
import type { Chunks, Sink } from '../../bytes/sink.ts';

export interface ZipInput {
  readonly name: string;
  readonly byteLength: number;
  readonly chunks: Chunks;
}

interface Written {
  readonly name: Uint8Array;
  readonly size: number;
  readonly offset: number;
  readonly crc: number;
  readonly zip64: boolean;
}

const LIMIT = 0xffffffff;
const LIMIT_16 = 0xffff;
/** Earliest date of the format, 1980-01-01. */
const DATE = (1 << 5) | 1;
const UTF8_NAME = 1 << 11;
/** Version of the format, times 10. */
const VERSION = 20;
const VERSION_64 = 45;
const SIGNATURES = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
};

/** Writes an archive from the start of `sink`; `zip64` forces the wide form, normally used only from 4 GiB. */
export async function writeZip(sink: Sink, inputs: Iterable<ZipInput>, zip64 = false): Promise<void> {
  const entries: Written[] = [];
  let position = 0;
  for (const input of inputs) {
    const entry = await writeEntry(sink, input, position, zip64);
    entries.push(entry);
    position += localHeader(entry).length + entry.size;
  }
  const directory = entries.map(centralHeader);
  const length = directory.reduce((sum, header) => sum + header.length, 0);
  await sink.write([...directory, end(entries.length, position, length, zip64)]);
}

async function writeEntry(sink: Sink, input: ZipInput, offset: number, forced: boolean): Promise<Written> {
  const size = input.byteLength;
  const zip64 = forced || size >= LIMIT || offset >= LIMIT;
  const entry = { name: new TextEncoder().encode(input.name), size, offset, zip64 };
  await sink.write([localHeader({ ...entry, crc: 0 })]);
  let crc = 0;
  async function* summed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.chunks) {
      crc = sink.crc32(chunk, crc);
      yield chunk;
    }
  }
  const written = await sink.write(summed());
  if (written !== size) throw new RangeError(`writeZip: ${input.name} must have ${size} bytes; got ${written}.`);
  await sink.rewrite(localHeader({ ...entry, crc }), offset);
  return { ...entry, crc };
}

/** A field of 2, 4 or 8 bytes and its value, or bytes as they are. */
type Field = readonly [bytes: 2 | 4 | 8, value: number] | Uint8Array;

function record(...fields: readonly Field[]): Uint8Array {
  const lengths = fields.map((field) => (field instanceof Uint8Array ? field.length : field[0]));
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [k, field] of fields.entries()) {
    if (field instanceof Uint8Array) bytes.set(field, at);
    else if (field[0] === 2) view.setUint16(at, field[1], true);
    else if (field[0] === 4) view.setUint32(at, field[1], true);
    else view.setBigUint64(at, BigInt(field[1]), true);
    at += lengths[k];
  }
  return bytes;
}

/** Returns the fields that both headers share: version, flags, method, time, date, checksum, sizes, name and extra lengths. */
function common({ name, size, crc, zip64 }: Written, extra: Uint8Array): Uint8Array {
  const shown = zip64 ? LIMIT : size;
  const flags = name.some((byte) => byte > 127) ? UTF8_NAME : 0;
  return record(
    [2, versionOf(zip64)],
    [2, flags],
    [2, 0],
    [2, 0],
    [2, DATE],
    [4, crc],
    [4, shown],
    [4, shown],
    [2, name.length],
    [2, extra.length],
  );
}

const versionOf = (zip64: boolean): number => (zip64 ? VERSION_64 : VERSION);

function localHeader(entry: Written): Uint8Array {
  const { name, size, zip64 } = entry;
  const extra = zip64 ? extra64([size, size]) : new Uint8Array(0);
  return record([4, SIGNATURES.local], common(entry, extra), name, extra);
}

function centralHeader(entry: Written): Uint8Array {
  const { name, size, offset, zip64 } = entry;
  const extra = zip64 ? extra64([size, size, offset]) : new Uint8Array(0);
  const nothing = new Uint8Array(10); // comment, disk, attributes
  const place: Field = [4, zip64 ? LIMIT : offset];
  return record([4, SIGNATURES.central], [2, versionOf(zip64)], common(entry, extra), nothing, place, name, extra);
}

function extra64(values: readonly number[]): Uint8Array {
  return record([2, 1], [2, 8 * values.length], ...values.map((value): Field => [8, value]));
}

function end(count: number, offset: number, length: number, forced: boolean): Uint8Array {
  const zip64 = forced || offset + length >= LIMIT || count >= LIMIT_16;
  const shown: Field = [2, zip64 ? LIMIT_16 : count];
  const place = zip64 ? [LIMIT, LIMIT] : [length, offset];
  const last = record([4, SIGNATURES.end], [4, 0], shown, shown, [4, place[0]], [4, place[1]], [2, 0]);
  return zip64 ? record(end64(count, offset, length), last) : last;
}

/** Returns the zip64 end record and its locator. */
function end64(count: number, offset: number, length: number): Uint8Array {
  const sizes: Field[] = [count, count, length, offset].map((value) => [8, value]);
  return record(
    [4, SIGNATURES.end64],
    [8, 44],
    [2, VERSION_64],
    [2, VERSION_64],
    [8, 0],
    ...sizes,
    [4, SIGNATURES.locator64],
    [4, 0],
    [8, offset + length],
    [4, 1],
  );
}
