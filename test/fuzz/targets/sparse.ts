/** Sparse matrices as SciPy writes them, against a reader in Python. */
import { openTable } from '#src/node/io/file-source.ts';
import { fileTarget, type WholeFile } from '../files.ts';
import { closeOracle, requireSameNumbers } from '../oracle.ts';
import { archive, npy, readBothWays } from './samples.ts';

const bytesOf = (array: ArrayBufferView) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

function whole(): WholeFile[] {
  const values = [0.5, -1, 4, 1e30, 7];
  const kinds = { f4: Float32Array.from(values), f8: Float64Array.from(values) };
  const widths = (numbers: number[]) => ({
    i4: bytesOf(Int32Array.from(numbers)),
    i8: bytesOf(BigInt64Array.from(numbers, BigInt)),
  });
  return (['f4', 'f8'] as const).flatMap((kind) =>
    (['i4', 'i8'] as const).flatMap((width) => {
      const members = {
        indices: npy(`<${width}`, [5], widths([0, 2, 1, 0, 3])[width]),
        indptr: npy(`<${width}`, [4], widths([0, 2, 3, 5])[width]),
        format: npy('|S3', [], Buffer.from('csr')),
        shape: npy('<i8', [2], bytesOf(BigInt64Array.of(3n, 4n))),
        data: npy(`<${kind}`, [5], bytesOf(kinds[kind])),
      };
      return [archive(`${kind}${width}.npz`, members, 0), archive(`${kind}${width}-deflated.npz`, members, 6)];
    }),
  );
}

export const sparse = fileTarget({
  name: 'sparse',
  about: 'sparse matrices in .npz: refused, or the numbers that Python reads',
  cases: 400,
  words: [
    '<f8',
    '<f4',
    '<i8',
    '<i4',
    '|u1',
    '|S3',
    'csc',
    'coo',
    '\x00\x00\x00\x00',
    '\xff\xff\xff\xff',
    '(3,)',
    '-1',
    '0',
  ],
  whole,
  read: async (path) => {
    const { isSparse, close } = await openTable(path);
    await close();
    const matrix = await readBothWays(path);
    if (matrix && isSparse) await requireSameNumbers({ ...matrix, shape: [matrix.rows, matrix.cols] }, 'sparse', path);
  },
  close: closeOracle,
});
