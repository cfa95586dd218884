/** The lazy and the dense objective of the same moment tensor: their steps compared, counted and timed. */

import type { Matrix64 } from 'orthodict';
import {
  createRandom,
  denseMoment,
  denseTensorObjective,
  identity,
  type Kernels,
  maxDifference,
  momentObjective,
  type RotationObjective,
  randomOrthogonal,
  rotatePlane,
  zeros,
} from 'orthodict/extend';
import type { Measured, Point } from '../framework/experiment.ts';
import { singleThread } from '../l4/l4-runs.ts';
import { followVisit, planesOf, visitPlanes } from './plane-by-plane.ts';

/** Sweeps that are compared step by step. */
export const COMPARED = 2;
/** Batches of steps, and the milliseconds of each. */
export const BATCHES = 20;
export const TIMED = 2;

/** d×p: centred exponential numbers, which are skewed, turned by a random orthogonal matrix. */
function skewedSamples({ d, p }: Point, seed: number, kernels: Kernels): Matrix64 {
  const random = createRandom(seed, 'skewed samples');
  const sources = zeros(d, p);
  for (let at = 0; at < sources.data.length; at++) sources.data[at] = -Math.log(1 - random.uniform()) - 1;
  return kernels.multiply(randomOrthogonal(d, random), sources);
}

/** Point: d, p. */
export async function stepCosts(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { kernels } = await singleThread();
  const { d, p } = point;
  const x = skewedSamples(point, seed, kernels);
  const began = performance.now();
  const T = denseMoment([{ x, weight: 1 / p }]);
  const forming = (performance.now() - began) / 1000;
  const [dense, lazy] = [denseTensorObjective(T, kernels), momentObjective(x, 1 / p, kernels)];
  for (const objective of [dense, lazy]) await objective.restore(identity(d));
  const difference = largestDifference(dense, lazy, d, seed);
  signal.throwIfAborted();
  return {
    dense: secondsPerStep(dense, seed),
    lazy: secondsPerStep(lazy, seed),
    denseWritten: await writtenBy((data) => denseTensorObjective({ size: d, data }, keeping(kernels, 'first')), T.data),
    lazyWritten: await writtenBy((data) => momentObjective({ ...x, data }, 1, keeping(kernels, 'second')), x.data),
    forming,
    difference,
  };
}

/** Largest difference of an entry of U between the two, over all steps of the same random pairs. */
function largestDifference(dense: RotationObjective, lazy: RotationObjective, d: number, seed: number): number {
  const [A, B] = [identity(d), identity(d)];
  const others = visitPlanes(lazy, 'random', seed);
  let [largest, left] = [0, COMPARED * planesOf(d)];
  for (const visit of visitPlanes(dense, 'random', seed)) {
    followVisit(A, visit);
    const other = others.next();
    if (!other.done) followVisit(B, other.value);
    largest = Math.max(largest, maxDifference(A, B));
    if (--left === 0) break;
  }
  return largest;
}

/** How many numbers a step changes, of a copy of `data` that the objective keeps. */
async function writtenBy(make: (data: Float64Array) => RotationObjective, data: Float64Array): Promise<number> {
  const kept = data.slice();
  const objective = make(kept);
  await objective.restore(identity(objective.size));
  rotatePlane(objective, [0, 1], 0);
  return kept.reduce((count, value, at) => count + (value === data[at] ? 0 : 1), 0);
}

/** Kernels for U = I: a product with it is its other factor, itself and no copy. */
const keeping = (kernels: Kernels, other: 'first' | 'second'): Kernels => ({
  ...kernels,
  multiply: (a, b) => (other === 'first' ? a : b),
});

/** The least of the means of some batches of steps: other work on the machine only adds to them. Every plane is turned. */
function secondsPerStep(objective: RotationObjective, seed: number): number {
  const random = createRandom(seed, 'timed planes');
  const means: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const began = performance.now();
    let [steps, spent] = [0, 0];
    for (; spent < TIMED; steps++, spent = performance.now() - began) {
      const i = random.integer(objective.size - 1);
      const j = i + 1 + random.integer(objective.size - 1 - i);
      const { angle } = objective.best(i, j);
      objective.rotate(i, j, Math.cos(angle), Math.sin(angle));
    }
    means.push(spent / steps);
  }
  return Math.min(...means) / 1000;
}
