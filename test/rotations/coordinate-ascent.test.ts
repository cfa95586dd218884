import { describe, expect, it } from 'vitest';
import { maxDifference } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { Checkpoint } from '#src/engine/checkpoint.ts';
import { determinantSign } from '#src/linalg/lu.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { denseTensorObjective } from '#src/models/tensor/dense-objective.ts';
import { ascend } from '#src/rotations/ascend.ts';
import { givensSolver } from '#src/rotations/coordinate-ascent.ts';
import { l4Objective } from '#src/rotations/l4-objective.ts';
import { PAIR_RULES } from '#src/rotations/pairs.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { orthonormalityError } from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';
import { odeco, withNoise } from '../models/tensor/helpers.ts';

const seed = testSeed(72);
const random = createRandom(seed, 'engine');
const D = 9;
const { T } = odeco(D, random);
const noisy = withNoise(T, 0.3, seed);
const samples = normalMatrix(D, 300, random);
const start = randomOrthogonal(D, random);
const objectives = {
  tensor: () => denseTensorObjective(noisy, fastKernels),
  l4: () => l4Objective(D, (A) => fastKernels.multiply(A, samples)),
};

describe.each(Object.entries(objectives))('%s', (_, objective) => {
  it.each(PAIR_RULES)('never falls and stays orthogonal: %s', async (pairs) => {
    const solver = givensSolver(objective(), { start, pairs, seed });
    let state = await solver.init();
    for (let sweep = 0; sweep < 12; sweep++) {
      const before = state.objective;
      state = await solver.step(state);
      expect(state.objective).toBeGreaterThanOrEqual(before - 1e-13 * Math.abs(before));
      // the gains of the planes add up to the gain of the objective
      expect(Math.abs(before + state.gain - state.objective)).toBeLessThan(1e-12 * Math.abs(state.objective));
      expect(orthonormalityError(state.atoms)).toBeLessThan(1e-13);
      expect(state.determinant).toBe(determinantSign(state.atoms));
    }
  });

  it.each(PAIR_RULES)('resumes from a checkpoint bit for bit: %s', async (pairs) => {
    const saved: Checkpoint[] = [];
    const save = async (checkpoint: Checkpoint) => void saved.push(structuredClone(checkpoint));
    const options = { start, pairs, seed, maxIterations: 6 };
    const recorder = { interval: 0, save, load: async () => undefined };
    const whole = await ascend(objective(), options, { checkpoint: recorder });
    for (const from of saved.slice(0, 3)) {
      const store = { interval: 1e9, save: async () => {}, load: async () => from };
      expect(await ascend(objective(), options, { checkpoint: store, resume: true })).toEqual(whole);
    }
  });
});

it('orthogonalises a start that is nearly orthogonal', async () => {
  const drifted = { ...start, data: start.data.map((x, i) => x + 1e-9 * Math.sin(i)) };
  const solver = givensSolver(objectives.l4(), { start: drifted });
  expect(orthonormalityError((await solver.step(await solver.init())).atoms)).toBeLessThan(1e-13);
});

it('keeps the determinant of its start if signs do not matter', async () => {
  for (const det of [1, -1]) {
    const begin =
      determinantSign(start) === det ? start : { ...start, data: start.data.map((x, i) => (i < D ? -x : x)) };
    const { state } = await ascend(objectives.l4(), { start: begin });
    expect(state.determinant).toBe(det);
  }
});

it('stops at a small gradient, at lack of progress, and at the limit of sweeps', async () => {
  const objective = denseTensorObjective(T, fastKernels);
  expect((await ascend(objective, { start, gradientTolerance: 1e-3 })).reason).toContain('gradient');
  expect(await ascend(objective, { start, maxIterations: 1 })).toMatchObject({ status: 'exhausted', iterations: 1 });
  const { state } = await ascend(objective, { start });
  const again = await ascend(objective, { start: state.atoms, leastAngle: 1e-12 });
  expect(again).toMatchObject({ status: 'converged', reason: 'a sweep without gain', iterations: 1 });
  expect(maxDifference(again.state.atoms, state.atoms)).toBeLessThan(1e-14);
});

it('stops within a sweep when aborted, and keeps the last complete one', async () => {
  const wide = normalMatrix(60, 4000, random);
  const controller = new AbortController();
  const objective = l4Objective(60, (A) => fastKernels.multiply(A, wide));
  setTimeout(() => controller.abort(), 60);
  const { status, state } = await ascend(
    objective,
    { start: randomOrthogonal(60, random), tolerance: 0, maxIterations: 10_000 },
    { signal: controller.signal },
  );
  expect(status).toBe('aborted');
  expect(orthonormalityError(state.atoms)).toBeLessThan(1e-12);
});
