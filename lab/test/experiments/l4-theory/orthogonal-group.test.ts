/** The orthogonal group and expectations over it, against independent formulas. */

import type { Matrix64 } from 'orthodict';
import {
  addScaled,
  createRandom,
  identity,
  referenceKernels as kernels,
  norm,
  randomOrthogonal,
} from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { curvatures } from '#lab/experiments/l4-theory/curvatures.ts';
import {
  blockDiagonal,
  distance,
  hadamard,
  quartic,
  randomSkew,
  riemannianGradient,
  rotationAt,
  signedPermutation,
} from '#lab/experiments/l4-theory/orthogonal-group.ts';
import { expectationAt } from '#lab/experiments/l4-theory/population.ts';
import { provenDeviation } from '#lab/experiments/l4-theory/proven-deviation.ts';
import { testSeed } from '../../../../test/helpers/seed.ts';

const random = createRandom(testSeed(1), 'theory tests');
const turned = (W: Matrix64, R: Matrix64) => kernels.multiply(W, R, 'nn');

describe('rotationAt', () => {
  it.each([1e-8, 0.1, 1, 5])('is orthogonal, and ‖R − I‖² is %d', (epsilon) => {
    const R = rotationAt(randomSkew(6, random), epsilon, kernels);
    expect(distance(kernels.multiply(R, R, 'nt'), identity(6))).toBeLessThan(1e-13);
    expect(distance(R, identity(6)) ** 2 / epsilon).toBeCloseTo(1, 6);
  });
});

describe('derivatives of g', () => {
  it('the Riemannian gradient is the slope along every rotation', () => {
    const W = randomOrthogonal(5, random);
    const K = randomSkew(5, random);
    const near = turned(W, rotationAt(K, 1e-10, kernels));
    const rate = (quartic(near) - quartic(W)) / 1e-5; // ‖near − W‖ is 1e-5
    const WK = turned(W, K);
    const gradient = riemannianGradient(W, kernels);
    const expected = gradient.data.reduce((sum, value, i) => sum + value * WK.data[i], 0) / norm(K.data);
    expect(rate).toBeCloseTo(expected, 3);
  });

  it('the curvatures have the sum of second differences of g along all planes, at a saddle', () => {
    const W = blockDiagonal([hadamard(4), signedPermutation(2, random)]);
    const epsilon = 1e-6; // ‖R − I‖²; g(WR) − g(W) is half the curvature times it
    const planes = Array.from({ length: 6 }, (_, i) => Array.from({ length: i }, (__, j) => [i, j] as const)).flat();
    const second = planes.map(([i, j]) => {
      const K = { ...identity(6), data: new Float64Array(36) };
      [K.data[i * 6 + j], K.data[j * 6 + i]] = [1, -1];
      return (2 * (quartic(turned(W, rotationAt(K, epsilon, kernels))) - quartic(W))) / epsilon;
    });
    const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
    expect(sum(second)).toBeCloseTo(sum(curvatures(W, kernels)), 3);
  });
});

describe('expectationAt', () => {
  it('is lemma 3 and proposition 10 on the orthogonal group', () => {
    const W = randomOrthogonal(7, random);
    const theta = 0.3;
    const { objective, gradient } = expectationAt(W, theta);
    expect(objective).toBeCloseTo(3 * theta * ((1 - theta) * quartic(W) + theta * 7), 12);
    const cubed = { ...W, data: W.data.map((w) => 3 * theta * (1 - theta) * w ** 3) };
    expect(distance(gradient, addScaled(cubed, 3 * theta ** 2, W))).toBeLessThan(1e-14);
  });

  it.each([4, 6, 8])('has the moments of the codes at W = I and the gradient of its objective, ℓ%d', (q) => {
    const moment = [3, 15, 105][q / 2 - 2];
    expect(expectationAt(identity(3), 0.2, q).objective).toBeCloseTo(3 * 0.2 * moment, 10);
    const W = randomOrthogonal(4, random);
    const V = randomOrthogonal(4, random);
    const t = 1e-5;
    const [up, down] = [t, -t].map((step) => expectationAt(addScaled(W, step, V), 0.2, q).objective);
    const slope = expectationAt(W, 0.2, q).gradient.data.reduce((sum, value, i) => sum + q * value * V.data[i], 0);
    expect((up - down) / (2 * t) / slope).toBeCloseTo(1, 6);
  });
});

describe('provenDeviation', () => {
  it('falls with p and is above the objective 3θ up to p = 1e9', () => {
    expect(provenDeviation(10, 16_000, 0.5)).toBeLessThan(provenDeviation(10, 1000, 0.5));
    expect(provenDeviation(10, 1e9, 0.5)).toBeGreaterThan(3 * 0.5);
  });
});
