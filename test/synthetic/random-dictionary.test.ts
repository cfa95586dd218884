import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { row } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { randomDictionary } from '#src/synthetic/random-dictionary.ts';
import { singularValues } from './singular-values.ts';

describe('randomDictionary', () => {
  it('has unit atoms and singular values in geometric progression with the given condition number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.constantFrom(1, 1.0001, 2, 10, 100, 1e4),
        fc.integer(),
        (n, condition, seed) => {
          const atoms = randomDictionary(n, condition, createRandom(seed, 'dictionary test'));
          for (let i = 0; i < n; i++) expect(Math.hypot(...row(atoms, i))).toBeCloseTo(1, 14);
          const values = singularValues(atoms);
          expect(values[0] / values[n - 1] / condition).toBeCloseTo(1, 9);
          const ratio = condition ** (1 / (n - 1));
          for (let k = 1; k < n; k++) expect(values[k - 1] / values[k] / ratio).toBeCloseTo(1, 9);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is ±1 for a single feature', () => {
    expect(Math.abs(randomDictionary(1, 1, createRandom(1, 'dictionary test')).data[0])).toBe(1);
  });
});
