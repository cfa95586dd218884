/**
 * Arrays in the .npy format: the header (header.ts), then the numbers without gaps. C order stores rows one after
 * another (the last index varies fastest), Fortran order columns (the first index varies fastest).
 */
import { InputError } from '../../../core/errors.ts';
import { bytesPerNumber, type FloatArray } from '../../../core/matrix.ts';
import { byteCount } from '../../bytes/budget.ts';
import { type ByteReader, readFully, sequentialReader, skip } from '../../bytes/bytes.ts';
import type { Content } from '../../bytes/content.ts';
import type { Table } from '../../tables/table.ts';
import { PIECE_LENGTH, requireRows } from '../../tables/table.ts';
import { allocate, allocateOrRefuse, bytesOfEach, parseDType, type StoredNumbers, storedAs } from './dtype.ts';
import type { NpyHeader } from './header.ts';
import { elementCount, readNpyHeader } from './header.ts';
import { decodeText, parseTextType, type TextType } from './text.ts';

/** A whole array in C order: text, float32 if stored as half or single floats, otherwise float64. */
export interface NpyArray {
  /** Type as NumPy writes it: `<f4`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: FloatArray | string[];
}

export async function readHeader(content: Content): Promise<NpyHeader> {
  return withReader(content, (reader) => readNpyHeader(reader));
}

/** Opens a 2-d array of numbers as a table; closing it closes the content. */
export async function openNpyTable(content: Content): Promise<Table> {
  const header = await readHeader(content);
  return openTableOf(content, header, storedAs(parseDType(content.name, header.descr)));
}

/** Where the numbers of a file are, in any format. */
export type ArrayLayout = Pick<NpyHeader, 'shape' | 'fortranOrder' | 'dataOffset'>;

/** Makes a table of a 2-d array of numbers whose header, of any format, was already read. */
export function openTableOf(content: Content, header: ArrayLayout, stored: StoredNumbers): Table {
  const { name } = content;
  const { rows, cols } = requireRows(name, header.shape);
  checkPromise(content, header, stored.size);
  const { precision } = stored;
  const load = (out: FloatArray) => loadNumbers(content, header, stored, out);
  const close = () => content.close();
  const verify = content.checksummed ? () => withReader(content, (reader) => reader.finish!()) : undefined;
  const shape = { name, rows, cols, precision, budget: content.budget, load, close, ...(verify && { verify }) };
  if (header.fortranOrder) return { ...shape, stream: () => streamColumnsAsRows(content, header, stored) };
  const stream = () => streamInOrder(content, header, stored);
  const { bytes } = content;
  if (!bytes) return { ...shape, stream };
  const loadRows = async (start: number, out: FloatArray) => {
    await stored.read(sequentialReader(bytes, header.dataOffset + start * cols * stored.size), out);
    await bytes.requireUnchanged();
  };
  return { ...shape, stream, loadRows };
}

/** Reads a whole array of numbers or text, of any number of dimensions. */
export async function readNpyArray(content: Content): Promise<NpyArray> {
  const header = await readHeader(content);
  const { descr: dtype, shape } = header;
  const text = parseTextType(dtype);
  if (text) return { dtype, shape, data: await loadText(content, header, text) };
  const stored = storedAs(parseDType(content.name, dtype));
  checkPromise(content, header, stored.size);
  const data = allocateOrRefuse(content, stored.precision, shape);
  await loadNumbers(content, header, stored, data);
  return { dtype, shape, data };
}

/** Rejects an array that cannot be in its file or that expands too far, before anything is allocated. */
function checkPromise(content: Content, { shape, dataOffset, fortranOrder }: ArrayLayout, size: number): void {
  const bytes = elementCount(shape) * size;
  if (dataOffset + bytes <= content.atMost) {
    if (content.packed !== undefined) content.budget.unpack(dataOffset + bytes, content.packed);
    return;
  }
  const promised = `${shape.length === 0 ? 1 : shape.join(' × ')} numbers (${byteCount(bytes)})`;
  const held = byteCount(content.byteLength);
  const [rows, ...rest] = shape;
  const whole = Math.floor((content.byteLength - dataOffset) / (elementCount(rest) * size));
  const ending =
    content.packed === undefined && shape.length === 2 && !fortranOrder ? `, ${whole} of ${rows} rows` : '';
  throw new InputError(`${content.name}: declares ${promised} but holds ${held}${ending}.`);
}

export async function withReader<T>(content: Content, use: (reader: ByteReader) => Promise<T>): Promise<T> {
  const reader = content.reader();
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

/** Reads content from its first number on. */
const withNumbers = <T>(
  content: Content,
  { dataOffset }: ArrayLayout,
  use: (reader: ByteReader) => Promise<T>,
): Promise<T> =>
  withReader(content, async (reader) => {
    await skip(reader, dataOffset);
    const found = await use(reader);
    await reader.finish?.();
    return found;
  });

function loadNumbers(content: Content, header: ArrayLayout, stored: StoredNumbers, out: FloatArray): Promise<void> {
  const { shape, fortranOrder } = header;
  return withNumbers(content, header, (reader) =>
    fortranOrder && shape.length > 1 ? scatterRuns(reader, shape, stored, out) : stored.read(reader, out),
  );
}

/** Reads Fortran order: runs along the first index, whose elements are `stride` apart in C order. */
async function scatterRuns(
  reader: ByteReader,
  shape: readonly number[],
  stored: StoredNumbers,
  out: FloatArray,
): Promise<void> {
  const [length, ...others] = shape;
  const stride = elementCount(others);
  const piece = allocate(stored.precision, Math.min(out.length, PIECE_LENGTH));
  for (let at = 0; at < out.length; at += piece.length) {
    const part = piece.subarray(0, Math.min(piece.length, out.length - at)) as FloatArray;
    await stored.read(reader, part);
    for (let i = 0; i < part.length; ) {
      const first = (at + i) % length;
      const count = Math.min(length - first, part.length - i);
      const offset = runOffset((at + i - first) / length, others) + first * stride;
      for (let k = 0; k < count; k++) out[offset + k * stride] = part[i + k];
      i += count;
    }
  }
}

/** Returns the C-order offset of the run-th combination of the other indices, counted in Fortran order. */
function runOffset(run: number, others: readonly number[]): number {
  let offset = 0;
  let rest = run;
  let stride = elementCount(others);
  for (const size of others) {
    stride /= size;
    offset += (rest % size) * stride;
    rest = Math.floor(rest / size);
  }
  return offset;
}

async function* streamInOrder(
  content: Content,
  header: ArrayLayout,
  stored: StoredNumbers,
): AsyncGenerator<FloatArray> {
  const total = elementCount(header.shape);
  const piece = allocate(stored.precision, Math.min(total, PIECE_LENGTH));
  const reader = content.reader();
  try {
    await skip(reader, header.dataOffset);
    for (let at = 0; at < total; at += piece.length) {
      const part = piece.subarray(0, Math.min(piece.length, total - at)) as FloatArray;
      await stored.read(reader, part);
      yield part;
    }
    await reader.finish?.();
  } finally {
    await reader.close();
  }
}

/** Gathers each block of rows from the same part of every column; unpacks compressed content first. */
async function* streamColumnsAsRows(
  content: Content,
  header: ArrayLayout,
  stored: StoredNumbers,
): AsyncGenerator<FloatArray> {
  const [rows, cols] = header.shape;
  const { precision } = stored;
  const { name, budget, platform } = content;
  const inOrder = () => bytesOfEach(streamInOrder(content, header, stored));
  const bytes = content.bytes ?? (await platform.spool(name, inOrder(), budget.limits));
  const size = bytesPerNumber(precision);
  const [numbers, origin] = content.bytes
    ? [stored, header.dataOffset]
    : [storedAs({ kind: 'f', size, bigEndian: false }), 0];
  const height = Math.min(rows, Math.max(1, Math.floor((8 * PIECE_LENGTH) / cols)));
  const block = allocate(precision, height * cols);
  const column = allocate(precision, height);
  try {
    for (let start = 0; start < rows; start += height) {
      const count = Math.min(height, rows - start);
      const part = column.subarray(0, count) as FloatArray;
      for (let j = 0; j < cols; j++) {
        await numbers.read(sequentialReader(bytes, origin + (j * rows + start) * numbers.size), part);
        for (let i = 0; i < count; i++) block[i * cols + j] = part[i];
      }
      yield block.subarray(0, count * cols) as FloatArray;
    }
  } finally {
    if (bytes !== content.bytes) await bytes.close();
  }
}

async function loadText(content: Content, header: NpyHeader, type: TextType): Promise<string[]> {
  const { name, budget } = content;
  const { shape, fortranOrder } = header;
  if (fortranOrder && shape.length > 1) throw new InputError(`${name}: text must be in C order.`);
  checkPromise(content, header, Math.max(1, type.width));
  const count = elementCount(shape);
  budget.holdStrings(count, 2 * count * type.width, 'elements of text');
  const bytes = new Uint8Array(count * type.width);
  await withNumbers(content, header, (reader) => readFully(reader, bytes));
  return decodeText(name, bytes, count, type);
}
