/** Zip archives that no honest program would write. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  readonly content: Uint8Array;
  readonly deflated?: boolean;
  /** Index of the member whose bytes this one shares. */
  readonly sameAs?: number;
}

/** Writes the members one after the other, then the directory. */
export function zipOf(members: readonly ZipMember[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let position = 0;
  members.forEach(({ name, content, deflated = false, sameAs }, i) => {
    const body = deflated ? deflateRawSync(content) : Buffer.from(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(deflated ? 8 : 0, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(body.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    offsets[i] = sameAs === undefined ? position : offsets[sameAs];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offsets[i], 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, Buffer.from(name));
    if (sameAs !== undefined) return;
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), body]);
    parts.push(local);
    position += local.length;
  });
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(members.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(members.length, 0xffff), 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
