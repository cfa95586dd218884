/**
 * The sum over chunks as a fixed binary tree over chunk numbers. Node [a·2ᵏ, (a+1)·2ᵏ) is left + right, or left alone if
 * there are no chunks to the right.
 *
 *     0 1 2 3 4 5        ((0+1) + (2+3)) + (4+5)
 *
 * The tree depends only on the number of chunks. So an executor may hand out aligned blocks, and whoever computes a block
 * adds it up and sends one sum back: the bits are the same everywhere, and rounding grows with the logarithm of the number
 * of chunks.
 */

/** Chunks [first, first + count) of an aligned block: `first` is a multiple of 2^level, and count ≤ 2^level. */
export interface Block {
  readonly first: number;
  readonly count: number;
  readonly level: number;
}

/** The first chunk of a block, and the one after its last; without a block those of all chunks. */
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

/** The sum of the chunks [first, first + 2^level) that exist. */
export interface TreeNode<C> {
  readonly first: number;
  readonly level: number;
  readonly sum: C;
}

export interface SumTree<C> {
  /** Adds the sum of the next block; blocks come in order, each aligned. */
  push(sum: C, level?: number): void;
  /** Undefined before the first block. */
  total(): C | undefined;
  /** The sums pushed so far, added up as far as the tree allows: several nodes if chunks before or after them are missing. */
  nodes(): readonly TreeNode<C>[];
}

/** Adds up sums of blocks as the tree does. `start`: the number of the first chunk pushed. */
export function sumTree<C>(add: (left: C, right: C) => C, start = 0): SumTree<C> {
  const nodes: TreeNode<C>[] = [];
  let next = start;
  const isLeft = (left: TreeNode<C> | undefined, level: number): left is TreeNode<C> =>
    left?.level === level && left.first % 2 ** (level + 1) === 0;
  return {
    push(sum, level = 0) {
      let node = { first: next, level, sum };
      next += 2 ** level;
      for (let left = nodes.at(-1); isLeft(left, node.level); left = nodes.at(-1)) {
        nodes.pop();
        node = { first: left.first, level: left.level + 1, sum: add(left.sum, node.sum) };
      }
      nodes.push(node);
    },
    total: () =>
      nodes.reduceRight<C | undefined>((right, { sum }) => (right === undefined ? sum : add(sum, right)), undefined),
    nodes: () => nodes,
  };
}

/** A block is at most 1/(BLOCKS_LEFT · workers) of the chunks left: large blocks first, so that no worker waits long at the end. */
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

/** All chunks in blocks of one level; the last may have fewer. */
export function equalBlocks(chunks: number, level: number): Block[] {
  const size = 2 ** level;
  return Array.from({ length: Math.ceil(chunks / size) }, (_, k) => {
    return { first: k * size, count: Math.min(size, chunks - k * size), level };
  });
}

/** Chunks [first, end) in as few aligned blocks as possible; `chunks`: the number of all. */
export function fewestBlocks(first: number, end: number, chunks: number): Block[] {
  const blocks: Block[] = [];
  for (let at = first; at < end; ) {
    let level = Math.ceil(Math.log2(end - at)); // the last block of all need not be full
    while (at % 2 ** level !== 0 || (at + 2 ** level > end && end < chunks)) level--;
    const count = Math.min(2 ** level, end - at);
    blocks.push({ first: at, count, level });
    at += count;
  }
  return blocks;
}

/** Shares differ by at most about 1/FINENESS of a share; more even ones would need more blocks. */
const FINENESS = 8;

/** Divides chunks [from, to) among machines: each gets successive chunks, about the same number, in few blocks. */
export function sharesOf(chunks: number, machines: number, from = 0, to = chunks): Block[][] {
  const unit = 2 ** Math.max(0, Math.floor(Math.log2((to - from) / (machines * FINENESS))));
  const border = (machine: number) =>
    machine === machines ? to : Math.min(to, from + unit * Math.round(((to - from) * machine) / machines / unit));
  return Array.from({ length: machines }, (_, k) => fewestBlocks(border(k), border(k + 1), chunks));
}
