/** WAV files with any header fields, for tests of the reader. */

export interface WavParts {
  /** Format code, 1 for PCM, 3 for float; others are refused. */
  readonly format: number;
  readonly bits: number;
  readonly channels: number;
  readonly rate?: number;
  readonly extensible?: boolean;
  readonly data: Uint8Array;
  /** The size that the chunk declares, if it is not the real one. */
  readonly declared?: number;
}

const EXTENSIBLE = 0xfffe;
const GUID = Buffer.from('000000001000800000aa00389b71', 'hex');

const chunk = (id: string, content: Uint8Array, declared = content.length): Buffer => {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(declared, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};

export function wav({ format, bits, channels, rate = 8000, extensible, data, declared }: WavParts): Buffer {
  const fmt = Buffer.alloc(extensible ? 40 : 16);
  fmt.writeUInt16LE(extensible ? EXTENSIBLE : format, 0);
  fmt.writeUInt16LE(channels, 2);
  fmt.writeUInt32LE(rate, 4);
  fmt.writeUInt32LE((rate * channels * bits) / 8, 8);
  fmt.writeUInt16LE((channels * bits) / 8, 12);
  fmt.writeUInt16LE(bits, 14);
  if (extensible) {
    fmt.writeUInt16LE(22, 16);
    fmt.writeUInt16LE(bits, 18);
    fmt.writeUInt16LE(format, 24);
    GUID.copy(fmt, 26);
  }
  const chunks = Buffer.concat([
    Buffer.from('WAVE'),
    chunk('LIST', Buffer.from('odd')),
    chunk('fmt ', fmt),
    chunk('data', data, declared),
  ]);
  return chunk('RIFF', chunks);
}
