/** Patches that a limit leaves are the only ones that are cut out. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FloatArray } from '#src/core/matrix.ts';
import { ReadBudget, readLimits } from '#src/io/bytes/budget.ts';
import type { Bytes } from '#src/io/bytes/bytes.ts';
import { limitPatches, openPictureTable } from '#src/io/codecs/picture/table.ts';
import type { Table } from '#src/io/tables/table.ts';
import { joinTables } from '#src/node/io/many-files.ts';
import { spread } from '#src/pictures/patch-grid.ts';
import { patchesOf } from '#src/pictures/patches.ts';
import type { Picture } from '#src/pictures/picture.ts';

const pictureOf = (width: number, height: number): Picture => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height }, (_, k) => (k * 7919) % 251),
});

function tableOf(picture: Picture, patches: { width: number; height: number }): Promise<Table> {
  const bytes = { name: 'p.png', budget: new ReadBudget('p.png', 1, readLimits()), close: async () => {} };
  const decoder = { decode: async () => picture, size: async () => picture };
  return openPictureTable(bytes as unknown as Bytes, { patches }, decoder);
}

async function numbersOf(pieces: AsyncIterable<FloatArray>): Promise<number[]> {
  const all: number[] = [];
  for await (const piece of pieces) all.push(...piece);
  return all;
}

it('cuts as many numbers as are kept, of a picture of any size', async () => {
  const [side, limit] = [900, 50];
  const table = await tableOf(pictureOf(side, side), { width: 8, height: 8 });
  let cut = 0;
  const counted: Table = {
    ...table,
    async *stream(only) {
      if (!only) throw new Error('all patches were cut');
      for await (const piece of table.stream(only)) {
        cut += piece.length;
        yield piece;
      }
    },
  };
  const limited = limitPatches(counted, { limit }, () => {});
  await limited.load(new Float32Array(limit * 64));
  expect([limited.rows, cut]).toEqual([limit, 64 * limit]);
});

it('takes the same patches as patchesOf, from several pictures too', async () => {
  const side = fc.integer({ min: 4, max: 12 });
  await fc.assert(
    fc.asyncProperty(side, side, side, fc.integer({ min: 1, max: 120 }), fc.nat(99), async (w, h, w2, limit, seed) => {
      const pictures = [pictureOf(w, h), pictureOf(w2, h)];
      const size = { width: 3, height: 2 };
      const tables = await Promise.all(pictures.map((picture) => tableOf(picture, size)));
      const all = pictures.flatMap((picture) => {
        const { rows, cols, data } = patchesOf(picture, size);
        return Array.from({ length: rows }, (_, j) => [...data.subarray(j * cols, (j + 1) * cols)]);
      });
      const joined = joinTables('both', tables);
      expect(await numbersOf(joined.stream())).toEqual(all.flat());
      const limited = limitPatches(joined, { limit, seed }, () => {});
      const chosen = spread(all.length, limit, seed);
      expect(await numbersOf(limited.stream())).toEqual([...chosen].flatMap((j) => all[j]));
    }),
    { numRuns: 30 },
  );
});
