/** The theorems of Shalit & Chechik (2014), for tensors with orthogonal factors. */
import { describe, expect, it } from 'vitest';
import { addScaled, copy, type Matrix64, maxDifference } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { rotateRows } from '#src/kernels/planes.ts';
import { polar } from '#src/linalg/polar.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { denseTensorObjective } from '#src/models/tensor/dense-objective.ts';
import { ascend } from '#src/rotations/ascend.ts';
import { givensSolver, type RotationObjective } from '#src/rotations/coordinate-ascent.ts';
import { PAIR_RULES } from '#src/rotations/pairs.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { testSeed } from '../../helpers/seed.ts';
import { factorError, odeco, withNoise } from '../../models/tensor/helpers.ts';

const seed = testSeed(73);
const random = createRandom(seed, 'theorems');
const D = 8;
const { T, V, weights } = odeco(D, random);
const best = weights.reduce((sum, weight) => sum + weight, 0);

/** ‖∇f‖²_F of the objective's state. */
function squaredGradient(objective: RotationObjective): number {
  let sum = 0;
  for (let i = 0; i < D; i++) for (let j = i + 1; j < D; j++) sum += 2 * objective.best(i, j).slope ** 2;
  return sum;
}

async function gradientAt(objective: RotationObjective, A: Matrix64): Promise<number> {
  await objective.restore(A);
  return Math.sqrt(squaredGradient(objective));
}

describe('theorem 1: convergence to a local optimum', () => {
  it.each(PAIR_RULES)('the gradient vanishes: %s', async (pairs) => {
    const objective = denseTensorObjective(withNoise(T, 0.1, seed), fastKernels);
    const { state } = await ascend(objective, { start: randomOrthogonal(D, random), pairs, seed, maxIterations: 400 });
    expect(await gradientAt(objective, state.atoms)).toBeLessThan(1e-10 * state.objective);
  });

  it('the limit is stable: a run from nearby returns to it', async () => {
    const objective = denseTensorObjective(withNoise(T, 0.1, seed), fastKernels);
    const options = { pairs: 'until-improvement', seed, maxIterations: 400 } as const;
    const { state } = await ascend(objective, { start: randomOrthogonal(D, random), ...options });
    for (let trial = 0; trial < 5; trial++) {
      const start = polar(addScaled(state.atoms, 0.02, normalMatrix(D, D, random)), fastKernels);
      const back = await ascend(objective, { start, ...options });
      expect(maxDifference(back.state.atoms, state.atoms)).toBeLessThan(1e-9);
    }
  });
});

describe('theorem 2: rate of convergence', () => {
  it('min over t ≤ T of the mean squared gradient is at most L d² (f_max − f₀)/(T + 1)', async () => {
    const RUNS = 10;
    const STEPS = 150;
    const gradients = new Float64Array(STEPS + 1);
    let first = 0;
    let L = 0;
    for (let run = 0; run < RUNS; run++) {
      const objective = denseTensorObjective(T, fastKernels);
      await objective.restore(randomOrthogonal(D, random));
      first += objective.value() / RUNS;
      for (let t = 0; t <= STEPS; t++) {
        gradients[t] += squaredGradient(objective) / RUNS;
        const i = random.integer(D);
        const j = (i + 1 + random.integer(D - 1)) % D;
        const [a, b] = [Math.min(i, j), Math.max(i, j)];
        L = Math.max(L, curvature(objective, a, b));
        const { angle } = objective.best(a, b);
        objective.rotate(a, b, Math.cos(angle), Math.sin(angle));
      }
    }
    for (let t = 0; t <= STEPS; t++) {
      expect(Math.min(...gradients.subarray(0, t + 1))).toBeLessThanOrEqual((L * D * D * (best - first)) / (t + 1));
    }
    expect(gradients[STEPS]).toBeLessThan(0.5 * gradients[0]); // and it does fall
  });

  /** The largest |g″| in a plane, from slopes at angles around the circle. */
  function curvature(objective: RotationObjective, i: number, j: number): number {
    const POINTS = 24;
    const step = (2 * Math.PI) / POINTS;
    let largest = 0;
    let before = objective.best(i, j).slope;
    for (let k = 0; k < POINTS; k++) {
      objective.rotate(i, j, Math.cos(step), Math.sin(step));
      const { slope } = objective.best(i, j);
      largest = Math.max(largest, Math.abs(slope - before) / step);
      before = slope;
    }
    return 1.1 * largest; // chords of harmonics up to 3 at 24 points are within 5 % of the tangents
  }
});

describe('theorem 3: stable points of an orthogonal tensor are its factors', () => {
  it('every start ends at a permutation of them, with the sum of the weights', async () => {
    const objective = denseTensorObjective(T, fastKernels);
    for (let trial = 0; trial < 10; trial++) {
      const { state } = await ascend(objective, {
        start: randomOrthogonal(D, random),
        pairs: 'until-improvement',
        seed: trial,
      });
      expect(factorError(state.atoms, V)).toBeLessThan(1e-11);
      expect(Math.abs(state.objective - best)).toBeLessThan(1e-12 * best);
    }
  });

  it('the factors are stable, and no plane improves on them', async () => {
    const objective = denseTensorObjective(T, fastKernels);
    expect(await gradientAt(objective, V)).toBeLessThan(1e-12);
    const solver = givensSolver(objective, { start: V, leastAngle: 1e-12 });
    expect((await solver.step(await solver.init())).moves).toBe(0);
  });

  it('a run leaves other stationary points at once', async () => {
    // in a plane of two factors g = λ₁(c³ − s³) + λ₂(c³ + s³) is stationary where tan φ = (λ₁ + λ₂)/(λ₂ − λ₁), too
    const tilted = copy(V);
    const angle = Math.atan2(weights[0] + weights[1], weights[1] - weights[0]);
    rotateRows(tilted, 0, 1, Math.cos(angle), Math.sin(angle));
    const objective = denseTensorObjective(T, fastKernels);
    expect(await gradientAt(objective, tilted)).toBeLessThan(1e-12);
    expect(objective.value()).toBeLessThan(best - 0.5);
    const { state } = await ascend(objective, { start: tilted });
    expect(Math.abs(state.objective - best)).toBeLessThan(1e-12 * best);
  });
});
