/** The reader of the one R data file that an experiment uses. */

import { row } from 'orthodict/extend';
import { expect, it } from 'vitest';
import { missingDataPackage } from '#lab/data-package.ts';
import { ARRAYS, GENES, golub, matrixOf } from '#lab/experiments/sparse-pca/golub.ts';

const HEAD = Buffer.concat([
  Buffer.from('RDX2\nX\n', 'latin1'),
  Buffer.from('000000020002020f000203000000040200000001000000090000000567', 'hex'), // as R writes it, to the g of golub
  Buffer.from('olub', 'latin1'),
]);

function fileOf(flags: number, count: number): Buffer {
  const file = Buffer.alloc(HEAD.length + 8 + 8 * count);
  HEAD.copy(file);
  file.writeUInt32BE(flags, HEAD.length);
  file.writeUInt32BE(count, HEAD.length + 4);
  for (let at = 0; at < count; at++) file.writeDoubleBE(at / 8, HEAD.length + 8 + 8 * at);
  return file;
}

it('has an array, a column of R, in every row', () => {
  const matrix = matrixOf(fileOf(0x20e, GENES * ARRAYS));
  expect([matrix.rows, matrix.cols]).toEqual([ARRAYS, GENES]);
  expect([...row(matrix, 2).subarray(0, 2)]).toEqual([(2 * GENES) / 8, (2 * GENES + 1) / 8]);
});

it('refuses other files', () => {
  for (const file of [
    fileOf(0x20e, 5),
    fileOf(0x0d, GENES * ARRAYS),
    Buffer.from('RDX3\nX\n golub'),
    Buffer.alloc(0),
  ]) {
    expect(() => matrixOf(file)).toThrow('golub.RData must begin with the matrix golub, 3051×38');
  }
});

it('says how to get the file if it is missing', () => {
  expect(missingDataPackage({ ...golub, debian: 'nowhere/golub.RData' })).toContain('apt-get download r-bioc-multtest');
});
