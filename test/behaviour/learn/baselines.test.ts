/** The methods for comparison: what each of them promises. The dictionary of Table 2: baselines.slow.test.ts. */
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { maxDifference, row, selectRows } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { AtomsState, Solver } from '#src/engine/solver.ts';
import { learn } from '#src/learn/learn.ts';
import { eigh } from '#src/linalg/eigh.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { orthonormalityError, product } from '../../helpers/matrices.ts';
import { problemOf, solverOf } from '../../helpers/problem.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(3);

describe('pca', () => {
  it('gives the eigenvectors of the covariance in one step, largest energy first', async () => {
    const samples = product(
      normalMatrix(400, 7, createRandom(seed, 'pca')),
      normalMatrix(7, 7, createRandom(seed, 'mix')),
    );
    const { dictionary, iterations, status, passes } = await learn(samples, { method: 'pca' });
    expect([iterations, status, passes]).toEqual([1, 'converged', 1]);
    const { vectors } = eigh(product({ rows: 7, cols: 400, data: transposed(samples.data, 400, 7) }, samples));
    for (let i = 0; i < 7; i++) {
      const inner = row(vectors, i).reduce((sum, v, k) => sum + v * dictionary.atoms.data[i * 7 + k], 0);
      expect(Math.abs(inner)).toBeCloseTo(1, 10);
    }
  });
});

describe('dct', () => {
  const pictures = generate({ samples: 200, features: 12, theta: 0.3, seed }).samples;

  it('gives the orthogonal cosines in one step without a pass of its own, largest energy first', async () => {
    const { dictionary, iterations, status, passes } = await learn(pictures, { method: 'dct' });
    expect([iterations, status, passes]).toEqual([1, 'converged', 1]);
    expect(matchAtoms(dictionary.atoms, cosines(12)).maxAtomError).toBeLessThan(1e-7);
    expect(orthonormalityError(dictionary.atoms)).toBeLessThan(1e-14);
    const codes = await dictionary.encode(pictures);
    const energies = Array.from({ length: 12 }, (_, k) =>
      Array.from(codes.data).reduce((sum, x, at) => sum + (at % 12 === k ? x * x : 0), 0),
    );
    expect(energies).toEqual([...energies].sort((a, b) => b - a));
  });

  it('of pictures is separable: cosines of rows times cosines of columns', async () => {
    const { dictionary } = await learn(pictures, { method: 'dct', dctShape: '3x4' });
    const [rows, columns] = [cosines(3), cosines(4)];
    const separable = Array.from({ length: 144 }, (_, at) => {
      const [atom, pixel] = [Math.floor(at / 12), at % 12];
      const [v, u, y, x] = [Math.floor(atom / 4), atom % 4, Math.floor(pixel / 4), pixel % 4];
      return rows.data[v * 3 + y] * columns.data[u * 4 + x];
    });
    const expected = { rows: 12, cols: 12, data: Float64Array.from(separable) };
    expect(matchAtoms(dictionary.atoms, expected).maxAtomError).toBeLessThan(1e-7);
  });

  it('keeps the strongest components, or all if the data has fewer dimensions', async () => {
    const { dictionary } = await learn(pictures, { method: 'dct' });
    const fewer = await learn(pictures, { method: 'dct', components: 5 });
    expect(maxDifference(fewer.dictionary.atoms, selectRows(dictionary.atoms, [0, 1, 2, 3, 4]))).toBe(0);
    const flat = { ...pictures, data: pictures.data.map((y, at) => (at % 12 < 2 ? 0 : y)) };
    const whole = (await learn(flat, { method: 'dct' })).dictionary;
    expect(matchAtoms(whole.atoms, cosines(12)).maxAtomError).toBeLessThan(1e-7);
  });
});

describe('ksvd', () => {
  it('lowers the residual, and replaces unused atoms', async () => {
    const { samples } = generate({ samples: 1500, features: 10, theta: 0.15, seed });
    const problem = await problemOf(samples, { method: 'ksvd' });
    const start = normalMatrix(10, 10, createRandom(seed, 'ksvd'));
    for (let i = 0; i < 10; i++) {
      const atom = row(start, i);
      const size = Math.hypot(...atom);
      for (let k = 0; k < 10; k++) atom[k] /= size;
    }
    row(start, 9).set(row(start, 8)); // the second of them is never chosen
    const solver = solverOf(problem, { method: 'ksvd', keep: 2 }, start) as unknown as Solver<AtomsState>;
    const first = await solver.step(await solver.init());
    let state = first;
    for (let k = 0; k < 15; k++) state = await solver.step(state);
    expect(state.objective).toBeGreaterThan(0.6 * first.objective);
    const repeated = row(state.atoms, 9).reduce((sum, a, k) => sum + a * state.atoms.data[80 + k], 0);
    expect(Math.abs(repeated)).toBeLessThan(0.9);
    for (let i = 0; i < 10; i++) expect(Math.hypot(...row(state.atoms, i))).toBeCloseTo(1, 12);
  });

  it('learns more atoms than features, most of them the true ones', async () => {
    const random = createRandom(seed, 'overcomplete');
    const truth = normalMatrix(30, 20, random);
    const codes = { rows: 3000, cols: 30, data: new Float64Array(90_000) };
    for (let j = 0; j < 3000; j++)
      for (let s = 0; s < 3; s++) codes.data[j * 30 + random.integer(30)] = random.normal();
    const samples = product(codes, truth);
    const { dictionary } = await learn(samples, { method: 'ksvd', components: 30, keep: 3, maxIterations: 40 });
    expect([dictionary.components, dictionary.features]).toEqual([30, 20]);
    const found = truthsFound(dictionary.atoms, truth);
    expect(found).toBeGreaterThanOrEqual(22);
    const encoded = await dictionary.encode(samples);
    for (let j = 0; j < 3000; j += 100) expect(row(encoded, j).filter((x) => x !== 0).length).toBeLessThanOrEqual(3);
    const decoded = await dictionary.decode(encoded);
    const residual = Array.from(decoded.data).reduce((sum, y, i) => sum + (y - samples.data[i]) ** 2, 0);
    expect(residual).toBeLessThan(0.1 * samples.data.reduce((sum, y) => sum + y ** 2, 0));
  });

  it('finds a dictionary with as many codes as samples have, where all of them at once come to rest elsewhere', async () => {
    const { samples, atoms } = generate({ samples: 3000, features: 20, theta: 0.3, seed });
    const common = { method: 'ksvd', keep: 7, maxIterations: 60, seed } as const;
    const errorOf = async (growth: 'auto' | 'none') =>
      recoveryError((await learn(samples, { ...common, growth })).dictionary.atoms, atoms);
    expect(await errorOf('auto')).toBeLessThan(1e-3);
    expect(await errorOf('none')).toBeGreaterThan(1e-2);
  });

  it('grows pursuits that end by their residual too', async () => {
    const { samples, atoms } = generate({ samples: 3000, features: 16, theta: 0.2, seed });
    const { dictionary } = await learn(samples, { method: 'ksvd', residual: 0.05, seed });
    expect(recoveryError(dictionary.atoms, atoms)).toBeLessThan(1e-3);
  });

  it('uses all samples and codes at once if it is given atoms to start from', async () => {
    const { samples, atoms } = generate({ samples: 2000, features: 10, theta: 0.2, seed });
    const options = { method: 'ksvd', start: atoms, keep: 2, maxIterations: 1 } as const;
    const [grown, plain] = [await learn(samples, options), await learn(samples, { ...options, growth: 'none' })];
    expect(grown.dictionary.atoms.data).toEqual(plain.dictionary.atoms.data);
    expect(grown.passes).toBe(plain.passes);
  });

  it('encodes by least squares if there are as many atoms as features: decoding restores the samples', async () => {
    const { samples } = generate({ samples: 800, features: 6, theta: 0.2, seed });
    const { dictionary } = await learn(samples, { method: 'ksvd', maxIterations: 5, center: true });
    expect(maxDifference(await dictionary.decode(await dictionary.encode(samples)), samples)).toBeLessThan(1e-10);
    const fewer = await learn(samples, { method: 'ksvd', maxIterations: 3, components: 4 });
    expect([fewer.dictionary.components, fewer.dictionary.features]).toEqual([4, 6]);
  });
});

describe('learn refuses', () => {
  const samples = normalMatrix(40, 4, createRandom(1, 'baselines'));
  it.each<[object, string]>([
    [{ method: 'pca', whiten: 'zca' }, 'whiten must be none with method pca; got zca'],
    [{ method: 'dct', dctShape: '3x2' }, 'dctShape must be of 4 numbers, the features of a sample; got 3x2'],
    [{ method: 'dct', dctShape: '4' }, 'dctShape must be ROWSxCOLUMNS, such as 8x8, or 8x8x3 for colour; got 4'],
    [{ method: 'pca', dctShape: '2x2' }, 'dctShape must be given with method dct only; got dctShape with pca'],
    [{ method: 'dct', components: 5 }, 'components must be at most 4 with method dct; got 5'],
    [{ method: 'dct', start: samples }, 'start must be left out with method dct, which is fixed; got 40×4'],
    [{ method: 'ksvd', refine: 'auto' }, 'refine must be none with method ksvd; got auto'],
    [{ method: 'msp', growth: 'none' }, 'growth must be given with method ksvd only; got growth with msp'],
    [{ method: 'ksvd', residual: 1 }, 'residual must be a number, at least 0 and below 1; got 1'],
    [
      { method: 'ksvd', threshold: 1 },
      'threshold must be given with method gtransform or procrustes only; got threshold with ksvd',
    ],
    [
      { method: 'ksvd', components: 6, start: normalMatrix(4, 4, createRandom(2, 'start')) },
      'start must be 6×4, atoms as rows; got 4×4',
    ],
    [
      { method: 'ksvd', components: 1, start: { rows: 1, cols: 4, data: new Float64Array(4) } },
      'start must be of atoms different from zero; got zeros in row 0',
    ],
    [{ method: 'ica', components: 5 }, 'components must be at most 4, the rank of the data; got 5'],
  ])('%j', async (options, message) => {
    await expect(learn(samples, options)).rejects.toThrow(new InputError(`learn: ${message}.`));
  });
});

/** c_k(x), by the formula. */
function cosines(n: number) {
  const at = (k: number, x: number) => Math.sqrt((k ? 2 : 1) / n) * Math.cos((Math.PI * k * (x + 0.5)) / n);
  return { rows: n, cols: n, data: Float64Array.from({ length: n * n }, (_, i) => at(Math.floor(i / n), i % n)) };
}

/** How many true atoms have a learned one within a cosine of 0.97. */
function truthsFound(learned: { rows: number; cols: number; data: Float64Array }, truth: typeof learned): number {
  let found = 0;
  for (let i = 0; i < truth.rows; i++) {
    const t = row(truth, i);
    const size = Math.hypot(...t);
    for (let k = 0; k < learned.rows; k++) {
      if (Math.abs(row(learned, k).reduce((sum, a, l) => sum + a * t[l], 0)) > 0.97 * size) {
        found++;
        break;
      }
    }
  }
  return found;
}

function transposed(data: Float64Array, rows: number, cols: number): Float64Array {
  return data.map((_, at) => data[(at % rows) * cols + Math.floor(at / rows)]);
}
