/** Damaged files give data or an InputError: never another exception, never a hang. */
import { readFileSync } from 'node:fs';
import { deflateRawSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { readArrays, writeArray, writeArrays } from '#src/node/formats/arrays.ts';
import { openSource } from '#src/node/formats/file-source.ts';
import { describeWithNumpy, python } from '../../helpers/numpy.ts';
import { inDirectory, put, readAll } from './scratch.ts';

interface Damage {
  readonly flips: ReadonlyArray<readonly [number, number]>;
  readonly length: number;
}

const damages: fc.Arbitrary<Damage> = fc.record({
  flips: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 255 })), {
    maxLength: 4,
  }),
  length: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

function damage(bytes: Uint8Array, { flips, length }: Damage): Uint8Array {
  const damaged = Uint8Array.from(bytes.subarray(0, Math.round(length * bytes.length)));
  for (const [place, mask] of flips) damaged[Math.floor(place * (damaged.length - 1))] ^= mask;
  return damaged;
}

async function dataOrRefusal(read: () => Promise<unknown>): Promise<void> {
  await read().catch((error) => expect(error).toBeInstanceOf(InputError));
}

function survives(name: string, whole: () => Uint8Array, runs = 120): void {
  it(`${name} with flipped bytes or cut short`, async () => {
    const bytes = whole();
    await fc.assert(
      fc.asyncProperty(damages, fc.constantFrom(0, 1e9), async (how, memoryLimit) => {
        const path = put(`damaged-${name}`, damage(bytes, how));
        await dataOrRefusal(async () => readAll(await openSource(path, { memoryLimit })));
        if (name.endsWith('.npz')) await dataOrRefusal(() => readArrays(path));
      }),
      { numRuns: runs },
    );
  });
}

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

describeWithNumpy('damaged files of NumPy', () => {
  const write = (call: string, name: string) => {
    python(
      `import sys, numpy as np; np.${call}(sys.argv[1], samples=np.asfortranarray(np.eye(9)), t=np.array('x'))`,
      inDirectory(name),
    );
    return readFileSync(inDirectory(name));
  };
  survives('s.npz', () => write('savez', 'savez.npz'), 200);
  survives('c.npz', () => write('savez_compressed', 'savezc.npz'), 200);
});
