/** The quick form of every figure of the Householder paper, on a part of its grid, must show what it claims. */
import { describe, expect, it } from 'vitest';
import { type Experiment, type Point, range } from '#src/experiments/experiment.ts';
import { householderData, knownCodesDistance } from '#src/experiments/householder-contenders.ts';
import { experiments } from '#src/experiments/index.ts';
import { runExperiment } from '#src/experiments/run.ts';
import { summarise } from '#src/experiments/summary.ts';
import { reflectForward } from '#src/linalg/reflectors.ts';
import { procrustes } from '#src/solvers/procrustes.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const scratch = scratchDirectory();

interface Part {
  readonly trials: number;
  readonly where: (point: Point) => boolean;
  /** Claims known to fail, by a part of their words: see docs/reproduce.md. */
  readonly failing?: string;
}

const parts: Readonly<Record<string, Part>> = {
  'householder-figure1': { trials: 1, where: ({ m }) => m <= 5 },
  'householder-figure2': { trials: 1, where: ({ p }) => p !== 100 },
  'householder-figure3': { trials: 8, where: ({ theta, p }) => theta === 0.3 || p === 18 },
  'householder-figure4': { trials: 2, where: ({ p }) => p !== 10 },
  'householder-figure5': { trials: 2, where: ({ snr }) => snr >= 10, failing: 'in ℓ∞ too' },
};

describe.each(experiments.map((experiment) => ({ name: experiment.name, experiment })))(
  '$name',
  ({ name, experiment }) => {
    const { trials, where, failing } = parts[name];

    it('shows what it claims', async () => {
      const quick = { ...experiment.quick, points: experiment.quick.points.filter(where) };
      const options = { quick: true, trials, seed: testSeed(1) };
      const measured = await runExperiment({ ...experiment, quick }, options, { csv: scratch.file(`${name}.csv`) });
      const summary = summarise(experiment, measured);
      const failed = experiment.claims
        .map((claim) => ({ words: claim.words, ...claim.check(summary) }))
        .filter(({ words, holds }) => holds !== true && !(failing && words.includes(failing)));
      expect(failed).toEqual([]);
    });

    it('has points with all parameters in both grids, and the quick one is a part of the full one but for sweeps', () => {
      for (const { points } of [experiment.full, experiment.quick]) {
        for (const point of points) expect(Object.keys(point).sort()).toEqual([...experiment.parameters].sort());
      }
      const key = (point: Point) => JSON.stringify({ ...point, sweeps: 0 });
      const full = new Set(experiment.full.points.map(key));
      expect(experiment.quick.points.filter((point) => !full.has(key(point)))).toEqual([]);
    });
  },
);

it('every claim of every experiment has its own words', () => {
  for (const { claims } of experiments as Experiment[]) {
    expect(new Set(claims.map(({ words }) => words)).size).toBe(claims.length);
  }
});

describe('knownCodesDistance', () => {
  it('is that of the Procrustes solution where samples suffice', async () => {
    const n = 30;
    const data = householderData({ n, p: n, m: 3, theta: 0.5, snr: 20 }, testSeed(3));
    const atoms = await procrustes(data.samples, data.codes); // rows are columns of V
    let sum = 0;
    for (const i of range(0, n - 1)) {
      const column = new Float64Array(n);
      column[i] = 1;
      reflectForward(data.reflectors, column);
      column.forEach((value, k) => {
        sum += (value - atoms.data[i * n + k]) ** 2;
      });
    }
    expect(await knownCodesDistance(data)).toBeCloseTo(Math.sqrt(sum), 8);
  });

  it('is a chance completion where they do not', async () => {
    const data = householderData({ n: 50, p: 10, m: 2, theta: 0.3 }, testSeed(4));
    expect(await knownCodesDistance(data)).toBeCloseTo(Math.sqrt(2 * 40), 8);
  });
});
