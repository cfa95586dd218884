import { expect, it } from 'vitest';
import { fisherInformation, leastError } from '#lab/experiments/l4-theory/cramer-rao.ts';

it('the information of a normal is one over its variance', () => {
  expect(fisherInformation(1, 0.5)).toBeCloseTo(1 / 1.25, 12);
  expect(fisherInformation(0, 0.3)).toBeCloseTo(1 / 0.09, 9);
});

it('tends to that of the zeros alone where noise is small', () => {
  expect(fisherInformation(0.3, 1e-3) * 1e-6).toBeCloseTo(0.7, 2);
});

it('agrees with a finer rule of another program', () => {
  // scipy.integrate.quad of f'²/f, relative tolerance 1e-12
  expect(fisherInformation(0.3, 0.2)).toBeCloseTo(13.10351217028514, 8);
  expect(fisherInformation(0.3, 0.7)).toBeCloseTo(1.3699305522620664, 8);
});

it.each([
  [0.2, 7.1e-4],
  [0.3, 1.9e-3],
  [0.4, 4.3e-3],
  [0.5, 8.6e-3],
  [0.7, 3e-2],
])('noise of %d leaves an error of at least %d at n = 50, p = 20,000, θ = .3', (noise, error) => {
  expect(leastError({ n: 50, p: 20_000, theta: 0.3, noise })).toBeCloseTo(error, error < 1e-2 ? 4 : 3);
});

it('there is no limit without noise', () => {
  expect(leastError({ n: 50, p: 1000, theta: 0.3, noise: 0 })).toBe(0);
});
