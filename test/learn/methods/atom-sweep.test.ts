import { expect, test } from 'vitest';
import { dot, type Matrix64, row, unitRows } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { CodeMoments } from '#src/kernels/kernels.ts';
import { selectKernels } from '#src/kernels/select.ts';
import { type SweepOptions, sweepAtoms } from '#src/learn/methods/atom-sweep.ts';
import { product } from '../../helpers/matrices.ts';

const seed = Number(process.env.ORTHODICT_TEST_SEED ?? 5);

/** Updates one atom after the other by the formula, with nothing cached in between. */
function plainSweep(D: Matrix64, { gram, correlation }: CodeMoments, { norm, replacement }: SweepOptions): Matrix64 {
  const next = { ...D, data: D.data.slice() };
  for (let k = 0; k < D.rows; k++) {
    const own = gram.data[k * D.rows + k];
    const fitted = product({ rows: 1, cols: D.rows, data: row(gram, k) }, next).data;
    const u = row(next, k).map((d, j) => d + (row(correlation, k)[j] - fitted[j]) / own);
    const size = Math.sqrt(dot(u, u));
    const divisor = norm === 'one' ? size : Math.max(1, size);
    const renewed = own > 0 ? u.map((value) => value / divisor) : row(next, k);
    row(next, k).set(replacement(k) ?? renewed);
  }
  return next;
}

// below, at, and beyond whole blocks of 16 atoms
test.each([1, 5, 16, 17, 40])(
  'a sweep over %i atoms is that of the formula, replaced and unused atoms included',
  async (K) => {
    const kernels = await selectKernels('auto');
    for (const norm of ['one', 'bounded'] as const) {
      const random = createRandom(seed, `sweep ${K} ${norm}`);
      const D = unitRows(normalMatrix(K, 9, random));
      const X = normalMatrix(60, K, random);
      for (let j = 0; j < X.rows; j++) X.data[j * K + (K >> 1)] = 0;
      const spare = unitRows(normalMatrix(1, 9, random)).data;
      const options: SweepOptions = { norm, replacement: (k) => (k === K >> 2 && K > 1 ? spare : undefined) };
      const moments = {
        gram: kernels.multiply(X, X, 'tn'),
        correlation: kernels.multiply(X, normalMatrix(60, 9, random), 'tn'),
      };
      const [actual, expected] = [sweepAtoms(D, moments, options, kernels), plainSweep(D, moments, options)];
      // rounding of sums of K numbers, divided by A_kk, of the size of the largest of them
      expect(Math.max(...actual.data.map((d, i) => Math.abs(d - expected.data[i])))).toBeLessThan(1e-12);
    }
  },
);
