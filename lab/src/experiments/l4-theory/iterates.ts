/** Runs of a fixed-point iteration on the orthogonal group: the iterates, when they arrive, and how fast. */
import type { Matrix64 } from 'orthodict';
import { rootMeanSquareDifference } from 'orthodict/extend';

const MOST_STEPS = 120;
const STILL = 1e-9;

/** A_0, A_1, … until a step moves the rows by less than 1e-9, or for 120 steps. */
export function iterate(start: Matrix64, step: (A: Matrix64) => Matrix64): Matrix64[] {
  const run = [start];
  for (let t = 0; t < MOST_STEPS; t++) {
    run.push(step(run[t]));
    if (rootMeanSquareDifference(run[t + 1], run[t]) < STILL) break;
  }
  return run;
}

/** Steps until all later iterates are within a root mean square distance of the last one. */
export function stepsTo(run: readonly Matrix64[], distance: number): number {
  const last = run.at(-1)!;
  return 1 + run.findLastIndex((A) => rootMeanSquareDifference(A, last) > distance);
}

/** Changes in this range measure the rate: neither far from the end nor rounding. */
const RATE_RANGE = [1e-8, 1e-3] as const;

/** The factor by which the change shrinks per step near the end; undefined if there are too few steps. */
export function lastRate(run: readonly Matrix64[]): number | undefined {
  const changes = run
    .slice(1)
    .map((A, t) => rootMeanSquareDifference(A, run[t]))
    .filter((change) => change > RATE_RANGE[0] && change < RATE_RANGE[1]);
  if (changes.length < 2) return undefined;
  return (changes.at(-1)! / changes[0]) ** (1 / (changes.length - 1));
}
