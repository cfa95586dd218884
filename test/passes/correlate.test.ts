/** Every chunk counts the codes of some of its samples: the sum has the counts of all of them, and all sums of a likelihood. */
import { expect, it } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { correlatePass } from '#src/passes/correlate.ts';
import { testSeed } from '../helpers/seed.ts';

const random = createRandom(testSeed(23), 'counts');
const [CHUNKS, ROWS, COLS] = [11, 20, 3];
const samples = normalMatrix(CHUNKS * ROWS, COLS, random);
const source = {
  ...memorySource(samples),
  ranges: Array.from({ length: CHUNKS }, (_, k) => ({ start: k * ROWS, end: (k + 1) * ROWS })),
};
const response = { kind: 'mask', thresholds: new Float64Array(COLS).fill(1), meanNorm: 1 } as const;
const params = {
  atoms: normalMatrix(COLS, COLS, random),
  conditioning: { scale: 1 },
  response,
  precision: 'f64',
} as const;

it.each([1, 2, 19, 20, 21])('counts the codes of %d samples of every chunk', async (countRows) => {
  const { counts } = await inlineExecutor(referenceKernels).sum(correlatePass, { ...params, countRows }, source);
  const codes = counts!.reduce((sum, count) => sum + count, 0);
  expect(codes).toBe(CHUNKS * Math.min(ROWS, countRows) * COLS);
});

it('counts nothing if not asked to', async () => {
  const { counts } = await inlineExecutor(referenceKernels).sum(correlatePass, params, source);
  expect(counts).toBeUndefined();
});

it('sums what a likelihood gives over all chunks', async () => {
  const likelihood = { kind: 'likelihood', theta: 0.2, spike: 0.1, slab: 3, meanEnergy: 9, leastEnergy: 3 } as const;
  const request = { ...params, response: likelihood, gram: true };
  const sum = await inlineExecutor(referenceKernels).sum(correlatePass, request, source);
  const whole = referenceKernels.correlate({ ...request, samples });
  expect(sum.likelihood!.live).toBe(whole.likelihood!.live);
  expect(whole.likelihood!.live).toBeLessThan(CHUNKS * ROWS);
  for (const which of ['spikeEnergy', 'slope'] as const) {
    sum.likelihood![which].forEach((x, i) => {
      expect(x).toBeCloseTo(whole.likelihood![which][i], 10);
    });
  }
});
