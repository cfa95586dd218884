/** Independent components: scores of any density, pairs that are mixtures, and sources that `learn` unmixes with them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Matrix64, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix, type Random } from '#src/core/random.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { learn } from '#src/learn/learn.ts';
import { partingTurns, turned } from '#src/learn/methods/ica/dependent-pairs.ts';
import { GRID, INTERVALS, WIDTH } from '#src/learn/methods/ica/score-correlation.ts';
import { fitScores, meanSlopes, negentropy } from '#src/learn/methods/ica/scores.ts';
import { amariDistance } from '#src/metrics/amari.ts';
import { evaluate } from '#src/metrics/evaluate.ts';
import { product } from '../../../helpers/matrices.ts';
import { testSeed } from '../../../helpers/seed.ts';

const seed = testSeed(5);

type Draw = (random: Random) => number;
const uniform: Draw = (random) => Math.sqrt(3) * (2 * random.uniform() - 1);
const laplace: Draw = (random) => ((random.uniform() < 0.5 ? 1 : -1) * Math.log(1 - random.uniform())) / Math.SQRT2;
const exponential: Draw = (random) => -Math.log(1 - random.uniform()) - 1;
const twoPeaks: Draw = (random) => (random.uniform() < 0.5 ? 1 : -1) + 0.4 * random.normal();
const sparse: Draw = (random) => (random.uniform() < 0.3 ? random.normal() : 0);

function sourcesOf(draws: readonly Draw[], samples: number, random: Random): Matrix64 {
  const sources = zeros(samples, draws.length);
  sources.data.forEach((_, at) => {
    sources.data[at] = draws[at % draws.length](random);
  });
  return sources;
}

async function unmix(draws: readonly Draw[], samples: number, options: object = {}, purpose = 'sources') {
  const random = createRandom(seed, purpose);
  const sources = sourcesOf(draws, samples, random);
  const mixing = normalMatrix(draws.length, draws.length, random); // a row per source
  const matrix = product(sources, mixing);
  const result = await learn(matrix, { method: 'ica', ...options });
  return { ...result, matrix, distance: amariDistance(result.dictionary.atoms, mixing) };
}

describe('ica', () => {
  it.each<[string, readonly Draw[], number]>([
    ['uniform', Array(6).fill(uniform), 0.015],
    ['Laplace', Array(6).fill(laplace), 0.025],
    ['two peaks', Array(6).fill(twoPeaks), 0.015],
    ['exponential, from 0', Array(6).fill((random: Random) => exponential(random) + 1), 0.02],
    ['all kinds', [uniform, laplace, exponential, twoPeaks, uniform, laplace], 0.02],
  ])('unmixes sources of any distribution: %s', async (_, draws, most) => {
    const { status, distance, refined } = await unmix(draws, 4000);
    expect([status, refined]).toEqual(['converged', false]);
    expect(distance).toBeLessThan(most);
  });

  it.each<[string, Draw, number]>([
    ['±1', (random) => (random.uniform() < 0.5 ? 1 : -1), 0.1],
    ['−1, 0, 1', (random) => Math.floor(3 * random.uniform()) - 1, 0.1],
    ['Cauchy', (random) => Math.tan(Math.PI * (random.uniform() - 0.5)), 0.1],
  ])('unmixes two sources of few values, or of very heavy tails: %s', async (_, draw, most) => {
    const distances: number[] = [];
    for (let k = 0; k < 12; k++) distances.push((await unmix([draw, draw], 500, { seed: k }, `sources ${k}`)).distance);
    expect(Math.max(...distances)).toBeLessThan(most);
  });

  it.each([
    ['sources that are not sparse', uniform],
    ['sparse sources, whose atoms are refined', sparse],
  ])('gives sources of variance 1 if asked to, in the same model otherwise: %s', async (_, draw) => {
    const plain = await unmix(Array(4).fill(draw), 2000);
    const unit = await unmix(Array(4).fill(draw), 2000, { unitVariance: true });
    const { matrix: samples, dictionary } = unit;
    const codes = await dictionary.encode(samples);
    const again = await dictionary.decode(codes);
    for (let i = 0; i < 4; i++) {
      const own = Float64Array.from({ length: codes.rows }, (_, j) => codes.data[4 * j + i]);
      expect(own.reduce((sum, x) => sum + x * x, 0) / codes.rows).toBeCloseTo(1, 10);
    }
    expect(Math.max(...again.data.map((y, at) => Math.abs(y - samples.data[at])))).toBeLessThan(1e-10);
    const energies = (await evaluate(dictionary, samples)).atomUse.energy;
    const before = (await evaluate(plain.dictionary, samples)).atomUse.energy;
    energies.forEach((energy, i) => {
      expect(energy).toBeCloseTo(before[i], 10);
    });
    unit.energies!.forEach((energy, i) => {
      expect(energy).toBeCloseTo(plain.energies![i], 10);
    });
    expect(unit.certainty).toEqual(plain.certainty);
    expect(unit.distance).toBeCloseTo(plain.distance, 10);
  });

  it('is exact where codes have zeros', async () => {
    const { refined, distance } = await unmix(Array(6).fill(sparse), 3000);
    expect(refined).toBe(true);
    expect(distance).toBeLessThan(1e-10);
  });

  it('ends once converged to within sampling error, and goes on to a tolerance that is given', async () => {
    const draws = [uniform, laplace, exponential, twoPeaks, uniform, laplace];
    const byDefault = await unmix(draws, 4000);
    const further = await unmix(draws, 4000, { tolerance: 1e-8 });
    expect(byDefault.reason).toMatch(/^converged to within sampling error/);
    expect(further.reason).toMatch(/^change /);
    expect(further.passes).toBeGreaterThan(byDefault.passes);
    // a tenth of a standard error adds a hundredth of it to the error: in quadrature
    expect(Math.abs(byDefault.distance - further.distance)).toBeLessThan(0.1 * further.distance);
  });

  it('reports the negentropy of the sources', async () => {
    const { objective } = await unmix(Array(4).fill(uniform), 20_000);
    // h(N(0,1)) − h(uniform) = log(2πe/12)/2
    expect(objective / 4).toBeCloseTo(Math.log((2 * Math.PI * Math.E) / 12) / 2, 1);
  });

  it('ends on normal data, where there is nothing to find, and with one or two features', async () => {
    const normal: Draw = (random) => random.normal();
    for (const n of [1, 2, 5]) {
      const { status, dictionary } = await unmix(Array(n).fill(normal), 400, { maxIterations: 300 });
      expect(['converged', 'exhausted']).toContain(status);
      expect(dictionary.atoms.data.every(Number.isFinite)).toBe(true);
    }
  });

  it.each([
    [{ whiten: 'none' }, 'whiten must be zca with method ica, which needs white data; got none'],
    [{ center: false }, 'center must be true with method ica, which needs the mean subtracted; got false'],
  ])('refuses %j', async (options, message) => {
    await expect(
      learn(normalMatrix(20, 3, createRandom(seed, 'x')), { method: 'ica', ...options } as never),
    ).rejects.toThrow(message);
  });
});

describe('scores', () => {
  /** Returns the counts expected of `samples` samples of a density. */
  const countsOf = (density: (x: number) => number, samples: number): Float64Array => {
    const counts = Float64Array.from({ length: INTERVALS }, (_, b) => density(GRID[b] + WIDTH / 2));
    const sum = counts.reduce((total, count) => total + count, 0);
    return counts.map((count) => (count / sum) * samples);
  };
  const at = (x: number): number => Math.round((x - GRID[0]) / WIDTH);
  const normalDensity = (x: number) => Math.exp((-x * x) / 2);

  it('are x for normal codes, whose negentropy is 0', () => {
    const counts = countsOf(normalDensity, 1e6);
    const { data } = fitScores(counts, 1e6, referenceKernels);
    for (const x of [-2, -1, 0, 0.5, 2]) expect(data[at(x)]).toBeCloseTo(x, 2);
    expect(negentropy(counts, 1e6)).toBeCloseTo(0, 3);
    expect(meanSlopes({ rows: 1, cols: INTERVALS + 1, data }, counts, 1e6)[0]).toBeCloseTo(1, 2);
  });

  it('follow the logarithm of other densities', () => {
    const cases: [string, (x: number) => number, (x: number) => number, number][] = [
      ['logistic', (x) => Math.cosh(0.9 * x) ** -2, (x) => 1.8 * Math.tanh(0.9 * x), 0.05],
      ['x⁴', (x) => Math.exp(-(x ** 4) / 4), (x) => x ** 3, 0.2],
    ];
    for (const [name, density, score, most] of cases) {
      const { data } = fitScores(countsOf(density, 1e6), 1e6, referenceKernels);
      for (const x of [-1.2, -0.6, 0, 0.3, 1])
        expect(Math.abs(data[at(x)] - score(x)), `${name} at ${x}`).toBeLessThan(most);
    }
  });

  it('stay finite, and near x, whatever few codes there are', () => {
    const code = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(fc.array(code, { minLength: 1, maxLength: 20 }), (codes) => {
        const counts = new Float64Array(INTERVALS);
        for (const x of codes) counts[Math.min(Math.max(Math.floor((x - GRID[0]) / WIDTH), 0), INTERVALS - 1)]++;
        const { data } = fitScores(counts, codes.length, referenceKernels);
        expect(data.every(Number.isFinite)).toBe(true);
        expect(data[0]).toBe(data[1]);
        expect(data[INTERVALS]).toBe(data[INTERVALS - 1]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('pairs that are mixtures', () => {
  const random = createRandom(seed, 'pairs');
  const sources = sourcesOf([exponential, uniform, laplace, exponential], 3000, random);

  it('are parted, and others left alone', () => {
    expect(partingTurns(sources, referenceKernels)).toEqual([]);
    const mixed = turnedCodes(sources, 0, 3, Math.PI / 4);
    const [turn, ...others] = partingTurns(mixed, referenceKernels);
    expect(others).toEqual([]);
    expect([turn.i, turn.j].sort()).toEqual([0, 3]);
    expect(turn.angle).toBeCloseTo(Math.PI / 4, 1);
  });

  it('turn atoms as they turn codes', () => {
    const atoms = normalMatrix(4, 4, random);
    const next = turned(atoms, [{ i: 1, j: 2, angle: Math.PI / 2 }]);
    for (let k = 0; k < 4; k++) {
      expect(next.data[4 + k]).toBeCloseTo(atoms.data[8 + k], 12);
      expect(next.data[8 + k]).toBeCloseTo(-atoms.data[4 + k], 12);
      expect(next.data[k]).toBe(atoms.data[k]);
    }
  });
});

function turnedCodes(codes: Matrix64, i: number, j: number, angle: number): Matrix64 {
  const data = codes.data.slice();
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let at = 0; at < data.length; at += codes.cols) {
    const [x, y] = [codes.data[at + i], codes.data[at + j]];
    data[at + i] = c * x + s * y;
    data[at + j] = c * y - s * x;
  }
  return { ...codes, data };
}
