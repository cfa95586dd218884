/** Word counts as text and as sparse arrays, against a reader in Python. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Counts } from '#src/core/counts.ts';
import { readCounts } from '#src/node/io/counts.ts';
import { fileTarget, type WholeFile } from '../files.ts';
import { askOracle, closeOracle } from '../oracle.ts';
import { archive, npy } from './samples.ts';

const TEXTS = {
  uci: '4\n5\n7\n1 1 2\n1 3 1\n2 2 4\n2 5 1\n3 1 1\n4 4 9\n4 5 1\n',
  plain: '0 0 2\n0 3 1\n1 2 4\n2 0 10\n3 4 1\n',
  named: '1 night 2\n1 dark 1\n2 and 3\n2 stormy 1\n3 night 1\n',
  commas: '1,1,2\r\n2,2,1\r\n3,1,4\r\n',
};

const ints = (values: readonly number[]) => npy('<i4', [values.length], Buffer.from(Int32Array.from(values).buffer));

function whole(): WholeFile[] {
  const texts = Object.entries(TEXTS).flatMap(([name, text]): WholeFile[] => [
    { name: `${name}.txt`, parts: [Buffer.from(text)], pack: ([part]) => part },
    { name: `${name}.txt.gz`, parts: [Buffer.from(text)], pack: ([part]) => gzipSync(part, { level: 1 }) },
  ]);
  const sparse = {
    data: ints([2, 1, 4, 1, 1]),
    indices: ints([0, 2, 1, 0, 3]),
    indptr: ints([0, 2, 3, 5]),
    shape: npy('<i8', [2], Buffer.from(BigInt64Array.of(3n, 4n).buffer)),
    format: npy('|S3', [], Buffer.from('csr')),
  };
  return [...texts, archive('sparse.npz', sparse, 0), archive('sparse-deflated.npz', sparse, 6)];
}

/** Documents, words and their counts, without zeros, entries of the same place added up. */
function listed({ rows, data, indices, indptr }: Counts): number[][] {
  const total = new Map<string, number[]>();
  for (let document = 0; document < rows; document++) {
    for (let at = indptr[document]; at < indptr[document + 1]; at++) {
      const key = `${document} ${indices[at]}`;
      const before = total.get(key)?.[2] ?? 0;
      total.set(key, [document, indices[at], before + data[at]]);
    }
  }
  return [...total.values()].filter(([, , count]) => count > 0).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

export const counts = fileTarget({
  name: 'counts',
  about: 'word counts as text and sparse arrays: refused, or the counts that Python reads',
  cases: 1200,
  words: [
    ' ',
    ',',
    '\t',
    '\n',
    '\r\n',
    '0',
    '1',
    '-1',
    '1.7',
    '4294967299',
    '2147483647',
    'nan',
    '1e3',
    '0x1',
    'word',
  ].concat([
    '\u00a0',
    '\u3000',
    '"',
    '\ufeff',
    '9'.repeat(30),
    '<f8',
    '<i8',
    '<u2',
    '(6,)',
    '(1,)',
    '(2, 3)',
    'csc',
    '',
  ]),
  whole,
  read: async (path) => {
    const read = (await readCounts(path)).counts;
    const answer = await askOracle('counts', path);
    if (!answer) return;
    if (answer.refused !== undefined)
      throw new Error(`read ${read.rows}×${read.cols} counts; Python: ${answer.refused}`);
    const hash = createHash('sha1')
      .update(JSON.stringify(listed(read)))
      .digest('hex');
    if (answer.hash !== hash || JSON.stringify(answer.shape) !== JSON.stringify([read.rows, read.cols])) {
      throw new Error(`read ${read.rows}×${read.cols} counts ${hash} where Python reads ${JSON.stringify(answer)}`);
    }
  },
  close: closeOracle,
});
