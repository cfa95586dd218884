/** Results printed in paper 001: Example 1, Example 2, and the map on O(2). Its Table 1: paper.slow.test.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, identity, type Matrix64, maxDifference } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { mspSolver } from '#src/learn/methods/msp.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { product } from '../../helpers/matrices.ts';
import { problemOf } from '../../helpers/problem.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(1000);

/** Algorithm 1 with D_o = I is Algorithm 2 on Y = I: A_1, A_2, … from A_0. */
async function iterates(start: Matrix64, norm: number, count: number): Promise<Matrix64[]> {
  const solver = mspSolver(await problemOf(identity(start.rows)), { norm, shift: 'none', precision: 'f64', start });
  const found: Matrix64[] = [];
  let state = await solver.init();
  for (let k = 0; k < count; k++) {
    state = await solver.step(state);
    found.push(state.candidate);
  }
  return found;
}

/** A_0, A_1, … as the paper prints them, to four decimals. */
const EXAMPLE_1 = [
  [
    [-0.8249, 0.382, -0.4168],
    [-0.524, -0.2398, 0.8173],
    [-0.2122, -0.8925, -0.3979],
  ],
  [
    [-0.9795, 0.0621, -0.1917],
    [-0.1953, -0.0594, 0.9789],
    [-0.0494, -0.9963, -0.0703],
  ],
  [
    [-1, 0.0002, -0.0077],
    [-0.0077, -0.0003, 1],
    [-0.0002, -1, -0.0003],
  ],
  [
    [-1, 0, 0],
    [0, 0, 1],
    [0, -1, 0],
  ],
].map(fromRows);
const EXAMPLE_2 = [
  [
    [-0.6142, 0.3943, 0.6836],
    [-0.2039, 0.7575, -0.6201],
    [0.7623, 0.5203, 0.3849],
  ],
  [
    [-0.2657, 0.0908, 0.9598],
    [-0.015, 0.995, -0.0983],
    [0.9639, 0.0406, 0.263],
  ],
  [
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
  ],
].map(fromRows);

describe('Example 1: l4, 3×3', () => {
  it('gives the printed iterates to their four decimals', async () => {
    const [start, ...printed] = EXAMPLE_1;
    const found = await iterates(start, 4, 3);
    // half a unit of the last decimal, and the same again because the start is printed with four decimals too
    printed.forEach((expected, k) => {
      expect(maxDifference(found[k], expected)).toBeLessThanOrEqual(1e-4);
    });
  });
});

describe('Example 2: l10, 3×3', () => {
  it('has the polar factor of the printed stretch as first iterate, not the printed one, and ends where the paper ends', async () => {
    const [start, printed, end] = EXAMPLE_2;
    const [first, second, third] = await iterates(start, 10, 3);
    const factor = fromRows([
      [-0.1085, 0.1198, 0.9868],
      [-0.0184, 0.9923, -0.1225],
      [0.9939, 0.0314, 0.1055],
    ]);
    // numbers of 1e-5 are raised to the ninth power: the printed stretch has two or three digits
    expect(maxDifference(first, factor)).toBeLessThan(2e-3);
    expect(maxDifference(first, printed)).toBeGreaterThan(0.1);
    expect(maxDifference(second, end)).toBeLessThan(1e-4);
    expect(maxDifference(third, end)).toBeLessThan(1e-12);
  });
});

describe('the map on O(2)', () => {
  const rotation = (angle: number) =>
    fromRows([
      [Math.cos(angle), -Math.sin(angle)],
      [Math.sin(angle), Math.cos(angle)],
    ]);

  it('is θ ← atan(tan³ θ)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: -0.78, max: 0.78, noNaN: true }), async (angle) => {
        const [next] = await iterates(rotation(angle), 4, 1);
        expect(maxDifference(next, rotation(Math.atan(Math.tan(angle) ** 3)))).toBeLessThan(1e-14);
      }),
      { numRuns: 50 },
    );
  });

  it('has the Hadamard matrix as an unstable fixed point', async () => {
    const [stays] = await iterates(rotation(Math.PI / 4), 4, 1);
    expect(maxDifference(stays, rotation(Math.PI / 4))).toBeLessThan(1e-15);
    // tan 45° is 1; an error ε becomes 3ε at every step, so 1e-6 takes about 13 steps to become 1
    const nudged = await iterates(rotation(Math.PI / 4 - 1e-6), 4, 30);
    expect(maxDifference(nudged[29], identity(2))).toBeLessThan(1e-12);
  });
});

describe('one step', () => {
  it('is the polar factor of φ(Y Aᵀ)ᵀ Y written out', async () => {
    const random = createRandom(seed, 'one step');
    const Y = randomOrthogonal(6, random);
    const A = randomOrthogonal(6, random);
    const solver = mspSolver(await problemOf(Y), { norm: 4, shift: 'none', precision: 'f64', start: A });
    const { correlation } = await solver.step(await solver.init());
    const codes = product(Y, { ...A, data: transposed(A) });
    const stretched = { ...codes, data: codes.data.map((x) => x ** 3) };
    const expected = product({ ...codes, data: transposed(stretched) }, Y);
    // the problem works on samples scaled to unit root mean square: the fourth power of √6
    expect(maxDifference({ ...correlation, data: correlation.data.map((x) => x / 36) }, expected)).toBeLessThan(1e-14);
  });
});

function transposed({ rows, data }: Matrix64): Float64Array {
  return data.map((_, at) => data[(at % rows) * rows + Math.floor(at / rows)]);
}
