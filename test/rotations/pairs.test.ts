import { describe, expect, it } from 'vitest';
import { PAIR_RULES, type Pair, sweepOf, tournamentRounds } from '#src/rotations/pairs.ts';

const text = (pairs: readonly Pair[]) => pairs.map(([i, j]) => `${i}-${j}`).sort();

function allPairs(size: number): Pair[] {
  const pairs: Pair[] = [];
  for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) pairs.push([i, j]);
  return pairs;
}

describe.each([1, 2, 3, 4, 7, 10, 13, 50, 300])('planes of %d rows', (size) => {
  it.each(['cyclic', 'tournament', 'until-improvement'] as const)(
    '%s visits every plane once if none improves',
    (rule) => {
      expect(text([...sweepOf(rule, size, 1, 0)])).toEqual(text(allPairs(size)));
    },
  );

  it('has rounds of groups that share no row', () => {
    for (const round of tournamentRounds(size)) {
      const rows = round.map((group) => [...new Set(group.flat())]);
      expect(new Set(rows.flat()).size).toBe(rows.flat().length);
    }
  });

  it('has groups of steps without a common row, as long as can be', () => {
    for (const group of tournamentRounds(size).flat()) {
      let steps = 1;
      let rows = new Set<number>();
      for (const pair of group) {
        if (pair.some((row) => rows.has(row))) {
          steps++;
          rows = new Set();
        }
        for (const row of pair) rows.add(row);
      }
      const visits = new Map<number, number>();
      for (const row of group.flat()) visits.set(row, (visits.get(row) ?? 0) + 1);
      expect(steps).toBeLessThanOrEqual(Math.max(...visits.values()) + 1); // no row can be in two planes of a step
    }
  });

  it.each(PAIR_RULES)('%s gives i < j, as many pairs as planes, and the same for the same seed and sweep', (rule) => {
    const planes = [...sweepOf(rule, size, 3, 5)];
    expect(planes.every(([i, j]) => 0 <= i && i < j && j < size)).toBe(true);
    expect(planes.length).toBe((size * (size - 1)) / 2);
    expect([...sweepOf(rule, size, 3, 5)]).toEqual(planes);
  });
});

it('draws again from all planes after an improvement', () => {
  const order = sweepOf('until-improvement', 6, 1, 0);
  let count = 0;
  for (let next = order.next(); !next.done; next = order.next(true)) count++;
  expect(count).toBe(15); // as many improvements as planes end a sweep
});

it('does not favour a plane', () => {
  const counts = new Map<string, number>();
  for (let sweep = 0; sweep < 400; sweep++) {
    for (const [i, j] of sweepOf('random', 5, 2, sweep)) counts.set(`${i}-${j}`, (counts.get(`${i}-${j}`) ?? 0) + 1);
  }
  expect(counts.size).toBe(10);
  for (const count of counts.values()) expect(Math.abs(count - 400)).toBeLessThan(100); // five standard deviations of 19
});
