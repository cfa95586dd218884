/** Checkpoints of wrong shapes and kinds are refused in words, or change nothing: see test/fuzz/checkpoints.ts. */
import { expect, it } from 'vitest';
import { METHODS } from '#src/learn/method-list.ts';
import { tryCheckpoints } from '../fuzz/checkpoints.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const scratch = scratchDirectory();
const COUNT = Number(process.env.ORTHODICT_CHECKPOINTS ?? 200);

it(`${COUNT} checkpoints of all models: no crash, no success with another model`, async () => {
  const tried = await tryCheckpoints(testSeed(3), COUNT, scratch.file('spoiled.npz'));
  expect(tried.failures).toEqual([]);
  expect(tried.refused + tried.same).toBe(COUNT);
  expect(tried.refused).toBeGreaterThan(COUNT / 2);
  expect(tried.models).toBeGreaterThan(METHODS.length);
}, 3_600_000);
