/** Damaged files give data or an InputError: never another exception, never a hang. */
import { readFileSync } from 'node:fs';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { beforeAll, describe } from 'vitest';
import { writeArray, writeArrays } from '#src/node/formats/arrays.ts';
import { survives } from './damage.ts';
import { scratchFiles } from './files.ts';

const { inDirectory } = scratchFiles();

const matrix = { rows: 6, cols: 3, data: Float64Array.from({ length: 18 }, (_, i) => i / 7) };
const csv = () => Buffer.from('a,b,c\n1,2,3\n-4e5,"5",6\r\n7,8,nan\n');

describe('damaged files', () => {
  beforeAll(async () => {
    await writeArray(inDirectory('whole.npy'), matrix);
    await writeArrays(inDirectory('whole.npz'), {
      samples: matrix,
      mean: { shape: [3], data: new Float32Array(3) },
      meta: '{}',
    });
  });
  survives('a.npy', () => readFileSync(inDirectory('whole.npy')));
  survives('head.npy', () => readFileSync(inDirectory('whole.npy')).subarray(0, 80), 200);
  survives('a.npy.gz', () => gzipSync(readFileSync(inDirectory('whole.npy'))));
  survives('a.npz', () => readFileSync(inDirectory('whole.npz')), 200);
  survives('a.csv', csv);
  survives('a.csv.gz', () => gzipSync(csv()));
  survives('b.tsv', () => Buffer.from(csv().toString().replaceAll(',', '\t')));
  survives('noise.npy', () => deflateRawSync(Buffer.alloc(100)), 20);
});
