/** The parts of the quick grids of the theorems and of tensors that tests run. */
import type { Part } from '../claims.ts';

export const rotationParts: Readonly<Record<string, Part>> = {
  'givens-theorem1': { trials: 1, where: ({ d, epsilon }) => d === 5 && epsilon <= 0.1 },
  'givens-rate': { trials: 1, where: ({ degree, d }) => degree === 3 && d === 10, without: ['as printed'] }, // see its page
  'givens-pairs': { trials: 1, where: ({ d }) => d === 20 },
  'givens-theorem3': { trials: 1, where: ({ d }) => d === 3 || d === 10 },
  'givens-noise': { trials: 3, where: ({ sigma }) => sigma === 0.01 },
  'givens-lazy': { trials: 1, where: ({ p }) => p <= 1000, without: ['In seconds'] },
  'givens-topics': { trials: 1, where: ({ documents }) => documents <= 3000 },
  'givens-mixtures': { trials: 1, where: ({ clusters }) => clusters === 3, without: ['−.5 within'] }, // of one trial
};
