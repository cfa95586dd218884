/**
 * Chooses the block size of a pass for workers at a queue. With B blocks of 2^level chunks on T threads, a pass takes about
 *
 *     ⌈B / T⌉ · (2^level · chunk + job) + B · taking
 *
 * Few large blocks leave threads idle at the end; many small ones cost more than they compute. Of sizes that take about the least,
 * the smallest is chosen: a lost block then costs little, and progress is visible.
 */

/** Milliseconds that a job costs its worker, whatever it computes. */
const JOB = 3;
/** Milliseconds below which a block is not made smaller to show progress. */
const SHORT = 500;
/** Largest slowdown of a pass that is accepted for smaller blocks. */
const PATIENCE = 1.03;

export interface PassTime {
  readonly chunks: number;
  readonly threads: number;
  /** Estimated milliseconds of the pass on all threads; 0 if unknown. */
  readonly expected: number;
  /** Milliseconds to fetch the sum of a block and add it; 0 if unknown. */
  readonly taking: number;
}

/** Returns the level of blocks, at most `most`. */
export function blockLevel({ chunks, threads, expected, taking }: PassTime, most = Number.POSITIVE_INFINITY): number {
  const chunk = (expected * threads) / chunks;
  const levels = Array.from({ length: Math.min(most, Math.ceil(Math.log2(chunks))) + 1 }, (_, level) => level);
  const times = levels.map((level) => {
    const blocks = Math.ceil(chunks / 2 ** level);
    return Math.ceil(blocks / threads) * (2 ** level * chunk + JOB) + blocks * taking;
  });
  const least = Math.min(...times);
  return levels.find((level) => times[level] === least || isFine(level))!;

  function isFine(level: number): boolean {
    return times[level] <= PATIENCE * least && 2 ** level * chunk >= SHORT;
  }
}
