/** More atoms than features: codes by pursuit, samples by a product, and the same after saving and loading. */
import { expect, it } from 'vitest';
import { maxDifference, row, toFloat32 } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { overcompleteDictionary } from '#src/dictionaries/overcomplete.ts';
import { writeArrays } from '#src/node/io/arrays.ts';
import { loadModel, saveModel } from '#src/node/io/model-file.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const random = createRandom(testSeed(9), 'overcomplete');
const scratch = scratchDirectory();
const atoms = normalMatrix(14, 9, random);
const mean = normalMatrix(1, 9, random).data;
const samples = normalMatrix(25, 9, random);
const used = (codes: { data: Float64Array | Float32Array; cols: number; rows: number }, j: number) =>
  Array.from(row(codes, j)).filter((x) => x !== 0).length;

it('uses at most the allowed atoms, fewer on request, and enough to reconstruct the samples', async () => {
  const three = overcompleteDictionary({ atoms, keep: 3, mean });
  expect(used(await three.encode(samples), 4)).toBe(3);
  expect(used(await three.encode(samples, { keep: 2 }), 4)).toBe(2);
  const free = overcompleteDictionary({ atoms, mean });
  // pursuits stop at a relative residual of 1e-6
  expect(maxDifference(await free.decode(await free.encode(samples)), samples)).toBeLessThan(1e-5);
  expect((await three.encode(toFloat32(samples))).data).toBeInstanceOf(Float32Array);
});

it.each([{ keep: 3 }, { residual: 0.3 }, {}, { keep: 4, residual: 0.5 }])(
  'is the same from a file, with %j',
  async (limits) => {
    const dictionary = overcompleteDictionary({ atoms, ...limits, mean });
    const path = scratch.file('model.npz');
    await saveModel(path, { dictionary, meta: { format: 1, options: {} } });
    const loaded = (await loadModel(path)).dictionary;
    expect(loaded.transform.kind).toBe('pursuit');
    // loading normalises the atoms again
    expect(maxDifference(await loaded.encode(samples), await dictionary.encode(samples))).toBeLessThan(1e-12);
  },
);

it('refuses zero atoms, and files with invalid limits', async () => {
  const zero = { rows: 2, cols: 2, data: Float64Array.of(1, 0, 0, 0) };
  expect(() => overcompleteDictionary({ atoms: zero })).toThrow(
    'atoms must be different from zero; got zeros in row 1',
  );
  const path = scratch.file('wrong.npz');
  await writeArrays(path, { atoms, pursuit: { shape: [2], data: Float64Array.of(0, 2) } });
  await expect(loadModel(path)).rejects.toThrow('pursuit must be the most atoms a sample may use');
});
