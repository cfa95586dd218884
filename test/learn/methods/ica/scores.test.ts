/** A score that is a sum of the functions it is fitted with is found again, and sums over a histogram are those of its density. */
import { expect, it } from 'vitest';
import { row } from '#src/core/matrix.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { GRID, INTERVALS, REACH, WIDTH } from '#src/learn/methods/ica/score-correlation.ts';
import { commonScores, fitScores, meanSlopes, negentropy } from '#src/learn/methods/ica/scores.ts';

const SAMPLES = 1e9;
const clipped = (x: number, most: number) => Math.min(Math.max(x, -most), most);

/** Counts per interval of SAMPLES codes whose density has the score ψ: f = exp(−∫ψ), both integrals by the midpoint rule. */
function countsOf(score: (x: number) => number): Float64Array {
  const FINE = 64;
  const step = WIDTH / FINE;
  const counts = new Float64Array(INTERVALS);
  for (const side of [1, -1]) {
    for (let k = 0, potential = 0; k < (INTERVALS / 2) * FINE; k++) {
      const x = side * (k + 0.5) * step;
      const change = side * score(x) * step;
      counts[Math.floor((x + REACH) / WIDTH)] += Math.exp(-potential - change / 2);
      potential += change;
    }
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (SAMPLES * count) / total);
}

/** The largest difference of two scores where most codes are. */
function distance(found: Float64Array, score: (x: number) => number): number {
  return Math.max(...Array.from(GRID, (x, b) => (Math.abs(x) < 3 ? Math.abs(found[b] - score(x)) : 0)));
}

// nothing is random: the errors are those of a grid with 32 intervals per unit, and grow with the curvature of the score
it.each<[string, (x: number) => number, number]>([
  ['x', (x) => x, 0.002],
  ['x³ up to 4', (x) => x + 0.1 * clipped(x, 4) ** 3, 0.012],
  ['x⁵ up to 3', (x) => x + 0.02 * clipped(x, 3) ** 5, 0.025],
  ['tanh x', (x) => x + Math.tanh(x), 0.005],
  ['tanh 3x', (x) => x + Math.tanh(3 * x), 0.01],
  ['x exp(−x²/2)', (x) => x + x * Math.exp((-x * x) / 2), 0.002],
  ['a constant', (x) => x + 0.3, 0.003],
  ['x² up to 4', (x) => x + 0.05 * clipped(x, 4) ** 2, 0.003],
  ['exp(−x²/2)', (x) => x + 0.5 * Math.exp((-x * x) / 2), 0.002],
  ['|x|', (x) => x + 0.3 * Math.abs(x), 0.004],
])('finds a score that is normal but for %s', (_, score, most) => {
  const both = Float64Array.of(...countsOf((x) => x), ...countsOf(score));
  const found = fitScores(both, SAMPLES, referenceKernels);
  expect(distance(row(found, 0), (x) => x)).toBeLessThan(0.002);
  expect(distance(row(found, 1), score)).toBeLessThan(most);
});

it('a common score has the slopes of its function', () => {
  const scores = commonScores(2, Math.tanh);
  expect([scores.rows, scores.cols]).toEqual([2, INTERVALS + 1]);
  expect(scores.data[INTERVALS / 2 + 32]).toBe(Math.tanh(1));
  const counts = Float64Array.of(...countsOf((x) => x), ...countsOf((x) => 4 * x));
  const slopes = meanSlopes(scores, counts, SAMPLES);
  expect(slopes[0]).toBeCloseTo(0.605706, 4); // E sech² x of normal x with deviations 1 and 1/2, by quadrature
  expect(slopes[1]).toBeCloseTo(0.826484, 3);
});

it('negentropy is the distance of an entropy from that of a normal distribution', () => {
  const normal = countsOf((x) => x);
  const laplace = countsOf((x) => Math.SQRT2 * Math.sign(x));
  expect(negentropy(normal, SAMPLES)).toBeCloseTo(0, 3);
  const expected = Math.log(2 * Math.PI * Math.E) / 2 - 1 - Math.log(Math.SQRT2);
  expect(negentropy(laplace, SAMPLES)).toBeCloseTo(expected, 3);
  expect(negentropy(Float64Array.of(...normal, ...laplace), SAMPLES)).toBeCloseTo(expected, 3);
});
