/**
 * Which planes (i, j) a sweep visits, and in which order. Orders are drawn anew for every sweep from the seed and the sweep's
 * number, so that a run can go on from any sweep without the state of a generator.
 */
import { createRandom, type Random } from '../random.ts';

/**
 * - `random`: d(d−1)/2 planes uniformly at random (Algorithm 1); some are visited twice, some not at all;
 * - `until-improvement`: without replacement until one improves, then anew from all (Algorithm 4);
 * - `cyclic`: every plane once, row by row;
 * - `tournament`: every plane once, in rounds of disjoint planes (round robin).
 */
export const PAIR_RULES = ['random', 'until-improvement', 'cyclic', 'tournament'] as const;
export type PairRule = (typeof PAIR_RULES)[number];

export type Pair = readonly [i: number, j: number];

/** Hands out planes; `next(improved)` says whether the last one was turned. Every plane handed out has i < j. */
export type PairOrder = Generator<Pair, void, boolean | undefined>;

export function sweepOf(rule: PairRule, size: number, seed: number, sweep: number): PairOrder {
  const random = () => createRandom(seed, `planes of sweep ${sweep}`);
  if (rule === 'random') return randomPairs(size, random());
  if (rule === 'until-improvement') return pairsUntilImprovement(size, random());
  return rule === 'cyclic' ? cyclicPairs(size) : tournamentPairs(size);
}

/** Whether a sweep without improvement has looked at every plane. */
export const isExhaustive = (rule: PairRule): boolean => rule !== 'random';

function* cyclicPairs(size: number): PairOrder {
  for (let i = 0; i < size; i++) {
    for (let j = i + 1; j < size; j++) yield [i, j];
  }
}

function* randomPairs(size: number, random: Random): PairOrder {
  for (let count = (size * (size - 1)) / 2; count > 0; count--) {
    const a = random.integer(size);
    const b = (a + 1 + random.integer(size - 1)) % size;
    yield a < b ? [a, b] : [b, a];
  }
}

/** The rounds of a tournament of `size` players: players sit around a table, the first stays, the others move on. */
export function tournamentRounds(size: number): Pair[][] {
  const seats = size + (size % 2); // with an odd number one pauses
  const others = seats - 1;
  return Array.from({ length: size > 1 ? others : 0 }, (_, round) => {
    const at = (seat: number) => (seat === 0 ? 0 : 1 + ((seat - 1 + round) % others));
    const pairs: Pair[] = [];
    for (let seat = 0; seat < seats / 2; seat++) {
      const [a, b] = [at(seat), at(seats - 1 - seat)];
      if (Math.max(a, b) < size) pairs.push(a < b ? [a, b] : [b, a]);
    }
    return pairs;
  });
}

function* tournamentPairs(size: number): PairOrder {
  for (const round of tournamentRounds(size)) yield* round;
}

/** Ends after d(d−1)/2 improvements, or when all planes in a row have brought none. */
function* pairsUntilImprovement(size: number, random: Random): PairOrder {
  const deck: Pair[] = [...cyclicPairs(size)];
  let drawn = 0;
  for (let improvements = 0; improvements < deck.length && drawn < deck.length; ) {
    const pick = drawn + random.integer(deck.length - drawn);
    const pair = deck[pick];
    deck[pick] = deck[drawn];
    deck[drawn++] = pair;
    if (!(yield pair)) continue;
    improvements++;
    drawn = 0;
  }
}
