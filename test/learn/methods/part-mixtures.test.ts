/** Two atoms that are a mixture of two are separated, by the angle that their sums give; others are unchanged. */
import { describe, expect, it } from 'vitest';
import { addScaled, copy, inner, type Matrix64, maxDifference, row } from '#src/core/matrix.ts';
import { partMixtures } from '#src/learn/methods/part-mixtures.ts';
import { polar } from '#src/linalg/polar.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { orthonormalityError } from '../../helpers/matrices.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(91);
const K = 20;
const P = 30_000;
const { samples, atoms: truth } = generate({ samples: P, features: K, theta: 0.3, seed });
const power = { kind: 'power', norm: 4 } as const;

/** The true atoms with rows i and k turned by an angle. */
function mixed(pairs: readonly [i: number, k: number, angle: number][]): Matrix64 {
  const A = copy(truth);
  for (const [i, k, angle] of pairs) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const [a, b] = [row(A, i), row(A, k)];
    for (let j = 0; j < K; j++) [a[j], b[j]] = [c * a[j] + s * b[j], c * b[j] - s * a[j]];
  }
  return A;
}

/** A step of shifted MSP from A, and what it knows. */
function stepFrom(A: Matrix64) {
  const sums = fastKernels.correlate({
    samples,
    atoms: A,
    conditioning: { scale: 1 },
    response: power,
    precision: 'f64',
  });
  const variance = inner(samples, samples) / (P * K);
  const gaussian = 3 * P * variance ** 2;
  const excess = sums.values.map((value) => value - gaussian);
  const usual = excess.slice().sort()[K >> 1];
  const next = polar(addScaled(sums.correlation, -gaussian, A), fastKernels);
  return { next, from: { atoms: A, correlation: sums.correlation, excess, usual } };
}

const degrees = Math.PI / 180;

describe('mixtures', () => {
  it.each([45, 44, -44.5, 40, -38])('at %d degrees are parted', (angle) => {
    const { next, from } = stepFrom(mixed([[3, 11, angle * degrees]]));
    expect(recoveryError(next, truth)).toBeGreaterThan(0.01);
    const parted = partMixtures(next, from);
    // the optimum of ℓ4 is a hundredth away, and the angle is known to a few degrees
    expect(recoveryError(parted, truth)).toBeLessThan(0.01);
    expect(orthonormalityError(parted)).toBeLessThan(1e-12);
  });

  it('of several pairs are told apart by their sines', () => {
    const { next, from } = stepFrom(
      mixed([
        [0, 5, 40 * degrees],
        [7, 9, -39 * degrees],
      ]),
    );
    expect(recoveryError(partMixtures(next, from), truth)).toBeLessThan(0.01);
  });

  it('are not seen where there are none', () => {
    const { next, from } = stepFrom(truth);
    expect(maxDifference(partMixtures(next, from), next)).toBe(0);
  });

  it('are left alone at first, when most atoms are mixtures', () => {
    const all = Array.from({ length: K / 2 }, (_, k): [number, number, number] => [2 * k, 2 * k + 1, 45 * degrees]);
    const { next, from } = stepFrom(mixed(all.slice(0, 6)));
    expect(maxDifference(partMixtures(next, from), next)).toBe(0);
    const gaussian = { ...from, usual: -1 };
    expect(partMixtures(next, gaussian)).toBe(next);
  });
});
