/** Tensors, objectives and constants that the theorems of Shalit & Chechik are measured with, and the facts of their proofs. */

import { fromFactors } from 'orthodict';
import {
  createRandom,
  denseTensorObjective,
  determinantSign,
  geometricWeights,
  identity,
  PAIR_RULES,
  randomOrthogonal,
  transformTensor,
  withNoise,
} from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { algorithm4, visitPlanes } from '#lab/experiments/givens/plane-by-plane.ts';
import { problemOf } from '#lab/experiments/givens/problems.ts';
import { sum } from '#lab/experiments/givens/sum.ts';
import { fastKernels } from '../../../../test/helpers/kernels.ts';
import { testSeed } from '../../../../test/helpers/seed.ts';

const seed = testSeed(77);
const random = createRandom(seed, 'tensors of experiments');

describe('the facts in the proof of theorem 3', () => {
  it.each([1, 2, 3, 8, 15])('|T̂(U)_abc| ≤ 1 and ‖vec T̂(U)‖² = d: d = %d', (d) => {
    for (let trial = 0; trial < 10; trial++) {
      const { data } = fromFactors(randomOrthogonal(d, random), new Float64Array(d).fill(1));
      expect(Math.max(...data.map(Math.abs))).toBeLessThanOrEqual(1 + 1e-14);
      expect(data.reduce((total, entry) => total + entry ** 2, 0)).toBeCloseTo(d, 12);
    }
  });
});

describe('L', () => {
  it.each([3, 4])('bounds g″ everywhere, and not by far where it can: degree %d', async (degree) => {
    const d = 6;
    const { objective, lipschitz } = problemOf({ degree, d }, seed, fastKernels);
    const L = lipschitz();
    const step = 1e-4;
    let largest = 0;
    for (let trial = 0; trial < 40; trial++) {
      await objective.restore(randomOrthogonal(d, random));
      for (const visit of visitPlanes(objective, 'cyclic', 0)) {
        const [i, j] = visit.pair; // somewhere on the way to the maximum
        const before = objective.best(i, j).slope;
        objective.rotate(i, j, Math.cos(step), Math.sin(step));
        largest = Math.max(largest, Math.abs(objective.best(i, j).slope - before) / step);
        if (j === d - 1 && i === d - 2) break; // one sweep
      }
    }
    expect(largest).toBeLessThanOrEqual(L);
    expect(largest).toBeGreaterThan(L / 3);
  });
});

describe('noise', () => {
  it('has the deviations it says, in every orthonormal basis', () => {
    const d = 30;
    const zero = { size: d, data: new Float64Array(d ** 3) };
    const noise = withNoise(zero, 2, random);
    const deviations = ({ data }: { data: Float64Array }) => {
      const squares = [0, 0, 0];
      for (let a = 0; a < d; a++) {
        for (let b = 0; b < d; b++) if (b !== a) squares[1] += data[(a * d + a) * d + b] ** 2 / (d * (d - 1));
        squares[0] += data[(a * d + a) * d + a] ** 2 / d;
        for (let b = 0; b < a; b++) {
          for (let c = 0; c < b; c++) squares[2] += (6 * data[(a * d + b) * d + c] ** 2) / (d * (d - 1) * (d - 2));
        }
      }
      return squares.map(Math.sqrt);
    };
    for (const E of [noise, transformTensor(noise, randomOrthogonal(d, random), fastKernels)]) {
      const [iii, iij, ijk] = deviations(E);
      expect(Math.abs(iii / (2 * Math.sqrt(3)) - 1)).toBeLessThan(0.5); // of 30 numbers: 4 standard errors
      expect(Math.abs(iij / 2 - 1)).toBeLessThan(0.1); // of 870
      expect(Math.abs(ijk / Math.SQRT2 - 1)).toBeLessThan(0.05); // of 4060
    }
  });
});

describe('plane by plane', () => {
  const d = 6;
  const weights = geometricWeights(d, 3);
  const objective = denseTensorObjective(fromFactors(identity(d), weights), fastKernels);

  it('Algorithm 4 keeps the determinant and ends where no plane improves', async () => {
    for (let trial = 0; trial < 6; trial++) {
      const start = randomOrthogonal(d, random);
      const { A, value } = await algorithm4(objective, start, trial);
      expect(determinantSign(A)).toBe(determinantSign(start));
      expect(Math.abs(value / sum(weights) - 1)).toBeLessThan(1e-12);
      for (let i = 0; i < d; i++) for (let j = i + 1; j < d; j++) expect(objective.best(i, j).gain).toBeLessThan(1e-12);
    }
  });

  it.each(PAIR_RULES)('gains add up to the rise of f: %s', async (rule) => {
    await objective.restore(randomOrthogonal(d, random));
    let value = objective.value();
    let visits = 0;
    for (const { rotation, taken } of visitPlanes(objective, rule, seed)) {
      if (taken) value += rotation.gain;
      if (++visits === 60) break;
    }
    expect(objective.value()).toBeCloseTo(value, 12);
  });
});
