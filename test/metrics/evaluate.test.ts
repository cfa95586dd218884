/** What is missing is what encoding and decoding lose, for every kind of dictionary. */
import { describe, expect, it } from 'vitest';
import {
  fromRows,
  identity,
  type Matrix,
  type Matrix64,
  row,
  rowRange,
  scaleRows,
  selectRows,
  transpose,
  unitRows,
  zeros,
} from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { dctAtoms } from '#src/dictionaries/dct.ts';
import { denseDictionary } from '#src/dictionaries/dense.ts';
import type { Dictionary } from '#src/dictionaries/dictionary.ts';
import { givensDictionary } from '#src/dictionaries/givens.ts';
import { householderDictionary } from '#src/dictionaries/householder.ts';
import { overcompleteDictionary } from '#src/dictionaries/overcomplete.ts';
import { pcaAtoms } from '#src/dictionaries/pca.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { solve } from '#src/linalg/lu.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { evaluate } from '#src/metrics/evaluate.ts';
import { kurtosis } from '#src/metrics/sparsity.ts';
import { topResiduals } from '#src/metrics/top-residual.ts';
import { testSeed } from '../helpers/seed.ts';

const random = createRandom(testSeed(97), 'evaluate');
const N = 9;
const samples = normalMatrix(700, N, random);
const mean = Float64Array.from({ length: N }, (_, k) => 0.1 * k);
const orthogonal = randomOrthogonal(N, random);
const skewed = unitRows(normalMatrix(N, N, random));

const kinds: [string, Dictionary][] = [
  ['orthogonal', denseDictionary({ atoms: orthogonal })],
  ['fewer atoms than features, with a mean', denseDictionary({ atoms: selectRows(orthogonal, [0, 1, 2, 3]), mean })],
  ['complete', denseDictionary({ atoms: skewed, encoder: transpose(solve(skewed, identity(N))!), mean })],
  ['atoms of another program', denseDictionary({ atoms: skewed })],
  ['reflectors', householderDictionary({ reflectors: unitRows(normalMatrix(2, N, random)), mean })],
  [
    'rotations',
    givensDictionary({
      rotations: fromRows([
        [0, 3, 0.6, 0.8],
        [3, 5, 0.8, -0.6],
      ]),
      order: [1, 0, 2, 3, 4, 5, 6, 7, 8],
      signs: [1, -1, 1, 1, 1, 1, 1, 1, 1],
    }),
  ],
  ['overcomplete', overcompleteDictionary({ atoms: normalMatrix(2 * N, N, random), keep: 3, mean })],
];

/** The share of the energy about the mean that encoding with k codes and decoding loses. */
async function lost(dictionary: Dictionary, Y: Matrix, k: number): Promise<number> {
  const again = await dictionary.decode(await dictionary.encode(Y, { keep: k }));
  let [left, energy] = [0, 0];
  Y.data.forEach((y, i) => {
    left += (y - again.data[i]) ** 2;
    energy += (y - (dictionary.mean?.[i % Y.cols] ?? 0)) ** 2;
  });
  return left / energy;
}

describe.each(kinds)('%s', (_, dictionary) => {
  it('misses what encoding and decoding lose', async () => {
    const { keep, model } = await evaluate(dictionary, samples, { keep: [4, 1, 9, 4], compare: false });
    expect(keep).toEqual([1, 4, 9]);
    for (const [at, k] of keep.entries()) expect(model.missing[at]).toBeCloseTo(await lost(dictionary, samples, k), 11);
  });

  it('describes its codes', async () => {
    const { model, atomUse } = await evaluate(dictionary, samples);
    const codes = await dictionary.encode(samples);
    expect(model.kurtosis).toBeCloseTo(kurtosis(codes), 9);
    const { energy, used, needed } = byHand(codes);
    expect(atomUse.energy).toEqual(energy.map((share) => expect.closeTo(share, 12)));
    expect(atomUse.used).toEqual(used.map((share) => expect.closeTo(share, 12)));
    expect([model.codesFor90, model.codesFor99]).toEqual(needed.map((count) => expect.closeTo(count, 12)));
  });
});

/** Sorts the codes of every sample. */
function byHand(codes: Matrix): { energy: number[]; used: number[]; needed: number[] } {
  const energy = new Array<number>(codes.cols).fill(0);
  const used = [...energy];
  const needed = [0.9, 0.99].map((share) => {
    let count = 0;
    for (let j = 0; j < codes.rows; j++) {
      const squares = Array.from(row(codes, j), (x) => x ** 2);
      const all = squares.reduce((a, b) => a + b, 0);
      const order = squares.map((_, i) => i).sort((a, b) => squares[b] - squares[a]);
      let held = 0;
      for (const i of order) {
        if (held >= share * all) break;
        held += squares[i];
        count++;
        if (share === 0.99) used[i] += 1 / codes.rows;
      }
      if (share === 0.9) for (const [i, square] of squares.entries()) energy[i] += square;
    }
    return count / codes.rows;
  });
  const total = energy.reduce((a, b) => a + b, 0);
  return { energy: energy.map((value) => value / total), used, needed };
}

describe('beside it', () => {
  const dictionary = denseDictionary({ atoms: orthogonal });

  it('are principal components of the samples, and the cosine transform of their shape', async () => {
    const keep = [1, 2, 5];
    const found = await evaluate(
      dictionary,
      { ...memorySource(samples), patch: { width: 3, height: 3, channels: 1 } },
      { keep },
    );
    expect(found).toMatchObject({ pcaOf: 'these samples', dctShape: '3x3' });
    const close = (values: number[]) => values.map((value) => expect.closeTo(value, 11));
    expect(found.pca?.missing).toEqual(close(topResiduals(samples, await pcaAtoms(samples), keep)));
    expect(found.dct?.missing).toEqual(close(topResiduals(samples, dctAtoms(3, 3), keep)));
    const flat = await evaluate(dictionary, samples, { keep, dctShape: '1x9' });
    expect(flat.dct?.missing).toEqual(close(topResiduals(samples, dctAtoms(9, 1), keep)));
  });

  it('is the transform that misses less, of a signal and of a square picture, where nothing tells the shape', async () => {
    const side = 4;
    const walk = (rows: number) => {
      const steps = normalMatrix(rows, side * side, random);
      for (let k = 1; k < steps.data.length; k++) if (k % steps.cols > 0) steps.data[k] += 0.95 * steps.data[k - 1];
      return steps;
    };
    const slopes = (rows: number) => {
      const [across, down] = [normalMatrix(rows, 1, random), normalMatrix(rows, 1, random)];
      const noise = normalMatrix(rows, side * side, random);
      return {
        ...noise,
        data: noise.data.map((value, k) => {
          const [j, i] = [Math.floor(k / noise.cols), k % noise.cols];
          return 0.1 * value + across.data[j] * ((i % side) - 1.5) + down.data[j] * (Math.floor(i / side) - 1.5);
        }),
      };
    };
    const model = denseDictionary({ atoms: identity(side * side) });
    for (const [data, shape, other] of [
      [walk(500), '1x16', '4x4'],
      [slopes(500), '4x4', '1x16'],
    ] as const) {
      const found = await evaluate(model, data, { keep: [2, 4] });
      expect(found.dctShape).toBe(shape);
      expect(found.dct).toEqual((await evaluate(model, data, { keep: [2, 4], dctShape: shape })).dct);
      const worse = (await evaluate(model, data, { keep: [2, 4], dctShape: other })).dct!;
      expect(found.dct!.missing[0] + found.dct!.missing[1]).toBeLessThan(worse.missing[0] + worse.missing[1]);
    }
  });

  it('is the transform of colour for patches in colour', async () => {
    const colour = normalMatrix(50, 2 * 2 * 3, random);
    const model = denseDictionary({ atoms: identity(12) });
    const source = { ...memorySource(colour), patch: { width: 2, height: 2, channels: 3 } as const };
    const found = await evaluate(model, source, { keep: [3] });
    expect(found.dctShape).toBe('2x2x3');
    expect(found.dct?.missing).toEqual([expect.closeTo(topResiduals(colour, dctAtoms(2, 2, 3), [3])[0], 11)]);
    const grey = row(dctAtoms(2, 2, 3), 0); // the first atom: all pixels the same, in all channels
    expect([...grey]).toEqual(Array.from({ length: 12 }, () => expect.closeTo(Math.sqrt(1 / 12), 12)));
  });

  it('is no basis of more features than are worth it', async () => {
    const wide = householderDictionary({ reflectors: unitRows(normalMatrix(1, 2049, random)) });
    const found = await evaluate(wide, normalMatrix(3, 2049, random));
    expect([found.pca, found.dct]).toEqual([undefined, undefined]);
  });
});

describe('odd samples', () => {
  const dictionary = denseDictionary({ atoms: orthogonal });

  it.each([1e200, 1e-200])('may be as large as %d times others', async (factor) => {
    const { atomUse, ...found } = await evaluate(dictionary, samples);
    const { atomUse: other, ...again } = await evaluate(dictionary, scaled(samples, factor));
    expect(again.model.missing).toEqual(found.model.missing.map((value) => expect.closeTo(value, 12)));
    expect(again.pca?.missing[2]).toBeCloseTo(found.pca!.missing[2], 12);
    expect(other.unused).toEqual(atomUse.unused);
  });

  it('may be one, of one feature, or zero but for one', async () => {
    const one = await evaluate(denseDictionary({ atoms: identity(1) }), fromRows([[3]]));
    expect(one).toMatchObject({ keep: [1], samples: 1, dctShape: '1x1', model: { missing: [0], codesFor99: 1 } });
    const lonely = zeros(50, N);
    lonely.data.set(row(samples, 0), 0);
    const { model } = await evaluate(dictionary, lonely, { keep: [2] });
    expect(model.missing[0]).toBeCloseTo(
      (await evaluate(dictionary, rowRange(lonely, 0, 1), { keep: [2] })).model.missing[0],
      12,
    );
    expect(model.codesFor99).toBeLessThanOrEqual(N / 50);
  });

  it('are found out where they say nothing', async () => {
    const broken = zeros(5, N);
    await expect(evaluate(dictionary, broken)).rejects.toThrow(
      'evaluate: samples must be different from zero somewhere',
    );
    broken.data[2 * N + 1] = Number.NaN;
    await expect(evaluate(dictionary, broken)).rejects.toThrow('samples must be finite; got NaN at row 2, column 1.');
    const equal = { rows: 2, cols: N, data: Float64Array.from([...mean, ...mean]) };
    await expect(evaluate(denseDictionary({ atoms: orthogonal, mean }), equal)).rejects.toThrow(
      'the mean of the model',
    );
    await expect(evaluate(dictionary, zeros(4, 8))).rejects.toThrow(
      'of 9 columns, one per feature of the dictionary; got 4×8',
    );
    await expect(evaluate(dictionary, samples, { keep: [10] })).rejects.toThrow('keep must be at most 9');
    await expect(evaluate(dictionary, samples, { dctShape: '2x4' })).rejects.toThrow('dctShape must be of 9 numbers');
  });
});

it('names the atoms that the samples do not use', async () => {
  const codes = normalMatrix(300, N, random);
  for (let j = 0; j < codes.rows; j++) codes.data[j * N + 4] = 0;
  const dictionary = denseDictionary({ atoms: orthogonal });
  const { atomUse } = await evaluate(dictionary, await dictionary.decode(codes));
  expect(atomUse.unused).toEqual([4]);
});

const scaled = (matrix: Matrix, factor: number): Matrix64 =>
  scaleRows(matrix, new Float64Array(matrix.rows).fill(factor));
