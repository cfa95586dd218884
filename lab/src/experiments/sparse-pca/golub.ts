/**
 * The gene expression data of Golub et al. 1999 in Debian's package r-bioc-multtest: an R data file whose first object is
 * the matrix `golub`, 3051 genes × 38 arrays. Of R's format (RDX2, big-endian) only what that file begins with is read:
 *
 *     "RDX2\n" "X\n", version 2, two versions of R, then a tagged pair: flags, symbol, CHARSXP, name
 *     REALSXP with attributes (0x20e), a count, that many float64, column by column
 *
 * The file is compressed by xz, which Node cannot undo: the program xz does.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { InputError, type Matrix64 } from 'orthodict';
import { createRandom, randomOrder, selectRows, zeros } from 'orthodict/extend';
import { type DataPackage, dataPackageFile } from '../../data-package.ts';
import { systemCode } from '../../files.ts';

export const GENES = 3051;
export const ARRAYS = 38;

export const golub: DataPackage = {
  name: 'r-bioc-multtest',
  version: '2.54.0',
  debian: 'usr/lib/R/site-library/multtest/data/golub.RData',
};

/** `count` of the arrays, drawn at random; genes are features. */
export async function drawArrays(count: number, seed: number): Promise<Matrix64> {
  const all = matrixOf(await unpacked(dataPackageFile(golub)));
  return selectRows(all, randomOrder(ARRAYS, count, createRandom(seed, 'arrays')).slice(0, count));
}

async function unpacked(file: string): Promise<Buffer> {
  try {
    const options = { encoding: 'buffer', maxBuffer: 2 ** 24 } as const;
    return (await promisify(execFile)('xz', ['-dc', file], options)).stdout;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    throw new InputError(`the program xz is needed to read ${file}; install it (Debian: xz-utils).`);
  }
}

/** Rows are R's columns. */
export function matrixOf(file: Buffer): Matrix64 {
  const name = file.indexOf('golub', 0, 'latin1');
  const flags = name + 'golub'.length;
  const holds =
    file.length >= flags + 8 + 8 * GENES * ARRAYS &&
    file.toString('latin1', 0, 7) === 'RDX2\nX\n' &&
    name > 0 &&
    file.readUInt32BE(flags) === 0x20e &&
    file.readUInt32BE(flags + 4) === GENES * ARRAYS;
  if (!holds) throw new InputError(`reproduce: golub.RData must begin with the matrix golub, ${GENES}×${ARRAYS}.`);
  const matrix = zeros(ARRAYS, GENES);
  for (let at = 0; at < matrix.data.length; at++) matrix.data[at] = file.readDoubleBE(flags + 8 + 8 * at);
  return matrix;
}
