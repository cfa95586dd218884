/** Files with flipped bytes, or cut short, give data or an InputError. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { readArrays } from '#src/node/formats/arrays.ts';
import { openSource } from '#src/node/formats/file-source.ts';
import { readAll, scratchFiles } from './files.ts';

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

/** A test that reads a file over and over, each time damaged in another way. */
export function survives(name: string, whole: () => Uint8Array, runs = 120): void {
  const { put } = scratchFiles();
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
