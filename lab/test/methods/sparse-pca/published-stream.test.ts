/** Algorithm 5 of Shalit & Chechik, written here as its listing reads, is what the stream of the laboratory computes. */
import { generateSparseComponents } from 'orthodict';
import { createRandom, maxDifference, polar, range, referenceKernels, row, unitRows } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { PublishedStream } from '#lab/methods/sparse-pca/published-stream.ts';
import { testSeed } from '../../../../test/helpers/seed.ts';

const seed = testSeed(5);
const planted = generateSparseComponents({ samples: 80, features: 24, components: 4, nonzeros: 5, seed });
const samples = range(80).map((j) => Array.from(row(planted.samples, j)));
const options = { components: 4, gamma: 3, rotations: 6, seed } as const;

type Vector = readonly number[];
const turn = (a: Vector, b: Vector, theta: number): [Vector, Vector] => {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  return [a.map((x, k) => c * x + s * b[k]), b.map((y, k) => -s * a[k] + c * y)];
};
const over = (x: number, gamma: number) => Math.max(Math.abs(x) - gamma, 0) * Math.sign(x);

/** Finds the best place on a grid over one period, then the zero of the derivative near it by bisection. */
function bestTheta(a: Vector, b: Vector, gamma: number): number {
  const value = (theta: number) =>
    turn(a, b, theta).reduce((sum, v) => sum + v.reduce((part, x) => part + over(x, gamma) ** 2, 0), 0);
  const slope = (theta: number) => {
    const [u, v] = turn(a, b, theta); // du/dθ = v, dv/dθ = −u
    return u.reduce((sum, x, k) => sum + over(x, gamma) * v[k] - over(v[k], gamma) * x, 0);
  };
  const step = Math.PI / 2 / 400;
  const grid = range(400).map((k) => -Math.PI / 4 + (k + 1) * step);
  const best = grid.reduce((most, theta) => (value(theta) > value(most) ? theta : most), 0);
  let [low, high] = [best - step, best + step];
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (slope(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The listing; columns of AU as vectors. The pairs are the implementation's. */
function algorithm5(stream: readonly Vector[], { components: m, gamma, rotations: L }: typeof options): Vector[] {
  const random = createRandom(seed, 'sparse-pca stream');
  const AU = stream.slice(0, m).map((a) => [...a]) as Vector[];
  for (let next = m; ; next++) {
    for (let t = 1; t <= L; t++) {
      const one = random.integer(m);
      const other = (one + 1 + random.integer(m - 1)) % m;
      const [i, j] = [one, other].sort((a, b) => a - b);
      [AU[i], AU[j]] = turn(AU[i], AU[j], bestTheta(AU[i], AU[j], gamma));
    }
    if (next === stream.length) return AU;
    const norms = AU.map((column) => Math.hypot(...column));
    AU[norms.indexOf(Math.min(...norms))] = stream[next];
  }
}

describe('the published algorithm', () => {
  it.each([4, 5, 40])('has the AU of the listing after %d samples', (count) => {
    const { rows } = new PublishedStream(options).partialFit({ ...planted.samples, rows: count });
    const expected = algorithm5(samples.slice(0, count), options);
    const largest = Math.max(...expected.flat().map(Math.abs));
    // angles are those of maxima: found to the square root of rounding, 1e-8, where the implementation sees no gain
    expected.forEach((column, i) => {
      column.forEach((x, k) => {
        expect(Math.abs(row(rows, i)[k] - x)).toBeLessThan(1e-6 * largest);
      });
    });
  });

  it('solves for Z: the pattern |AU| > γ, and within it a fixed point of z_i = P_i, P = X AU, X = polar(Z AUᵀ)', async () => {
    const stream = new PublishedStream(options).partialFit(planted.samples);
    const { rows: B } = stream;
    const { support, gammas, loadings: Z } = await stream.result();
    const pattern = range(4).map((i) => [...row(B, i).keys()].filter((k) => Math.abs(row(B, i)[k]) > 3));
    expect(support.map(String).sort()).toEqual(pattern.map(String).sort());
    expect([...gammas]).toEqual([3, 3, 3, 3]);
    const X = polar(referenceKernels.multiply(Z, B, 'nt'), referenceKernels);
    const P = referenceKernels.multiply(X, B, 'nn');
    const filled = unitRows({ ...P, data: P.data.map((x, at) => (Z.data[at] === 0 ? 0 : x)) });
    expect(maxDifference(filled, Z)).toBeLessThan(1e-4); // it stops when three steps raise the sum by 1e-10
  });
});
