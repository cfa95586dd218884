/** Whole runs on small data: their stages, starts and limits, and what they say at the end. A change of these must be meant. */
import { expect, it } from 'vitest';
import type { LearnOptions } from '#src/learn/options.ts';
import { type GenerateOptions, generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { told } from './told.ts';

const RUNS: [name: string, data: Partial<GenerateOptions>, options: object, words: string[]][] = [
  [
    'as it is',
    {},
    {},
    [
      'msp, l4 norm',
      'msp 7, refine 14',
      'converged after 21: converged to within sampling error (gradient 0.04 of its standard error)',
      '26.00 passes, objective 2178.6456',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'several starts',
    { noise: 0.2 },
    { starts: 3 },
    [
      'msp, l4 norm',
      'msp 10, refine 4, likelihood: anneal 16, likelihood: explore 32, likelihood: anneal 16, likelihood: fit 6, start 2 of 3, msp 7, refine 5, likelihood: anneal 16, likelihood: explore 26, likelihood: anneal 16, likelihood: fit 6, start 3 of 3, msp 9, refine 60, likelihood: anneal 16, likelihood: explore 32, likelihood: fit 6',
      'converged after 123: reproducible from two starts',
      '310.0 passes, objective 2229.0232',
      'reproducible from two starts',
    ],
  ],
  [
    'several starts without refinement',
    {},
    { starts: 2, refine: 'none' },
    [
      'msp, l4 norm',
      'msp 7, start 2 of 2, msp 8',
      'converged after 8: converged to within sampling error (gradient 0.03 of its standard error)',
      '19.00 passes, objective 2178.7063',
      'not certified',
    ],
  ],
  [
    'held out samples',
    {},
    { holdout: 0.2 },
    [
      'msp, l4 norm',
      'msp 9, refine 15, evaluate',
      'converged after 24: converged to within sampling error (gradient 0.03 of its standard error)',
      '30.00 passes, objective 1607.3058',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'held out noise',
    { noise: 0.1 },
    { holdout: 0.3 },
    [
      'msp, l4 norm',
      'msp 7, approach 5, refine 11, likelihood: anneal 28, likelihood: explore 23, likelihood: fit 5, evaluate',
      'converged after 79: reproducible from two starts',
      '90.00 passes, objective 1401.1019',
      'reproducible from two starts',
    ],
  ],
  [
    'one atom',
    { noise: 0.01 },
    { components: 1, fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 1',
      'converged after 1: change 0.0e+0 \u2264 0.00001',
      '4.000 passes, objective 301.71691',
      'not certified',
    ],
  ],
  [
    'few atoms of whitened data',
    { condition: 4 },
    { components: 4, whiten: 'zca', fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 5, refine 1',
      'converged after 6: converged to within sampling error (gradient 0.09 of its standard error)',
      '10.00 passes, objective 11808.548',
      'not certified',
    ],
  ],
  [
    'another tolerance',
    {},
    { tolerance: 0.01 },
    [
      'msp, l4 norm',
      'msp 7, refine 14',
      'converged after 21: change 3.9e-3 \u2264 0.01',
      '25.00 passes, objective 2178.6456',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'an objective tolerance',
    {},
    { method: 'pga', objectiveTolerance: 0.01 },
    [
      'pga, l4 norm',
      'pga 10, refine 13',
      'converged after 23: objective gained at most 0.01 in 3 steps',
      '27.00 passes, objective 2178.3800',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'one step',
    {},
    { maxIterations: 1, refine: 'none' },
    ['msp, l4 norm', 'msp 1', 'exhausted after 1: 1 iterations', '3.000 passes, objective 1156.5006', 'not certified'],
  ],
  [
    'white data in parts',
    { samples: 40000, features: 4 },
    {},
    [
      'msp, l4 norm',
      'msp 5, refine 12',
      'converged after 17: converged to within sampling error (gradient 0.07 of its standard error)',
      '19.00 passes, objective 148161.61',
      'certified: 4 of 4 atoms to 10 digits',
    ],
  ],
  [
    'parts, without refinement',
    { samples: 40000, features: 4 },
    { refine: 'none' },
    [
      'msp, l4 norm',
      'msp 5',
      'converged after 5: converged to within sampling error (gradient 0.07 of its standard error)',
      '7.000 passes, objective 148161.61',
      'not certified',
    ],
  ],
  [
    'coresets',
    { samples: 20000, features: 5, condition: 50 },
    {},
    [
      'msp, l4 norm',
      'msp 10, msp 3, msp 2',
      'converged after 15: converged to within sampling error (gradient 0.09 of its standard error)',
      '9.000 passes, objective 166225.60',
      'not certified',
    ],
  ],
  [
    'coresets with few steps',
    { samples: 20000, features: 5, condition: 50 },
    { maxIterations: 5 },
    ['msp, l4 norm', 'msp 5', 'exhausted after 5: 5 iterations', '6.000 passes, objective 165797.37', 'not certified'],
  ],
  [
    'noise that needs all samples',
    { samples: 20000, features: 5, noise: 0.3 },
    { fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 6',
      'converged after 6: converged to within sampling error (gradient 0.07 of its standard error)',
      '9.000 passes, objective 114878.49',
      'not certified',
    ],
  ],
  [
    'two features',
    { features: 2 },
    {},
    [
      'msp, l4 norm',
      'msp 3, likelihood: anneal 33, refine 26',
      'converged after 62: certified: 2 of 2 atoms to 10 digits',
      '71.00 passes, objective 726.23150',
      'certified: 2 of 2 atoms to 10 digits',
    ],
  ],
  [
    'fewer directions than features',
    { samples: 30, features: 30 },
    { components: 12, fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 5, refine 2',
      'converged after 7: converged to within sampling error (gradient 0.2 of its standard error)',
      '12.00 passes, objective 1869.8666',
      'not certified',
      'nothing-sparser',
    ],
  ],
];

it.each(RUNS)('%s', async (_, data, options, words) => {
  const { samples } = generate({ samples: 400, features: 6, theta: 0.3, seed: 1, ...data });
  expect(await told(samples, { seed: 1, ...options } as LearnOptions)).toEqual(words);
});
