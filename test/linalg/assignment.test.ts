import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, type Matrix64, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { assign, assignWithPrices } from '#src/linalg/assignment.ts';

/** Rows ≤ cols ≤ 7; small whole numbers, so that ties are common, or arbitrary finite numbers. */
const smallCost = fc.integer({ min: 1, max: 7 }).chain((cols) =>
  fc.integer({ min: 1, max: cols }).chain((rows) => {
    const entry = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -100, max: 100, noNaN: true }));
    const line = fc.array(entry, { minLength: cols, maxLength: cols });
    return fc.array(line, { minLength: rows, maxLength: rows }).map(fromRows);
  }),
);

function leastCost({ rows, cols, data }: Matrix64, i = 0, used = 0): number {
  if (i === rows) return 0;
  let least = Infinity;
  for (let j = 0; j < cols; j++) {
    if (used & (1 << j)) continue;
    least = Math.min(least, data[i * cols + j] + leastCost({ rows, cols, data }, i + 1, used | (1 << j)));
  }
  return least;
}

const totalCost = (cost: Matrix64, columns: Int32Array) =>
  columns.reduce((sum, j, i) => sum + cost.data[i * cost.cols + j], 0);

/** Duality: feasible prices that add up to the cost of an assignment prove that none is cheaper. */
function expectProvenOptimal(cost: Matrix64) {
  const { columns, rowPrices, columnPrices } = assignWithPrices(cost);
  expect(new Set(columns).size).toBe(cost.rows);
  const size = cost.data.reduce((max, value) => Math.max(max, Math.abs(value)), 1);
  const tolerance = 10 * cost.cols * size * Number.EPSILON;
  let worst = -Infinity;
  for (let i = 0; i < cost.rows; i++) {
    for (let j = 0; j < cost.cols; j++) {
      worst = Math.max(worst, rowPrices[i] + columnPrices[j] - cost.data[i * cost.cols + j]);
    }
  }
  expect(worst).toBeLessThanOrEqual(tolerance);
  expect(Math.max(...columnPrices)).toBeLessThanOrEqual(tolerance);
  const dual = [...rowPrices, ...columnPrices].reduce((sum, value) => sum + value, 0);
  expect(Math.abs(totalCost(cost, columns) - dual)).toBeLessThanOrEqual(tolerance * cost.cols);
}

function randomCost(rows: number, cols: number, entry: (i: number, j: number, u: number) => number): Matrix64 {
  const random = createRandom(7, 'assignment test');
  const cost = zeros(rows, cols);
  for (let at = 0; at < cost.data.length; at++) {
    cost.data[at] = entry(Math.floor(at / cols), at % cols, random.uniform());
  }
  return cost;
}

describe('assign', () => {
  it('finds the least cost over all injections', () => {
    fc.assert(
      fc.property(smallCost, (cost) => {
        const columns = assign(cost);
        expect(new Set(columns).size).toBe(cost.rows);
        expect(totalCost(cost, columns)).toBeCloseTo(leastCost(cost), 9);
      }),
    );
  });

  it('is proved optimal by its prices on small costs', () => {
    fc.assert(fc.property(smallCost, expectProvenOptimal));
  });

  it.each([
    ['uniform', randomCost(150, 150, (_i, _j, u) => u)],
    ['wide', randomCost(60, 200, (_i, _j, u) => u - 0.5)],
    ['full of ties', randomCost(100, 100, (_i, _j, u) => Math.floor(4 * u))],
    ['of products, where greedy choices are all wrong', randomCost(120, 120, (i, j) => (i + 1) * (j + 1))],
    ['constant', randomCost(50, 50, () => 3)],
  ])('is proved optimal by its prices on a cost that is %s', (_name, cost) => expectProvenOptimal(cost));

  it('recovers a permutation hidden in the cost', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 10 }), (permutation) => {
        const cost = randomCost(10, 10, (i, j, u) => (permutation[i] === j ? -1 : u));
        expect([...assign(cost)]).toEqual(permutation);
      }),
    );
  });

  it('solves n = 1000: uniform costs have a total near π²/6', () => {
    const cost = randomCost(1000, 1000, (_i, _j, u) => u);
    const columns = assign(cost);
    expect(new Set(columns).size).toBe(1000);
    const total = columns.reduce((sum, j, i) => sum + cost.data[i * 1000 + j], 0);
    expect(Math.abs(total - Math.PI ** 2 / 6)).toBeLessThan(0.2); // five deviations of √(4(ζ(2) − ζ(3))/n)
  });

  it('accepts no rows', () => {
    expect(assign(zeros(0, 3))).toEqual(new Int32Array(0));
  });

  it('names the offending parameter', () => {
    expect(() => assign(zeros(3, 2))).toThrow(
      'assign: cost must be at least as wide as tall; got 3 rows and 2 columns.',
    );
    expect(() =>
      assign(
        fromRows([
          [0, 1],
          [Number.NaN, 2],
        ]),
      ),
    ).toThrow('assign: cost must be finite; got NaN at row 1, column 0.');
  });
});
