/** The usual data, how far a reflector is from another, and samples of given reflectors. */
import { type Matrix64, row, zeros } from '#src/core/matrix.ts';
import { reflectForward } from '#src/linalg/reflectors.ts';
import type { GenerateHouseholderOptions } from '#src/synthetic/option-types.ts';
import { testSeed } from '../../helpers/seed.ts';

export const base = {
  samples: 18,
  features: 1000,
  reflectors: 1,
  theta: 0.3,
  seed: testSeed(1),
} satisfies GenerateHouseholderOptions;

/** max |u − v| up to the sign. */
export function largestError(u: Float64Array, v: Float64Array): number {
  const errorOf = (sign: number) => u.reduce((max, value, i) => Math.max(max, Math.abs(value - sign * v[i])), 0);
  return Math.min(errorOf(1), errorOf(-1));
}

/** y = V x with codes drawn one by one. */
export function samplesOf(reflectors: Matrix64, samples: number, draw: () => number): Matrix64 {
  const data = zeros(samples, reflectors.cols);
  for (let j = 0; j < samples; j++) {
    const y = row(data, j);
    for (let i = 0; i < y.length; i++) y[i] = draw();
    reflectForward(reflectors, y);
  }
  return data;
}
