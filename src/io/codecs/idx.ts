/**
 * The IDX format of MNIST and its relatives: two zero bytes, a code for the number type, the number of dimensions, then
 * the dimensions and the numbers, big-endian. The first dimension counts samples; the others (such as rows and columns
 * of pictures) become the features.
 */
import { InputError } from '../../core/errors.ts';
import { type ByteReader, readFully } from '../bytes/bytes.ts';
import type { Content } from '../bytes/content.ts';
import type { Table } from '../tables/table.ts';
import { parseDType, storedAs } from './npy/dtype.ts';
import { requireSizes } from './npy/header.ts';
import { type ArrayLayout, openTableOf, withReader } from './npy/npy.ts';

/** Number types by code, in NumPy's notation. */
const TYPES: Readonly<Record<number, string>> = {
  8: '|u1',
  9: '|i1',
  11: '>i2',
  12: '>i4',
  13: '>f4',
  14: '>f8',
};

export async function openIdxTable(content: Content): Promise<Table> {
  const { type, ...layout } = await withReader(content, readIdxHeader);
  return openTableOf(content, layout, storedAs(parseDType(content.name, TYPES[type])));
}

async function readIdxHeader(reader: ByteReader): Promise<ArrayLayout & { readonly type: number }> {
  const magic = new Uint8Array(4);
  await readFully(reader, magic);
  const [first, second, type, dimensions] = magic;
  if (first !== 0 || second !== 0 || !(type in TYPES)) throw new InputError(`${reader.name}: is not an IDX file.`);
  if (dimensions === 0) throw new InputError(`${reader.name}: must have a dimension for samples; got none.`);
  const sizes = new Uint8Array(4 * dimensions);
  await readFully(reader, sizes);
  const view = new DataView(sizes.buffer);
  const shape = Array.from({ length: dimensions }, (_, k) => view.getUint32(4 * k));
  requireSizes(reader.name, shape);
  const [rows, ...rest] = shape;
  const cols = rest.reduce((product, size) => product * size, 1);
  return { type, fortranOrder: false, shape: [rows, cols], dataOffset: 4 + sizes.length };
}
