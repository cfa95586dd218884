/** Accelerated expectation maximisation against the plain steps. */
import { expect, it } from 'vitest';
import { createRandom } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { iterate } from '#src/engine/iterate.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { stopAfterIterations, stopWhenChangeBelow } from '#src/engine/stop.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { expect as expectation, expectationMaximisation } from '#src/models/mixtures/expectation-maximisation.ts';
import { expBelowZero } from '#src/models/mixtures/exponential.ts';
import { isotropic, mixtureOf } from '#src/models/mixtures/statistics.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(5);

it.each([1, 2, 3])('reaches the maximum of the plain steps in a fifth of their number, data set %d', async (set) => {
  const { samples, means } = generateMixture({
    samples: 1000,
    features: 3,
    clusters: 3,
    spread: 1.2,
    seed: seed + set,
  });
  const gram = referenceKernels.multiply(samples, samples, 'tn');
  const data = {
    source: memorySource(samples),
    executor: inlineExecutor(referenceKernels),
    frame: { offset: new Float64Array(3), inverse: new Float64Array(3).fill(1) },
    scatter: { ...gram, data: gram.data.map((x) => x / 1000) },
    floor: 1e-12,
  };
  const start = isotropic({ means, weights: new Float64Array(3).fill(1 / 3) }, 2, 'diagonal');
  let plain = start;
  let steps = 0;
  for (let moved = 1; moved > 1e-7 && steps < 3000; steps++) {
    const next = mixtureOf((await expectation(data, plain)).next, 'diagonal', data, referenceKernels);
    moved = Math.max(...next.means.data.map((x, at) => Math.abs(x - plain.means.data[at])));
    plain = next;
  }
  const loop = iterate(expectationMaximisation(data, start), {
    stop: [stopWhenChangeBelow(1e-7), stopAfterIterations(1000)],
    samplesPerStep: 1000,
  });
  let step = await loop.next();
  while (!step.done) step = await loop.next();
  const { status, iterations, state } = step.value;
  expect(status).toBe('converged');
  expect(iterations).toBeLessThan(Math.max(40, steps / 5));
  expect(state.logLikelihood).toBeGreaterThan((await expectation(data, plain)).logLikelihood - 1e-6);
});

it('computes exponentials to the last digits', () => {
  const random = createRandom(seed, 'exponentials');
  for (const x of [
    0,
    -1e-300,
    -1e-9,
    -Math.LN2 / 2,
    -39.999,
    ...Array.from({ length: 5000 }, () => -40 * random.uniform()),
  ]) {
    expect(Math.abs(expBelowZero(x) / Math.exp(x) - 1)).toBeLessThan(4 * Number.EPSILON);
  }
});
