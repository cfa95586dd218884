/**
 * Reads sound in WAV files as samples: one row per frame, one column per channel. Whole numbers become fractions in [−1, 1);
 * floats stay as they are. PCM of up to 24 bits fits into float32 exactly.
 */
import type { FloatArray, Precision } from '../../../core/matrix.ts';
import { type Bytes, endsEarly } from '../../bytes/bytes.ts';
import { PIECE_LENGTH, type Table } from '../../tables/table.ts';
import { allocate } from '../npy/dtype.ts';
import { readWavHeader, type WavHeader, type WavNumber } from './header.ts';

interface Decoder {
  readonly size: number;
  readonly precision: Precision;
  decode(bytes: DataView, out: FloatArray, at: number, count: number): void;
}

const decoder = (size: number, precision: Precision, value: (bytes: DataView, at: number) => number): Decoder => ({
  size,
  precision,
  decode(bytes, out, at, count) {
    for (let i = 0; i < count; i++) out[at + i] = value(bytes, i * size);
  },
});

const DECODERS: Readonly<Record<WavNumber, Decoder>> = {
  u8: decoder(1, 'f32', (bytes, at) => (bytes.getUint8(at) - 128) / 128),
  i16: decoder(2, 'f32', (bytes, at) => bytes.getInt16(at, true) / 2 ** 15),
  i24: decoder(3, 'f32', (bytes, at) => (bytes.getInt8(at + 2) * 2 ** 16 + bytes.getUint16(at, true)) / 2 ** 23),
  i32: decoder(4, 'f64', (bytes, at) => bytes.getInt32(at, true) / 2 ** 31),
  f32: decoder(4, 'f32', (bytes, at) => bytes.getFloat32(at, true)),
  f64: decoder(8, 'f64', (bytes, at) => bytes.getFloat64(at, true)),
};

/** Opens a WAV file as a table; closing the table closes the file. */
export async function openWavTable(bytes: Bytes): Promise<Table> {
  const header = await readWavHeader(bytes);
  const { frames: rows, channels: cols } = header;
  const { precision } = DECODERS[header.number];
  const loadRows = async (start: number, out: FloatArray) => {
    await loadFrames(bytes, header, start, out);
    await bytes.requireUnchanged();
  };
  async function* stream(): AsyncGenerator<FloatArray> {
    const height = Math.max(1, Math.floor(PIECE_LENGTH / cols));
    const piece = allocate(precision, Math.min(rows, height) * cols);
    for (let start = 0; start < rows; start += height) {
      const part = piece.subarray(0, Math.min(height, rows - start) * cols) as FloatArray;
      await loadFrames(bytes, header, start, part);
      yield part;
    }
  }
  return {
    name: bytes.name,
    rows,
    cols,
    precision,
    budget: bytes.budget,
    names: channelNames(cols),
    load: (out) => loadFrames(bytes, header, 0, out),
    loadRows,
    stream,
    close: () => bytes.close(),
  };
}

const channelNames = (count: number): string[] =>
  count === 2 ? ['left', 'right'] : Array.from({ length: count }, (_, k) => `channel ${k + 1}`);

/** Numbers decoded at a time. */
const SCRATCH = 1 << 17;

async function loadFrames(bytes: Bytes, header: WavHeader, start: number, out: FloatArray): Promise<void> {
  const { size, decode } = DECODERS[header.number];
  const scratch = new Uint8Array(Math.min(out.length, SCRATCH) * size);
  const view = new DataView(scratch.buffer);
  let position = header.dataOffset + start * header.frameBytes;
  for (let at = 0; at < out.length; at += SCRATCH) {
    const count = Math.min(SCRATCH, out.length - at);
    const piece = scratch.subarray(0, count * size);
    if ((await bytes.readAt(piece, position)) < piece.length) throw endsEarly(bytes.name);
    decode(view, out, at, count);
    position += piece.length;
  }
}
