/** Bounds and thresholds of the refinement follow from levels, signals and the last movement, atom by atom. */
import { describe, expect, it } from 'vitest';
import { fromRows, identity } from '#src/core/matrix.ts';
import {
  advance,
  credibleMask,
  isExact,
  type RefineState,
  reportRefinement,
  thresholds,
} from '#src/learn/refinement/masked-refinement.ts';

const list = (...values: number[]) => Float64Array.from(values);
const state = (change: Partial<RefineState> = {}): RefineState => ({
  atoms: identity(3),
  before: identity(3),
  levels: list(0.1, 0.2, 0),
  signals: list(1, 2, 0),
  leaks: list(10, 10, 10),
  theta: 0.3,
  change: 1,
  rounded: false,
  ...change,
});

it('a threshold is three levels, or the leak of the others', () => {
  expect([...thresholds(state({ leaks: list(0.2, 0.7, 0.4) }))]).toEqual([3 * 0.1, 0.7, 0.4]);
});

it('a mask is credible if every atom with signal keeps a code', () => {
  expect(credibleMask(list(1, 1, 0), state())).toBe(true);
  expect(credibleMask(list(1, 0, 1), state())).toBe(false);
});

it('the objective is minus the mean level of atoms with signal, relative to it', () => {
  expect(reportRefinement(state())).toEqual({ objective: -(0.1 / 1 + 0.2 / 2) / 2, change: 1 });
  expect(reportRefinement(state({ signals: list(0, 0, 0) })).objective).toBe(0);
});

it('the state is exact where neither zeros nor atoms leave an error', () => {
  const exact = { levels: list(1e-8, 2e-8, 0), change: 1e-8 };
  expect(isExact(state(exact))).toBe(true);
  expect(isExact(state({ ...exact, change: 1.1e-8 }))).toBe(false);
  expect(isExact(state({ ...exact, levels: list(1e-8, 2.1e-8, 0) }))).toBe(false);
  expect(isExact(state({ ...exact, levels: list(0, 0, 1e-300) }))).toBe(false); // an atom without signal
});

describe('a step', () => {
  const movement = fromRows([
    [0.9, 0.01, -0.02],
    [-0.03, 0.8, 0.001],
    [0.004, 0.05, 1.1],
  ]);

  it('bounds the leak into an atom by the movement of the others times their signal', () => {
    const { leaks, change } = advance(state(), movement, list(0.1, 0.2, 0));
    expect(change).toBe(0.05); // the diagonal is no movement
    expect([...leaks]).toEqual([4 * 0.01 * 2, 4 * 0.03 * 1, 4 * 0.05 * 2]);
    const kept = advance(state({ leaks: list(0.01, 1, 1) }), movement, list(0.1, 0.2, 0));
    expect([...kept.leaks]).toEqual([0.01, 4 * 0.03, 4 * 0.05 * 2]); // bounds never grow
  });

  it('counts a shift of the zeros like a movement, relative to the signal where there is one', () => {
    const { leaks, change } = advance(state(), movement, list(0.1, 0.2, 0), list(0.3, -0.1, 0.2));
    expect(change).toBe(0.3);
    expect([...leaks]).toEqual([4 * 0.3, 4 * 0.1, 4 * 0.2]);
    expect(advance(state(), movement, list(0.1, 0.2, 0), list(0, 0, 0)).change).toBe(0.05);
    expect(advance(state(), movement, list(0.1, 0.2, 0), list(0, 0.5, 0)).change).toBe(0.25);
  });

  it('takes a level for the last one if they differ by at most a fiftieth', () => {
    const before = state({ levels: list(1, 1, 1) });
    expect([...advance(before, movement, list(1.015, 0.985, 1.025)).levels]).toEqual([1, 1, 1.025]);
  });

  it.each([
    // last change, change: whether float32 rounds visibly
    [1, 1e-6, true],
    [1, 1.1e-6, false],
    [1.8e-3, 1e-3, true],
    [2.2e-3, 1e-3, false],
    [1.8e-3, 1.1e-3, false],
  ])('after a change of %d one of %d is rounding: %s', (last, moved, rounded) => {
    const small = fromRows([
      [1, moved],
      [0, 1],
    ]);
    const two = { levels: list(0, 0), signals: list(1, 1), leaks: list(1, 1), change: last };
    expect(advance(state(two), small, list(0, 0)).rounded).toBe(rounded);
    expect(advance(state({ ...two, rounded: true }), small, list(0, 0)).rounded).toBe(true);
  });
});
