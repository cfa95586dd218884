/** The real data of the benchmark: parts of the sizes they claim, without a sample in common. */

import type { Matrix64 } from 'orthodict';
import { row } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { REAL_SETS } from '#lab/tasks/real/real-sets.ts';
import { bits } from '../../../test/helpers/bytes.ts';
import { itUnless } from '../../../test/helpers/skip.ts';

const linesOf = (matrix: Matrix64) => Array.from({ length: matrix.rows }, (_, j) => row(matrix, j).join());

describe('the real data', () => {
  for (const set of REAL_SETS) {
    itUnless(set.missing?.(), `${set.name} has two parts of the sizes it claims`, async () => {
      const { training, heldOut } = await set.read();
      expect([training.rows, training.cols]).toEqual([set.samples, set.features]);
      expect(heldOut.cols).toBe(set.features);
      expect(heldOut.rows).toBeGreaterThanOrEqual(set.samples - 1);
      expect(training.data.every(Number.isFinite) && heldOut.data.every(Number.isFinite)).toBe(true);
      const seen = new Set(linesOf(training));
      const common = linesOf(heldOut).filter((line) => seen.has(line));
      expect(common.length).toBeLessThan(0.01 * heldOut.rows); // patches of an even sky may be equal
    });
  }

  it('is the same every time', async () => {
    const patches = REAL_SETS.find(({ name }) => name === 'patches')!;
    const [one, two] = [await patches.read(), await patches.read()];
    expect(bits([one.training, one.heldOut])).toBe(bits([two.training, two.heldOut]));
  });
});
