/** Files of samples in every format: read at once and piece by piece, against NumPy. */
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import type { FloatArray, Matrix } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import type { Source } from '#src/engine/source/source.ts';
import { readArray, readMatrix } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { wav } from '../../helpers/wav.ts';
import { type FileTarget, fileTarget, outcomeOf, type WholeFile } from '../files.ts';
import { closeOracle, requireSameNumbers } from '../oracle.ts';
import { drawCsv } from './csv-text.ts';

const random = createRandom(1, 'fuzz files');
const numbers = (count: number) => Float64Array.from({ length: count }, () => random.normal());
const bytesOf = (array: ArrayBufferView) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** A .npy file, by the letter of the format. */
export function npy(descr: string, shape: readonly number[], data: Uint8Array, fortran = false): Uint8Array {
  const tuple = `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${tuple}, }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const header = Buffer.alloc(10 + length, ' ');
  header.write('\x93NUMPY\x01\x00', 'latin1');
  header.writeUInt16LE(length, 8);
  header.write(text, 10);
  header[header.length - 1] = 10;
  return Buffer.concat([header, data]);
}

const text = (value: string) => npy(`<U${value.length}`, [], Buffer.from(Uint32Array.from(Buffer.from(value)).buffer));

const alone = (name: string, bytes: Uint8Array): WholeFile => ({ name, parts: [bytes], pack: ([part]) => part });
const gzipped = (name: string, bytes: Uint8Array): WholeFile => ({
  name,
  parts: [bytes],
  pack: ([part]) => gzipSync(part, { level: 1 }),
});

/** An archive by another writer than ours; edits inside a member leave its checksum valid. */
export function archive(name: string, members: Readonly<Record<string, Uint8Array>>, level: 0 | 6): WholeFile {
  const names = Object.keys(members);
  return {
    name,
    parts: Object.values(members),
    pack: (parts) => zipSync(Object.fromEntries(names.map((member, k) => [`${member}.npy`, parts[k]])), { level }),
  };
}

const NPY_WORDS = [
  '<f8',
  '>f4',
  '<f2',
  '|b1',
  '<i8',
  '|u1',
  '<c8',
  '|O',
  '<U3',
  '|S1',
  'True',
  '(',
  ')',
  ',',
  "'",
  '\n',
]
  .concat([
    '-1',
    '0',
    '1e9',
    '99999999999999999999',
    '18446744073709551616',
    '4294967296',
    '\x02\x00',
    '\x03',
    '#',
    '\\',
  ])
  .concat(["'shape'", "'descr'", "('x', '<f8')", '{', '}', 'L', '_', '()', '(6, 3)', '(18,)', '(3, 6)', '(2, 3, 3)']);

const npyFiles = (): Record<string, Uint8Array> => ({
  f8: npy('<f8', [6, 3], bytesOf(numbers(18))),
  columns: npy('<f8', [6, 3], bytesOf(numbers(18)), true),
  f4: npy('<f4', [5, 4], bytesOf(Float32Array.from(numbers(20)))),
  half: npy('<f2', [5, 4], bytesOf(Uint16Array.from({ length: 20 }, () => random.integer(65536)))),
  big: npy('>f8', [6, 3], bytesOf(numbers(18)).swap64()),
  whole: npy('<i8', [4, 4], bytesOf(BigInt64Array.from({ length: 16 }, (_, i) => BigInt(i) ** 16n))),
  flags: npy('|b1', [8, 5], Buffer.from(Array.from({ length: 40 }, () => random.integer(2)))),
});

function idx(): Uint8Array {
  const data = Buffer.alloc(4 + 12 + 5 * 12, 7);
  data.set([0, 0, 8, 3, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 3]);
  return data;
}

/** Reads the file in memory and piece by piece: the same numbers, or refused both times. */
export async function readBothWays(spec: string): Promise<Matrix | undefined> {
  let matrix: Matrix | undefined;
  const outcome = await outcomeOf(
    readMatrix(spec).then((read) => {
      matrix = read;
    }),
  );
  let pieces: Matrix | undefined;
  const other = await outcomeOf(
    readInPieces(spec).then((read) => {
      pieces = read;
    }),
  );
  // what is read piece by piece is for learning, and must be finite
  if (matrix && !matrix.data.every(Number.isFinite) && other === 'refused') return matrix;
  if (outcome !== other) throw new Error(`${outcome} at once, ${other} piece by piece`);
  if (matrix && pieces && !sameBytes(matrix.data, pieces.data)) throw new Error('other numbers piece by piece');
  if (!matrix) await readMatrix(spec); // throws the refusal
  return matrix;
}

const readInPieces = async (spec: string): Promise<Matrix> => readMatrixOf(await openSource(spec, { memoryLimit: 0 }));

/** All rows of a source, in small pieces; closes it. */
export async function readMatrixOf(source: Source): Promise<Matrix> {
  try {
    const { rows, cols, precision } = source;
    const data = precision === 'f32' ? new Float32Array(rows * cols) : new Float64Array(rows * cols);
    for (let start = 0; start < rows; start += 3) {
      data.set((await source.read(start, Math.min(rows, start + 3))).data, start * cols);
    }
    return { rows, cols, data };
  } finally {
    await source.close?.();
  }
}

const sameBytes = (a: FloatArray, b: FloatArray) => Buffer.compare(bytesOf(a), bytesOf(b)) === 0;

/** `kind`: the reader of the oracle. */
const readSamples =
  (kind: string, array?: string) =>
  async (path: string): Promise<void> => {
    const matrix = await readBothWays(array === undefined ? path : `${path}:${array}`);
    if (matrix) await requireSameNumbers({ ...matrix, shape: [matrix.rows, matrix.cols] }, kind, path, array);
  };

/** Arrays of any number of dimensions. */
async function readAnyShape(path: string): Promise<void> {
  const { shape, data } = await readArray(path);
  if (!Array.isArray(data)) await requireSameNumbers({ shape, data }, 'npy', path);
}

const targets: readonly FileTarget[] = [
  {
    name: 'npy',
    about: '.npy and .npy.gz: refused, or the numbers that NumPy reads',
    cases: 1500,
    words: NPY_WORDS,
    whole: () =>
      Object.entries(npyFiles()).flatMap(([name, bytes]) => [
        alone(`${name}.npy`, bytes),
        gzipped(`${name}.npy.gz`, bytes),
      ]),
    read: async (path) => {
      await outcomeOf(readAnyShape(path));
      await readSamples('npy')(path);
    },
    close: closeOracle,
  },
  {
    name: 'npz',
    about: '.npz, stored and deflated: refused, or the numbers that NumPy reads',
    cases: 1500,
    words: NPY_WORDS,
    whole: () =>
      Object.entries(npyFiles()).flatMap(([name, bytes]) => {
        const members = { other: npy('<f4', [2], Buffer.alloc(8)), samples: bytes, meta: text('{}') };
        return [archive(`${name}.npz`, members, 0), archive(`${name}-deflated.npz`, members, 6)];
      }),
    read: async (path) => {
      await outcomeOf(readBothWays(path)); // the array is chosen by the program
      await readSamples('npz', 'samples')(path);
    },
    close: closeOracle,
  },
  {
    name: 'idx',
    about: 'IDX, also gzipped: refused, or the numbers that NumPy reads',
    cases: 800,
    words: ['\x08', '\x09', '\x0b', '\x0c', '\x0d', '\x0e', '\x01', '\x02', '\xff'],
    whole: () => [alone('a.idx', idx()), gzipped('a.idx.gz', idx()), alone('t10k-ubyte', idx())],
    read: readSamples('idx'),
    close: closeOracle,
  },
  {
    name: 'wav',
    about: 'WAV: refused, or the numbers that Python reads',
    cases: 800,
    words: [
      'RIFF',
      'RF64',
      'WAVE',
      'fmt ',
      'data',
      'ds64',
      'LIST',
      '\x01\x00',
      '\x03\x00',
      '\xfe\xff',
      '\x18\x00',
      '\xff',
    ],
    whole: () =>
      [
        { format: 1, bits: 8 },
        { format: 1, bits: 16 },
        { format: 1, bits: 24, extensible: true },
        { format: 3, bits: 32 },
        { format: 3, bits: 64, extensible: true },
      ].map((parts, k) => alone(`${k}.wav`, wav({ ...parts, channels: 2, data: Buffer.alloc(48, 129 + k) }))),
    read: readSamples('wav'),
    close: closeOracle,
  },
  {
    name: 'csv',
    about: '.csv and .tsv, also gzipped: refused, or the numbers that Python reads',
    cases: 1500,
    words: [
      ',',
      ';',
      '\t',
      '"',
      '""',
      '\r',
      '\n',
      '\r\n',
      '\ufeff',
      '\u00a0',
      '\u3000',
      '\u2009',
      'NA',
      'NaN',
      'inf',
      '-',
    ]
      .concat(['+', '.', 'e', 'E5', '1e999', '-1e-999', '0x10', '0b1', '1_0', '١', '1,5', '', ' ', '\0', '"1""2"', 'x'])
      .concat(['Infinity', '-inf', '1.', '.5', '+.5e-3', '--1', '1e', '1.2.3', '9'.repeat(400), '\u202e', '\x1b[31m']),
    whole: () =>
      [1, 2, 3, 4].flatMap((seed) => {
        const { name, bytes } = drawCsv(createRandom(seed, 'csv'));
        return [alone(name, bytes), gzipped(`${name}.gz`, bytes)];
      }),
    read: readSamples('csv'),
    close: closeOracle,
  },
];

export const sampleTargets = targets.map(fileTarget);
