import { expect, it } from 'vitest';
import { row } from '#src/core/matrix.ts';
import { generateSparseComponents, streamSparseComponents } from '#src/synthetic/sparse-components.ts';
import { testSeed } from '../helpers/seed.ts';

const options = { samples: 4000, features: 40, components: 3, nonzeros: 5, seed: testSeed(1) };

it('plants unit loadings on disjoint supports, with the given deviations', () => {
  const { samples, loadings, support } = generateSparseComponents({ ...options, noise: 0.5, deviations: [6, 2] });
  expect(new Set(support.flat()).size).toBe(15);
  support.forEach((features, i) => {
    const z = row(loadings, i);
    expect([...z.keys()].filter((k) => z[k] !== 0)).toEqual(features);
    expect(Math.hypot(...z)).toBeCloseTo(1, 12);
    let variance = 0;
    for (let j = 0; j < 4000; j++) variance += row(samples, j).reduce((sum, y, k) => sum + y * z[k], 0) ** 2 / 4000;
    expect(Math.abs(variance / ((6 - 2 * i) ** 2 + 0.25) - 1)).toBeLessThan(0.12); // 5 standard errors: √(2/4000) each
  });
});

it('streams the samples it generates', () => {
  const { samples } = generateSparseComponents({ ...options, samples: 3 });
  const stream = streamSparseComponents(options);
  for (let j = 0; j < 3; j++) expect(stream.next().value).toEqual(row(samples, j));
});

it('refuses supports that do not fit', () => {
  expect(() => generateSparseComponents({ ...options, nonzeros: 14 })).toThrow('at most the 40 features; got 14.');
});
