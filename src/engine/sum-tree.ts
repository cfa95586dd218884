/**
 * The sum over chunks as a fixed binary tree over chunk numbers. Node [a·2ᵏ, (a+1)·2ᵏ) is left + right; a missing right
 * is nothing.
 *
 *     0 1 2 3 4 5        ((0+1) + (2+3)) + (4+5)
 *
 * The tree depends only on the number of chunks. So any executor may hand out aligned blocks, add up inside a block
 * where it was computed, and send one sum back: the bits are the same everywhere, and rounding grows with the logarithm
 * of the number of chunks.
 */

/** Chunks [first, first + count) of an aligned block: `first` is a multiple of 2^level, and count ≤ 2^level. */
export interface Block {
  readonly first: number;
  readonly count: number;
  readonly level: number;
}

/** Numbers of the first chunk of a block, or of all chunks, and of the one after the last. */
export function chunksWithin(
  ranges: readonly unknown[],
  within?: Block,
): { readonly first: number; readonly end: number } {
  if (!within) return { first: 0, end: ranges.length };
  const { first, count, level } = within;
  const end = first + count;
  const aligned = Number.isInteger(level) && level >= 0 && first % 2 ** level === 0 && count <= 2 ** level;
  if (!(aligned && first >= 0 && count > 0 && end <= ranges.length)) {
    throw new Error(`executor: chunks ${first} to ${end} of ${ranges.length} are not a node of the tree.`);
  }
  return { first, end };
}

export interface SumTree<C> {
  /** Adds the sum of the next block; blocks come in order, each aligned. */
  push(sum: C, level?: number): void;
  /** Undefined before the first block. */
  total(): C | undefined;
}

export function sumTree<C>(add: (left: C, right: C) => C): SumTree<C> {
  const nodes: { sum: C; level: number }[] = []; // levels descend: the binary digits of the number of chunks so far
  return {
    push(sum, level = 0) {
      let node = { sum, level };
      while (nodes.at(-1)?.level === node.level) node = { sum: add(nodes.pop()!.sum, node.sum), level: node.level + 1 };
      nodes.push(node);
    },
    total: () =>
      nodes.reduceRight<C | undefined>((right, { sum }) => (right === undefined ? sum : add(sum, right)), undefined),
  };
}

/**
 * A block is at most 1/(BLOCKS_LEFT · workers) of the chunks left: large blocks first, small ones last, so that no worker waits long.
 */
const BLOCKS_LEFT = 1.5;

/** Chunks [from, chunks) in aligned blocks of at most `most` chunks, for a number of workers. */
export function* blocksOf(
  chunks: number,
  workers: number,
  most = Number.POSITIVE_INFINITY,
  from = 0,
): Generator<Block, void> {
  for (let first = from; first < chunks; ) {
    const wish = Math.min(most, Math.max(1, (chunks - first) / (BLOCKS_LEFT * workers)));
    let level = Math.floor(Math.log2(wish));
    while (first % 2 ** level !== 0) level--;
    const count = Math.min(2 ** level, chunks - first);
    yield { first, count, level };
    first += count;
  }
}

/** All chunks in aligned blocks of the same size, a power of two: about as many as wished for, or up to twice as many. */
export function equalBlocks(chunks: number, wish: number): Block[] {
  const level = Math.max(0, Math.floor(Math.log2(chunks / wish)));
  const size = 2 ** level;
  return Array.from({ length: Math.ceil(chunks / size) }, (_, k) => {
    return { first: k * size, count: Math.min(size, chunks - k * size), level };
  });
}
