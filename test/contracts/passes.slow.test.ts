/**
 * Every registered pass gives the same bits on 1, 2 and 3 threads, from memory, from shared memory and from a file. A
 * pass that is defined somewhere in src/ is tested here without being listed: loading the library registers it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Matrix, type Matrix64, rowRange, toFloat32 } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { canTravel, fromBytes, toBytes } from '#src/distributed/wire.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import type { AnyPass, PassExample } from '#src/engine/pass.ts';
import { registeredPasses } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { rangesOf, type Source } from '#src/engine/source/source.ts';
import { blocksOf, sumTree } from '#src/engine/sum-tree.ts';
import '#src/index.ts';
import { writeArray } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { selectNodeKernels } from '#src/node/threads/kernels.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { bits } from '../helpers/bytes.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';
import { sumByRecursion } from '../helpers/sum-tree.ts';

const scratch = scratchDirectory();
const all = normalMatrix(10_301, 67, createRandom(testSeed(61), 'passes'));
const passes = registeredPasses();

/** Enough for four of the smallest chunks. */
const FEWEST = 1030;
/** Enough for several chunks of the pass, the last one shorter: costly passes have smaller chunks. */
const samplesFor = ({ effort = 1 }: AnyPass): Matrix64 =>
  rowRange(all, 0, Math.max(FEWEST, Math.ceil(all.rows / effort)));
/** Fresh parameters every time: a pass may work on memory that they share with the caller. */
const exampleOf = (pass: AnyPass): PassExample<unknown> => pass.example!(samplesFor(pass));

interface Place {
  readonly name: string;
  open(rows: Matrix, name: string): Promise<Source>;
}
const places: readonly Place[] = [
  { name: 'memory', open: async (rows) => memorySource(rows) },
  { name: 'shared memory', open: async (rows) => memorySource(shareMatrix(rows)) },
  {
    name: 'a file',
    async open(rows, name) {
      const path = scratch.file(`${name}.npy`);
      await writeArray(path, rows);
      return openSource(path, { memoryLimit: 0 });
    },
  },
];

const executors = new Map<number, Executor>();
beforeAll(async () => {
  for (const threads of [1, 2, 3]) {
    executors.set(threads, await createNodeExecutor({ threads }));
    await executors.get(threads)!.warm?.(); // otherwise the calling thread would begin
  }
});
afterAll(async () => {
  for (const executor of executors.values()) await executor.close();
});

it('all passes of src/ are registered, each with an example', () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url));
  const defined = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== join('engine', 'pass.ts') && !file.includes('generated'))
    .map((file) => readFileSync(join(src, file), 'utf8'))
    .filter((text) => /definePass|defineRotatePlanes/.test(text))
    .flatMap((text) => [...text.matchAll(/import\.meta\.url/g)]);
  expect(passes.length).toBe(defined.length);
  expect(passes.length).toBeGreaterThan(10);
  expect(passes.filter(({ example }) => !example).map(({ name }) => name)).toEqual([]);
});

describe.each(passes.map((pass) => [pass.name, pass] as const))('%s', (name, pass) => {
  const samples = samplesFor(pass);
  const { rows = samples, ranges } = exampleOf(pass);

  let expected: string;
  beforeAll(async () => {
    const source: Source = { ...memorySource(rows), ...(ranges && { ranges }) };
    expect(rangesOf(source, pass.effort).length).toBeGreaterThan(3);
    const { kernels } = await selectNodeKernels('auto');
    expected = bits(await sumByRecursion(pass, exampleOf(pass).params, source, kernels));
  });

  it.each(places)('gives the same bits on 1, 2 and 3 threads from $name', async (place) => {
    const opened = await place.open(rows, name);
    const source: Source = ranges ? { ...opened, ranges } : opened;
    for (const [threads, executor] of executors) {
      const sum = await executor.sum(pass, exampleOf(pass).params, source);
      expect(bits(sum) === expected, `${threads} threads`).toBe(true);
    }
    await opened.close?.();
  });

  it('gives the nodes of the tree on their own, and travels as bytes where it is plain data', async () => {
    const source: Source = { ...memorySource(shareMatrix(rows)), ...(ranges && { ranges }) };
    const { params } = exampleOf(pass);
    if (!canTravel(params)) return; // it works on shared memory: on a cluster the driver computes it
    const chunks = rangesOf(source, pass.effort).length;
    const expected = bits(await executors.get(1)!.sum(pass, params, source));
    for (const threads of [1, 3]) {
      const tree = sumTree(pass.add);
      for (const block of blocksOf(chunks, 2)) {
        const there = fromBytes(toBytes(params, 'params', 1 << 28));
        const part = await executors.get(threads)!.sum(pass, there, source, undefined, block);
        tree.push(fromBytes(toBytes(part, 'a sum', 1 << 28)), block.level);
      }
      expect(bits(tree.total()) === expected, `${threads} threads`).toBe(true);
    }
  });

  it('maps chunks in order, on one thread and on three', async () => {
    const source: Source = { ...memorySource(shareMatrix(rows)), ...(ranges && { ranges }) };
    const parts: string[][] = [];
    for (const threads of [1, 3]) {
      const found: string[] = [];
      for await (const part of executors.get(threads)!.map(pass, exampleOf(pass).params, source))
        found.push(bits(part));
      parts.push(found);
    }
    expect(parts[0].length).toBe(rangesOf(source, pass.effort).length);
    expect(parts[1].every((part, k) => part === parts[0][k])).toBe(true);
  });

  it('does not change the samples, and takes float32', async () => {
    if (ranges) return; // its rows are planes
    const single = toFloat32(samples);
    const before = bits(single);
    const { kernels } = await selectNodeKernels('auto');
    const sum = await inlineExecutor(kernels).sum(pass, pass.example!(single).params, memorySource(single));
    expect(sum).toBeDefined();
    expect(bits(single) === before).toBe(true);
  });
});
