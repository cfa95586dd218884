/** SIGKILL at random moments and during writes: see test/fuzz/kills.ts. */
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tryKills } from '../fuzz/kills.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const scratch = scratchDirectory();
const COUNT = Number(process.env.ORTHODICT_KILLS ?? 5);

it(`${COUNT} kills leave the old or the new file, and resume to the same bytes`, async () => {
  mkdirSync(scratch.file('kills'));
  const report = await tryKills(testSeed(1), COUNT, scratch.file('kills'));
  if (COUNT > 5) console.log(report);
  expect(report.failures).toEqual([]);
  expect(report.kills).toBeGreaterThan(COUNT / 2);
}, 3_600_000);
