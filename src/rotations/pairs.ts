/**
 * Which planes (i, j) a sweep visits, and in which order. The order depends on the seed and the sweep's number, so a
 * run can continue from any sweep without the state of a generator.
 */
import { createRandom, type Random } from '../core/random.ts';

/**
 * - `random`: d(d−1)/2 planes uniformly at random (Algorithm 1); some are visited twice, some not at all;
 * - `until-improvement`: without replacement until one improves, then again from all (Algorithm 4);
 * - `cyclic`: every plane once, row by row;
 * - `tournament`: every plane once, in rounds of groups of planes; the groups of a round have no common row, so threads
 *   can share a round.
 */
export const PAIR_RULES = ['random', 'until-improvement', 'cyclic', 'tournament'] as const;
/** The order in which an ascent visits the planes. */
export type PairRule = (typeof PAIR_RULES)[number];

/** Two coordinates that span a plane. */
export type Pair = readonly [i: number, j: number];

/** Planes that are visited one after the other. */
export type Group = readonly Pair[];

/** Yields planes, each with i < j; `next(improved)` says whether the last one was rotated. */
export type PairOrder = Generator<Pair, void, boolean | undefined>;

/** The planes of one sweep, in the order of a rule. */
export function sweepOf(rule: PairRule, size: number, seed: number, sweep: number): PairOrder {
  const random = () => createRandom(seed, `planes of sweep ${sweep}`);
  if (rule === 'random') return randomPairs(size, random());
  if (rule === 'until-improvement') return pairsUntilImprovement(size, random());
  return rule === 'cyclic' ? cyclicPairs(size) : tournamentPairs(size);
}

/** Whether a sweep without improvement has visited every plane. */
export const isExhaustive = (rule: PairRule): boolean => rule !== 'random';

function* cyclicPairs(size: number): PairOrder {
  for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) yield [i, j];
}

function* randomPairs(size: number, random: Random): PairOrder {
  for (let count = (size * (size - 1)) / 2; count > 0; count--) {
    const a = random.integer(size);
    const b = (a + 1 + random.integer(size - 1)) % size;
    yield a < b ? [a, b] : [b, a];
  }
}

/** Rows per block, and number of blocks: enough blocks for many threads, enough rows for few rounds. */
const BLOCK_ROWS = 6;
const BLOCKS = { least: 8, most: 64 };

/**
 * Rounds of groups: all planes of two blocks of rows, then those between two blocks, each pair of blocks once. Within a
 * group successive planes have no row in common as far as possible: kernels rotate such planes together.
 */
export function tournamentRounds(size: number): Group[][] {
  const even = 2 * Math.round(size / BLOCK_ROWS / 2);
  const count = Math.min(size, BLOCKS.most, Math.max(BLOCKS.least, even)); // even, or blocks of one row
  const edge = (block: number) => Math.floor((block * size) / count);
  const blocks = Array.from({ length: count }, (_, k) => range(edge(k), edge(k + 1)));
  const [first = [], ...rest] = roundRobin(count);
  return [
    ...(first.length > 0 ? [first.map(([a, b]) => planesOf([...blocks[a], ...blocks[b]]))] : []),
    ...rest.map((round) => round.map(([a, b]) => planesBetween(blocks[a], blocks[b]))),
  ];
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k);

/** `rows` ascend. */
const planesOf = (rows: readonly number[]): Pair[] =>
  roundRobin(rows.length).flatMap((round) => round.map(([a, b]): Pair => [rows[a], rows[b]]));

/** Planes between two blocks of rows; every row of `lower` is below those of `upper`. */
function planesBetween(lower: readonly number[], upper: readonly number[]): Pair[] {
  const longer = Math.max(lower.length, upper.length);
  const shorter = Math.min(lower.length, upper.length);
  return range(0, longer).flatMap((shift) =>
    range(0, shorter).map((k): Pair => {
      const other = (k + shift) % longer;
      return lower.length < upper.length ? [lower[k], upper[other]] : [lower[other], upper[k]];
    }),
  );
}

/** The pairings of a round-robin tournament: players sit around a table, the first stays, the others move on. */
function roundRobin(players: number): Pair[][] {
  const seats = players + (players % 2); // with an odd number one player pauses
  const others = seats - 1;
  return Array.from({ length: players > 1 ? others : 0 }, (_, round) => {
    const at = (seat: number) => (seat === 0 ? 0 : 1 + ((seat - 1 + round) % others));
    const pairs: Pair[] = [];
    for (let seat = 0; seat < seats / 2; seat++) {
      const [a, b] = [at(seat), at(seats - 1 - seat)];
      if (Math.max(a, b) < players) pairs.push(a < b ? [a, b] : [b, a]);
    }
    return pairs;
  });
}

function* tournamentPairs(size: number): PairOrder {
  for (const round of tournamentRounds(size)) yield* round.flat();
}

/** Yields planes until d(d−1)/2 improvements, or until all planes in succession brought none. */
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
