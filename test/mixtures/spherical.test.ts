import { describe, expect, it } from 'vitest';
import type { Matrix64 } from '#src/matrix.ts';
import { learnMixture } from '#src/mixtures/spherical.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(77);

describe('8 clusters in 20 dimensions', () => {
  const { samples, means, labels } = generateMixture({ samples: 10_000, features: 20, components: 8, spread: 1, seed });
  const sizes = labels.reduce((counts, label) => {
    counts[label]++;
    return counts;
  }, new Float64Array(8));

  /** The largest distance of a mean from the nearest found, in standard errors σ√(d/n_k) of a mean of d coordinates. */
  const standardErrors = (found: Matrix64) =>
    Math.max(
      ...Array.from(sizes, (size, i) => {
        const distances = Array.from({ length: 8 }, (_, j) => {
          let sum = 0;
          for (let c = 0; c < 20; c++) sum += (means.data[i * 20 + c] - found.data[j * 20 + c]) ** 2;
          return Math.sqrt(sum);
        });
        return Math.min(...distances) / Math.sqrt(20 / size);
      }),
    );

  it('have their means within 2 standard errors, and by moments alone within 4', async () => {
    const found = await learnMixture(samples, { components: 8, seed });
    expect(standardErrors(found.means)).toBeLessThan(2);
    expect(standardErrors(found.byMoments.means)).toBeLessThan(4);
    expect(Math.abs(found.variance - 1)).toBeLessThan(0.02); // 200,000 numbers
    expect(Math.abs(found.weights.reduce((sum, w) => sum + w, 0) - 1)).toBeLessThan(1e-12);
    const shares = sizes.map((size) => size / 10_000).sort();
    expect(
      Math.max(
        ...found.weights
          .slice()
          .sort()
          .map((w, i) => Math.abs(w - shares[i])),
      ),
    ).toBeLessThan(0.01);
  });
});

it.each([
  [{ components: 0 }, 'components must be a whole number from 1; got 0'],
  [{ components: 4 }, 'components must be at most 3 (50 samples, 3 features); got 4'],
])('refuses %j', async (options, message) => {
  const { samples } = generateMixture({ samples: 50, features: 3, components: 2, seed });
  await expect(learnMixture(samples, options)).rejects.toThrow(message);
});

it('refuses what is not finite, and means that span too little', async () => {
  const bad = { rows: 2, cols: 2, data: Float64Array.of(1, 2, 3, Number.POSITIVE_INFINITY) };
  await expect(learnMixture(bad, { components: 1 })).rejects.toThrow(
    'samples must be finite; got Infinity at row 1, column 1',
  );
  const line = { rows: 4, cols: 2, data: Float64Array.of(1, 1, 2, 2, 3, 3, 4, 4) };
  await expect(learnMixture(line, { components: 2 })).rejects.toThrow('the dimensions that the means span');
});
