/** Preparation before the first step: cheap checks first, no more work than the options need, and it can be aborted. */
import { describe, expect, it } from 'vitest';
import type { Matrix, Matrix64 } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import type { Kernels } from '#src/kernels/kernels.ts';
import { learn } from '#src/learn/learn.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { eigh, eighWithPauses } from '#src/linalg/eigh.ts';
import { bits } from '../helpers/bytes.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { orthonormalityError, product } from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(31);
const numbers = (rows: number, cols: number): Matrix64 => normalMatrix(rows, cols, createRandom(seed, 'preparation'));

/** Kernels that record the sizes of the matrices they decompose and of the covariances they compute. */
function recordingKernels() {
  const eigens: number[] = [];
  const covariances: number[] = [];
  const kernels: Kernels = {
    ...fastKernels,
    eigen(symmetric) {
      eigens.push(symmetric.rows);
      return eigh(symmetric);
    },
    covariance(samples, ...rest) {
      covariances.push(samples.cols);
      return fastKernels.covariance(samples, ...rest);
    },
  };
  return { kernels, eigens, covariances };
}

describe('what does not fit the shape of the data', () => {
  const wide = { rows: 500, cols: 2000 };
  const tall = { rows: 2000, cols: 30 };
  const one = numbers(1, 1);
  it.each<[string, typeof wide, LearnOptions, string]>([
    [
      'fewer samples than features',
      wide,
      {},
      'at least as many as features (2000); got 500; components of 500 or fewer',
    ],
    ['the same, ksvd', wide, { method: 'ksvd' }, 'at least as many as features (2000); got 500.'],
    ['more components than samples', wide, { components: 501 }, 'components must be at most 500'],
    ['more components than features', tall, { components: 31 }, 'components must be at most 30'],
    ['a start of other features', tall, { start: one }, 'start must be 1×30, atoms as rows; got 1×1'],
    ['fewer atoms to start from than components', tall, { components: 3, start: numbers(2, 30) }, 'start must be 3×30'],
    ['a shape of pictures', tall, { method: 'dct', dctShape: '4x4' }, 'dctShape must be of 30 numbers'],
    ['part of a fast transform', tall, { method: 'gtransform', components: 4 }, 'components must be all 30'],
    ['more codes than fit', { rows: 2 ** 27, cols: 30 }, { method: 'givens' }, 'at most 2^29'],
  ])('is refused before a number is read: %s', async (_, shape, options, message) => {
    let reads = 0;
    const read = async (): Promise<Matrix> => {
      reads++;
      return one;
    };
    const source: Source = { ...shape, precision: 'f64', read };
    await expect(learn(source, options)).rejects.toThrow(message);
    expect(reads).toBe(0);
  });
});

describe('decompositions', () => {
  const decomposed = async (samples: Matrix, options: LearnOptions) => {
    const { kernels, eigens, covariances } = recordingKernels();
    const { dictionary } = await learn(samples, Object.assign({ maxIterations: 2 }, options), {
      executor: inlineExecutor(kernels),
    });
    return { dictionary, eigens, covariances };
  };

  it.each([{}, { whiten: 'zca' }, { center: true }] as const)(
    'fewer samples than features: of their size, %j',
    async (more) => {
      const samples = numbers(20, 150);
      const { dictionary, eigens, covariances } = await decomposed(samples, { components: 7, ...more });
      expect(eigens).toEqual([20]);
      expect(covariances).toEqual([]);
      expect([dictionary.components, dictionary.features]).toEqual([7, 150]);
      if (!('whiten' in more)) expect(orthonormalityError(dictionary.atoms)).toBeLessThan(1e-12);
    },
  );

  it('finds the principal components of such samples, however small', async () => {
    const random = createRandom(seed, 'decaying');
    const samples = product(normalMatrix(15, 15, random), normalMatrix(15, 60, random));
    for (let j = 0; j < 15; j++) for (let k = 0; k < 60; k++) samples.data[j * 60 + k] *= 10 ** (-j / 3);
    const { dictionary } = await decomposed(samples, {
      method: 'pca',
      maxIterations: undefined,
      components: 12,
    } as never);
    expect(orthonormalityError(dictionary.atoms)).toBeLessThan(1e-12);
    const { vectors } = eigh(product({ rows: 60, cols: 15, data: columns(samples) }, samples));
    for (let i = 0; i < 5; i++) {
      const cosine = vectors.data
        .subarray(i * 60, (i + 1) * 60)
        .reduce((sum, v, k) => sum + v * dictionary.atoms.data[i * 60 + k], 0);
      expect(Math.abs(cosine)).toBeCloseTo(1, 8);
    }
  });

  it.each<[LearnOptions, number[]]>([
    [{}, []], // white beyond doubt
    [{ components: 5 }, [12]],
    [{ whiten: 'zca' }, [12]],
    [{ method: 'ksvd' }, []],
    [{ method: 'ksvd' }, []],
  ])('one at most, %j', async (options, expected) => {
    expect((await decomposed(numbers(300, 12), options)).eigens).toEqual(expected);
  });
});

describe('a decomposition with pauses', () => {
  const S = product(numbers(30, 30), { ...numbers(30, 30), data: columns(numbers(30, 30)) });

  it('gives the same bits', async () => {
    let pauses = 0;
    const pause = () => void pauses++;
    expect(bits(await eighWithPauses(S, fastKernels, pause as never))).toBe(bits(eigh(S)));
    expect(pauses).toBeGreaterThan(60);
  });

  it('ends when a pause throws', async () => {
    let pauses = 0;
    const pause = async () => {
      if (++pauses === 5) throw new Error('enough');
    };
    await expect(eighWithPauses(S, fastKernels, pause)).rejects.toThrow('enough');
    expect(pauses).toBe(5);
  });
});

it('counts the time before the first step towards the limit of seconds', async () => {
  const inMemory = memorySource(numbers(200, 6));
  const slow: Source = {
    rows: 200,
    cols: 6,
    precision: 'f64',
    async read(start, end) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return inMemory.read(start, end);
    },
  };
  const options = { maxSeconds: 0.05, tolerance: 0, objectiveTolerance: 0, refine: 'none', scout: 'none' } as const;
  const { iterations, reason } = await learn(slow, options, { executor: inlineExecutor(fastKernels) });
  expect([iterations, reason]).toEqual([1, '0.05 seconds']);
});

/** The numbers of the transpose. */
function columns({ rows, cols, data }: Matrix64): Float64Array {
  return Float64Array.from({ length: data.length }, (_, at) => data[(at % rows) * cols + Math.floor(at / rows)]);
}
