/** A block is computed as its mode requires, from samples that are what the job says they are. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { type BlockRequest, computeBlock, passOf } from '#src/distributed/compute-block.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { openSource, writeArray } from '#src/node/index.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { bits } from '../helpers/bytes.ts';
import { scratchDirectory } from '../helpers/scratch.ts';

const scratch = scratchDirectory();
const executor = inlineExecutor(referenceKernels);
const matrix = normalMatrix(900, 4, createRandom(1, 'block'));
const RANGES = [0, 400, 400, 800, 800, 900];
const BLOCK = { first: 0, count: 2, level: 1 };
let request: BlockRequest;

beforeAll(async () => {
  await writeArray(scratch.file('data.npy'), matrix);
  const { locator, close } = await openSource(scratch.file('data.npy'), { memoryLimit: 0 });
  await close?.();
  const source = { locator: locator!, rows: 900, cols: 4, precision: 'f64', ranges: RANGES } as const;
  request = { pass: 'survey', mode: 'sum', params: { moments: true }, source };
});

it('is a sum, or the contributions of its chunks', async () => {
  const ranges = [0, 400, 800].map((start) => ({ start, end: Math.min(900, start + 400) }));
  const source = { ...memorySource(matrix), ranges };
  const sum = await executor.sum(surveyPass, { moments: true }, source, undefined, BLOCK);
  expect(bits(await computeBlock(executor, request, BLOCK))).toBe(bits(sum));
  const parts: unknown[] = [];
  for await (const part of executor.map(surveyPass, { moments: true }, source, undefined, BLOCK)) parts.push(part);
  expect(parts).toHaveLength(2);
  expect(bits(await computeBlock(executor, { ...request, mode: 'map' }, BLOCK))).toBe(bits(parts));
});

describe('is refused', () => {
  it.each<[what: string, change: object, words: string]>([
    ['other rows', { rows: 901 }, 'samples must be 901×4 f64; got 900×4 f64.'],
    ['other columns', { cols: 5 }, 'samples must be 900×5 f64; got 900×4 f64.'],
    ['another precision', { precision: 'f32' }, 'samples must be 900×4 f32; got 900×4 f64.'],
    ['chunks that overlap', { ranges: [0, 400, 300, 900] }, 'the chunks of a source must follow one another'],
    ['chunks with a gap', { ranges: [0, 400, 401, 900] }, 'the chunks of a source must follow one another'],
    ['chunks from a later row on', { ranges: [1, 400] }, 'the chunks of a source must follow one another'],
    ['an empty chunk', { ranges: [0, 400, 400, 400] }, 'the chunks of a source must follow one another'],
    ['chunks beyond the last row', { ranges: [0, 901] }, 'the chunks of a source must follow one another'],
  ])('with wrong samples: %s', async (_, change, words) => {
    const other = { ...request, source: { ...request.source, ...change } };
    await expect(computeBlock(executor, other, BLOCK)).rejects.toThrow(`cluster: ${words}`);
  });

  it('beyond the last chunk, without a place to write to, and for an unknown pass', async () => {
    await expect(computeBlock(executor, request, { first: 2, count: 2, level: 1 })).rejects.toThrow('of 3');
    await expect(computeBlock(executor, { ...request, mode: 'write' }, BLOCK)).rejects.toThrow('damaged (target)');
    await expect(computeBlock(executor, { ...request, pass: 'mine' }, BLOCK)).rejects.toThrow(
      'cluster: the pass "mine" is not one of this package.',
    );
    expect(passOf('survey')).toBe(surveyPass);
  });
});
