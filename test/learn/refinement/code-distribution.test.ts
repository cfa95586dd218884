/** Statistics from histograms of codes, compared with plain sums over the same bins and with the distributions drawn from. */
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '#src/core/random.ts';
import { HISTOGRAM_BINS, histogramBin, histogramEdge } from '#src/kernels/kernels.ts';
import {
  assessSparsity,
  departureFromNormal,
  describeAtoms,
  fitPooled,
  type SpikeSlabFit,
  zeroLevels,
} from '#src/learn/refinement/code-distribution.ts';
import { testSeed } from '../../helpers/seed.ts';

type Draw = (random: Random) => number;

/** Returns the histograms of `codes` random codes of every atom. */
function counted(codes: number, ...atoms: Draw[]): Float64Array {
  const counts = new Float64Array(atoms.length * HISTOGRAM_BINS);
  const random = createRandom(testSeed(9), 'codes');
  for (const [i, draw] of atoms.entries()) {
    for (let k = 0; k < codes; k++) counts[i * HISTOGRAM_BINS + histogramBin(draw(random))]++;
  }
  return counts;
}

/** Returns the histogram of codes of these sizes, `count` of each. */
function of(...sizes: [size: number, count: number][]): Float64Array {
  const counts = new Float64Array(HISTOGRAM_BINS);
  for (const [size, count] of sizes) counts[histogramBin(size)] += count;
  return counts;
}

const normal =
  (size: number): Draw =>
  (random) =>
    size * random.normal();
const spikeSlab =
  (theta: number, spike: number, slab: number): Draw =>
  (random) =>
    (random.uniform() < theta ? slab : spike) * random.normal();
const laplace: Draw = (random) => Math.log(1 - random.uniform()) * (random.uniform() < 0.5 ? 1 : -1);

const edge = (bin: number) => (bin === 0 ? 0 : histogramEdge(bin));
const middle = (bin: number) => (edge(bin) + edge(bin + 1)) / 2;
const occupied = (counts: Float64Array) =>
  [...counts.entries()].filter(([, count]) => count > 0).map(([bin, count]) => ({ bin, count, z: middle(bin) }));

describe('the size of zeros and non-zeros', () => {
  it.each([
    [0.1, 0.01, 1],
    [0.3, 0.05, 1],
    [0.02, 1e-6, 3],
  ])('is that of the normals: θ %d, %d and %d', (theta, spike, slab) => {
    const [{ level, signal, share, cut }] = describeAtoms(counted(40_000, spikeSlab(theta, spike, slab)));
    // some of the wide normal falls among the zeros, and moves their median
    expect(level / spike).toBeGreaterThan(0.97);
    expect(level / spike).toBeLessThan(1.03 + theta / 8);
    expect(signal / slab).toBeGreaterThan(0.9);
    expect(signal / slab).toBeLessThan(1.1);
    expect(share / theta).toBeGreaterThan(0.85);
    expect(share / theta).toBeLessThan(1.05);
    expect(cut).toBe(Math.max(3 * level, 0.01 * signal));
  });

  it('follows from the bins by linear interpolation', () => {
    const size = 1.4826;
    // one bin: half of its codes are below its middle
    for (const z of [1, 1.13, 1e-3]) {
      const bin = histogramBin(z);
      expect(zeroLevels(of([z, 7]))[0]).toBeCloseTo(size * middle(bin), 12);
      expect(zeroLevels(of([z, 7]), 0.9)[0]).toBeCloseTo(size * middle(bin), 12);
    }
    // two bins: a third of the lower one is above the median
    const [low, high] = [1, 1.5];
    const from = edge(histogramBin(low));
    const width = edge(histogramBin(low) + 1) - from;
    expect(zeroLevels(of([low, 3], [high, 1]))[0]).toBeCloseTo(size * (from + (2 / 3) * width), 12);
    // codes beyond three levels have no part in the median
    expect(zeroLevels(of([low, 8], [100, 7]))[0]).toBeCloseTo(size * middle(histogramBin(low)), 12);
    // with most codes far, it depends on where it begins
    const far = of([low, 40], [100, 60]);
    expect(zeroLevels(far)[0]).toBeCloseTo(
      size * (edge(histogramBin(100)) + (1 / 6) * (edge(histogramBin(100) + 1) - edge(histogramBin(100)))),
      -1,
    );
    expect(zeroLevels(far, 0.2)[0]).toBeCloseTo(size * middle(histogramBin(low)), 12);
  });

  it('cuts inside a bin as if its codes were spread evenly', () => {
    // the cut of three levels falls into the middle of the upper bin
    const low = histogramBin(1);
    const counts = new Float64Array(HISTOGRAM_BINS);
    counts[low] = 100;
    let level = 1.4826 * middle(low);
    const upper = histogramBin(3 * level);
    counts[upper] = 40;
    for (let k = 0; k < 60; k++) {
      const inside = (3 * level - edge(upper)) / (edge(upper + 1) - edge(upper));
      const rank = (100 + 40 * Math.min(1, Math.max(0, inside))) / 2;
      level = 1.4826 * (edge(low) + (rank / 100) * (edge(low + 1) - edge(low)));
    }
    expect(Math.abs(zeroLevels(counts)[0] / level - 1)).toBeLessThan(1e-3);
  });

  it('is the same for every atom, whatever the others', () => {
    const draws = [spikeSlab(0.2, 0.01, 1), normal(2), spikeSlab(0.5, 0.1, 5)];
    const all = counted(5000, ...draws);
    const atoms = describeAtoms(all);
    expect([...zeroLevels(all)]).toEqual(atoms.map(({ level }) => level));
    for (const [i, each] of atoms.entries()) {
      expect(describeAtoms(all.slice(i * HISTOGRAM_BINS, (i + 1) * HISTOGRAM_BINS))).toEqual([each]);
    }
    expect([...zeroLevels(all, 0.1)]).toEqual(describeAtoms(all, 0.1).map(({ level }) => level));
  });

  it('of non-zeros is a root mean square over bins', () => {
    const counts = of([1e-3, 60], [2, 3], [5, 1]);
    const [{ signal, share, level, cut }] = describeAtoms(counts);
    const sizes = [2, 5].map((z) => middle(histogramBin(z)));
    expect(signal).toBeCloseTo(Math.sqrt((3 * sizes[0] ** 2 + sizes[1] ** 2) / 4), 12);
    expect(share).toBe(4 / 64);
    expect(cut).toBe(0.01 * signal); // exact zeros leave rounding errors, whose tails are long
    expect(level).toBeLessThan(0.002);
    expect(describeAtoms(of([1, 9]))).toMatchObject([{ signal: 0, share: 0 }]);
    expect(describeAtoms(of([0, 9]))[0].share).toBe(0);
  });
});

const logDensity = (z: number, { theta, spike, slab }: SpikeSlabFit) => {
  const part = (share: number, variance: number) =>
    share * Math.sqrt(2 / (Math.PI * variance)) * Math.exp(-(z * z) / (2 * variance));
  return Math.log(part(1 - theta, spike) + part(theta, slab));
};
const meanLog = (counts: Float64Array, fit: SpikeSlabFit) => {
  const bins = occupied(counts);
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  return bins.reduce((sum, { count, z }) => sum + count * logDensity(z, fit), 0) / total;
};

describe('the spike and slab', () => {
  it.each([
    [0.1, 0.1, 1],
    [0.3, 0.3, 1],
    [0.5, 0.01, 2],
    [0.8, 0.2, 1],
  ])('are the likeliest: θ %d, %d and %d', (theta, spike, slab) => {
    const counts = counted(20_000, spikeSlab(theta, spike, slab), spikeSlab(theta, spike, slab));
    const fit = fitPooled(counts)!;
    expect(Math.abs(fit.theta - theta)).toBeLessThan(0.03);
    expect(Math.abs(Math.sqrt(fit.spike) / spike - 1)).toBeLessThan(0.05);
    expect(Math.abs(Math.sqrt(fit.slab) / slab - 1)).toBeLessThan(0.05);
    const pooled = counts.slice(0, HISTOGRAM_BINS).map((count, bin) => count + counts[HISTOGRAM_BINS + bin]);
    pooled[0] = 0;
    const most = meanLog(pooled, fit);
    for (const name of ['theta', 'spike', 'slab'] as const) {
      for (const factor of [0.99, 1.01]) {
        expect(meanLog(pooled, { ...fit, [name]: factor * fit[name] })).toBeLessThan(most);
      }
    }
  });

  it('are none where all codes have one size, or vanish', () => {
    expect(fitPooled(of([1, 50]))).toBeUndefined();
    expect(fitPooled(of([0, 10], [1, 50]))).toBeUndefined();
    expect(fitPooled(of([0.5, 10], [1, 50]))).toBeDefined();
  });

  it('may be as far apart as numbers reach', () => {
    const fit = fitPooled(of([1e-15, 70], [1.1e-15, 30], [1, 20], [2, 5]))!;
    expect(fit.theta).toBeCloseTo(25 / 125, 6);
    expect(Math.sqrt(fit.spike)).toBeLessThan(2e-15);
    expect(Math.sqrt(fit.slab)).toBeCloseTo(
      Math.sqrt((20 * middle(histogramBin(1)) ** 2 + 5 * middle(histogramBin(2)) ** 2) / 25),
      6,
    );
  });
});

/** log Γ for x ≥ 0.2, by the product for the large part of it. */
function logGamma(x: number): number {
  if (x < 20) return logGamma(x + 1) - Math.log(x);
  return (
    (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5)
  );
}

const SHAPES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1, 1.25, 1.5, 2, 3, 5];

/** Mean log density of generalised Gaussians q/(a Γ(1/q)) exp(−(z/a)^q) with the best a, the best of the shapes. */
function bestShape(counts: Float64Array) {
  const bins = occupied(counts);
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const found = SHAPES.map((q) => {
    const moment = bins.reduce((sum, { count, z }) => sum + count * z ** q, 0) / total;
    const a = (q * moment) ** (1 / q);
    return { q, value: Math.log(q / a) - logGamma(1 / q) - moment / a ** q };
  });
  return found.reduce((best, each) => (each.value > best.value ? each : best));
}

describe('the credibility of sparse codes', () => {
  it.each<[string, Draw, number | undefined]>([
    ['a clear gap', spikeSlab(0.2, 0.01, 1), undefined],
    ['a narrow gap', spikeSlab(0.3, 0.3, 1), undefined],
    ['normal codes', normal(3), 2],
    ['Laplace codes', laplace, 1],
    ['uniform codes', (random) => random.uniform() - 0.5, 5],
    ['heavy tails', (random) => Math.sign(random.normal()) * Math.abs(laplace(random)) ** 3, undefined],
  ])('is the likelihood of the spike and slab, and what it has over one shape: %s', (_, draw, shape) => {
    const counts = counted(20_000, draw);
    const { likelihood, advantage } = assessSparsity(counts);
    const best = bestShape(counts);
    if (shape !== undefined) expect(best.q).toBe(shape);
    expect(likelihood - advantage).toBeCloseTo(best.value, 9);
    // never above the maximum, and near it
    const zeros = counts.slice();
    zeros[0] = 0;
    const most = meanLog(zeros, fitPooled(zeros)!);
    expect(likelihood).toBeLessThan(most + 1e-6);
    expect(likelihood).toBeGreaterThan(most - 2e-3);
  });

  it.each(SHAPES)('compares with the shape %d, if codes have it', (q) => {
    // as many codes in a bin as the density exp(−(z/a)^q) has there, a = 2^−20
    const counts = new Float64Array(HISTOGRAM_BINS).map((_, bin) =>
      Math.round(1e6 * 2 ** 20 * (edge(bin + 1) - edge(bin)) * Math.exp(-((2 ** 20 * middle(bin)) ** q))),
    );
    const best = bestShape(counts);
    expect(best.q).toBe(q);
    const { likelihood, advantage } = assessSparsity(counts);
    expect(likelihood - advantage).toBeCloseTo(best.value, 9);
  });

  it('is the mean over atoms, of a few where there are many, without those of one size', () => {
    const draws = [spikeSlab(0.2, 0.01, 1), normal(1), laplace];
    const counts = counted(3000, ...draws);
    const each = draws.map((_, i) => assessSparsity(counts.slice(i * HISTOGRAM_BINS, (i + 1) * HISTOGRAM_BINS)));
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const all = assessSparsity(counts);
    expect(all.likelihood).toBeCloseTo(mean(each.map(({ likelihood }) => likelihood)), 12);
    expect(all.advantage).toBeCloseTo(mean(each.map(({ advantage }) => advantage)), 12);
    const repeated = (copies: number, others: readonly Float64Array[]) =>
      Float64Array.from(Array.from({ length: copies }, (_, k) => [...others[k % others.length]]).flat());
    const [one, two] = draws.map((_, i) => counts.slice(i * HISTOGRAM_BINS, (i + 1) * HISTOGRAM_BINS));
    expect(assessSparsity(repeated(3, [one, of([1, 9]), one]))).toEqual(each[0]);
    // of 64 every other is assessed
    expect(assessSparsity(repeated(64, [one, two])).likelihood).toBeCloseTo(each[0].likelihood, 12);
    expect(assessSparsity(repeated(32, [one, two])).likelihood).toBeCloseTo(
      (each[0].likelihood + each[1].likelihood) / 2,
      12,
    );
  });
});

describe('the departure from normal', () => {
  /** Share of |N(0, variance)| between two sizes, by many trapezia. */
  function share(from: number, to: number, variance: number): number {
    const density = (z: number) => Math.sqrt(2 / (Math.PI * variance)) * Math.exp(-(z * z) / (2 * variance));
    const steps = 200;
    let sum = 0;
    for (let k = 0; k <= steps; k++) sum += (k % steps === 0 ? 0.5 : 1) * density(from + ((to - from) * k) / steps);
    return (sum * (to - from)) / steps;
  }

  it.each<[string, Draw]>([
    ['normal', normal(0.7)],
    ['Laplace', laplace],
    ['sparse', spikeSlab(0.3, 0.1, 1)],
  ])('is a sum over bins: %s codes', (_, draw) => {
    const counts = counted(6000, draw, draw);
    counts[0] += 40; // samples without energy
    const { statistic, bins, codes } = departureFromNormal(counts);
    const pooled = counts.slice(0, HISTOGRAM_BINS).map((count, bin) => count + counts[HISTOGRAM_BINS + bin]);
    pooled[0] = 0;
    const all = occupied(pooled);
    const total = all.reduce((sum, { count }) => sum + count, 0);
    const variance = all.reduce((sum, { count, z }) => sum + count * z * z, 0) / total;
    const right = all.reduce((sum, { bin, count }) => {
      return sum + 2 * count * Math.log(count / total / share(edge(bin), edge(bin + 1), variance));
    }, 0);
    expect([bins, codes]).toEqual([all.length, total]);
    expect(Math.abs(statistic - right)).toBeLessThan(0.01 * Math.abs(right) + 0.5);
  });

  it('is about the number of bins for normal codes, and finite for others far away', () => {
    const { statistic, bins } = departureFromNormal(counted(20_000, normal(1)));
    expect(Math.abs(statistic - bins)).toBeLessThan(5 * Math.sqrt(2 * bins));
    const far = departureFromNormal(of([1e-9, 1e6], [1, 1]));
    expect(Number.isFinite(far.statistic)).toBe(true);
    expect(far.statistic).toBeGreaterThan(1e6);
  });
});
