/**
 * Reads sound in WAV files as samples: one row per frame, one column per channel. Whole numbers become fractions in [−1, 1);
 * floats stay as they are. PCM of up to 24 bits fits into float32 exactly.
 */
import type { Precision } from '../../../core/matrix.ts';
import { type Bytes, readFully } from '../../bytes/bytes.ts';
import { contentOf } from '../../bytes/content.ts';
import type { Table } from '../../tables/table.ts';
import { type StoredNumbers, storedAs } from '../npy/dtype.ts';
import { openTableOf } from '../npy/npy.ts';
import { readWavHeader, type WavNumber } from './header.ts';

/** Numbers decoded at a time. */
const SCRATCH = 1 << 17;

const whole = (size: number, precision: Precision, value: (bytes: DataView, at: number) => number): StoredNumbers => ({
  size,
  precision,
  async read(reader, out) {
    const scratch = new Uint8Array(Math.min(out.length, SCRATCH) * size);
    const view = new DataView(scratch.buffer);
    for (let at = 0; at < out.length; at += SCRATCH) {
      const count = Math.min(SCRATCH, out.length - at);
      await readFully(reader, scratch.subarray(0, count * size));
      for (let i = 0; i < count; i++) out[at + i] = value(view, i * size);
    }
  },
});

const STORED: Readonly<Record<WavNumber, StoredNumbers>> = {
  u8: whole(1, 'f32', (bytes, at) => (bytes.getUint8(at) - 128) / 128),
  i16: whole(2, 'f32', (bytes, at) => bytes.getInt16(at, true) / 2 ** 15),
  i24: whole(3, 'f32', (bytes, at) => (bytes.getInt8(at + 2) * 2 ** 16 + bytes.getUint16(at, true)) / 2 ** 23),
  i32: whole(4, 'f64', (bytes, at) => bytes.getInt32(at, true) / 2 ** 31),
  f32: storedAs({ kind: 'f', size: 4, bigEndian: false }),
  f64: storedAs({ kind: 'f', size: 8, bigEndian: false }),
};

/** Opens a WAV file as a table; closing the table closes the file. */
export async function openWavTable(bytes: Bytes): Promise<Table> {
  const { frames, channels, dataOffset, number } = await readWavHeader(bytes);
  const layout = { shape: [frames, channels], fortranOrder: false, dataOffset };
  return { ...openTableOf(contentOf(bytes), layout, STORED[number]), names: channelNames(channels) };
}

const channelNames = (count: number): string[] =>
  count === 2 ? ['left', 'right'] : Array.from({ length: count }, (_, k) => `channel ${k + 1}`);
