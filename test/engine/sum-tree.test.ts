/** The tree of sums: its shape depends only on the number of chunks, however blocks were cut. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, chunksWithin, equalBlocks, sharesOf, sumTree } from '#src/engine/sum-tree.ts';

const join = (left: string, right: string) => `(${left}+${right})`;

/** The tree over chunks [first, first + count), chunk by chunk. */
function treeOf(first: number, count: number): string | undefined {
  const tree = sumTree(join);
  for (let k = first; k < first + count; k++) tree.push(String(k));
  return tree.total();
}

/** Any way to cut chunks into aligned blocks. */
const cuts = fc.tuple(fc.integer({ min: 1, max: 70 }), fc.array(fc.nat(6), { minLength: 70, maxLength: 70 }));
function cut(chunks: number, levels: readonly number[]): Block[] {
  const blocks: Block[] = [];
  for (let first = 0, k = 0; first < chunks; k++) {
    let level = levels[k];
    while (first % 2 ** level !== 0) level--;
    const count = Math.min(2 ** level, chunks - first);
    blocks.push({ first, count, level });
    first += count;
  }
  return blocks;
}

describe('sumTree', () => {
  it('is left plus right, and a missing right is nothing', () => {
    expect(treeOf(0, 1)).toBe('0');
    expect(treeOf(0, 3)).toBe('((0+1)+2)');
    expect(treeOf(0, 6)).toBe('(((0+1)+(2+3))+(4+5))');
    expect(treeOf(0, 7)).toBe('(((0+1)+(2+3))+((4+5)+6))');
    expect(sumTree(join).total()).toBeUndefined();
  });

  it('is the same tree from any aligned blocks', () => {
    fc.assert(
      fc.property(cuts, ([chunks, levels]) => {
        const tree = sumTree(join);
        for (const { first, count, level } of cut(chunks, levels)) tree.push(treeOf(first, count)!, level);
        expect(tree.total()).toBe(treeOf(0, chunks));
      }),
    );
  });
});

describe('blocksOf', () => {
  it('cuts all chunks into aligned blocks, large ones first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 9 }), (chunks, workers) => {
        const blocks = [...blocksOf(chunks, workers)];
        let next = 0;
        for (const { first, count, level } of blocks) {
          expect([first, first % 2 ** level, count <= 2 ** level]).toEqual([next, 0, true]);
          next += count;
        }
        expect(next).toBe(chunks);
        expect(blocks[0].count).toBeLessThanOrEqual(Math.max(1, chunks / workers));
        expect(blocks.at(-1)!.count).toBe(1);
      }),
    );
  });

  it('sends few messages: 16 chunks for two workers are 8 blocks', () => {
    expect([...blocksOf(16, 2)].map(({ count }) => count)).toEqual([4, 4, 2, 2, 1, 1, 1, 1]);
    expect([...blocksOf(16, 2, 2)].every(({ count }) => count <= 2)).toBe(true);
  });
});

it('equal blocks are nodes of the tree', () => {
  for (const [chunks, level] of [
    [1, 0],
    [16, 2],
    [17, 2],
    [20, 3],
    [5, 4],
  ]) {
    const blocks = equalBlocks(chunks, level);
    expect(blocks.length).toBe(Math.ceil(chunks / 2 ** level));
    expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(chunks);
    for (const block of blocks) expect(chunksWithin(Array(chunks), block).first).toBe(block.first);
  }
});

describe('shares', () => {
  const sizes = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9 }));

  it('are all chunks, in order, in aligned blocks, and about equal', () => {
    fc.assert(
      fc.property(sizes, fc.nat(40), ([chunks, machines], from) => {
        fc.pre(from < chunks);
        const shares = sharesOf(chunks, machines, from);
        let next = from;
        for (const block of shares.flat()) {
          expect(block.first).toBe(next);
          expect(chunksWithin(Array(chunks), block).first).toBe(next);
          next += block.count;
        }
        expect(next).toBe(chunks);
        const counts = shares.map((blocks) => blocks.reduce((sum, { count }) => sum + count, 0));
        const fair = (chunks - from) / machines;
        expect(Math.max(...counts)).toBeLessThanOrEqual(Math.max(fair + 1, 1.15 * fair));
      }),
    );
  });

  it('add up to the same tree, whichever neighbours add theirs first', () => {
    fc.assert(
      fc.property(sizes, ([chunks, machines]) => {
        let forests = sharesOf(chunks, machines).map((blocks) =>
          blocks.map(({ first, count, level }) => ({ first, level, sum: treeOf(first, count)! })),
        );
        while (forests.length > 1) {
          forests = forests.flatMap((left, k) => {
            if (k % 2 === 1) return [];
            const all = [...left, ...(forests[k + 1] ?? [])];
            const tree = sumTree(join, all[0]?.first);
            for (const { sum, level } of all) tree.push(sum, level);
            return [[...tree.nodes()]];
          });
        }
        const tree = sumTree(join);
        for (const { sum, level } of forests[0]) tree.push(sum, level);
        expect(tree.total()).toBe(treeOf(0, chunks));
      }),
    );
  });
});
