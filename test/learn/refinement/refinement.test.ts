/** Refinements on small data: how many steps they take, and when they are not tried or given up. A change of these must be meant. */
import { expect, it } from 'vitest';
import type { LearnOptions } from '#src/learn/options.ts';
import { type GenerateOptions, generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { told } from '../told.ts';

const RUNS: [name: string, data: Partial<GenerateOptions>, options: object, words: string[]][] = [
  [
    'orthogonal',
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
    'complete',
    { condition: 5 },
    { whiten: 'zca' },
    [
      'msp, l4 norm',
      'msp 5, refine 22',
      'converged after 27: converged to within sampling error (gradient 0.04 of its standard error)',
      '32.00 passes, objective 24551.136',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'complete and centred',
    { condition: 5, samples: 600 },
    { whiten: 'zca', center: true },
    [
      'msp, l4 norm',
      'msp 4, refine 17',
      'converged after 21: converged to within sampling error (gradient 0.09 of its standard error)',
      '27.00 passes, objective 36406.421',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'centred',
    {},
    { center: true },
    [
      'msp, l4 norm',
      'msp 7, refine 15',
      'converged after 22: converged to within sampling error (gradient 0.04 of its standard error)',
      '28.00 passes, objective 2123.0460',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'many samples',
    { samples: 6000, features: 8 },
    {},
    [
      'msp, l4 norm',
      'msp 7, refine 9',
      'converged after 16: converged to within sampling error (gradient 0.04 of its standard error)',
      '20.00 passes, objective 43481.043',
      'certified: 8 of 8 atoms to 10 digits',
    ],
  ],
  [
    'more samples than are needed',
    { samples: 30000, features: 5 },
    {},
    [
      'msp, l4 norm',
      'msp 6, refine 10',
      'converged after 16: converged to within sampling error (gradient 0.02 of its standard error)',
      '19.00 passes, objective 139032.75',
      'certified: 5 of 5 atoms to 10 digits',
    ],
  ],
  [
    'denser codes',
    { samples: 2000, features: 8, theta: 0.6 },
    { fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 6, refine 12',
      'converged after 18: converged to within sampling error (gradient 0.05 of its standard error)',
      '23.00 passes, objective 29249.234',
      'certified: 8 of 8 atoms to 9 digits',
    ],
  ],
  [
    'sparser codes',
    { samples: 2000, features: 8, theta: 0.05 },
    {},
    [
      'msp, l4 norm',
      'msp 7, refine 12',
      'converged after 19: converged to within sampling error (gradient 0.02 of its standard error)',
      '26.00 passes, objective 1967.2040',
      'certified: 8 of 8 atoms to 10 digits',
    ],
  ],
  [
    'float32',
    { samples: 2000 },
    { precision: 'f32', fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 6, refine 6',
      'converged after 12: converged to within sampling error (gradient 0.06 of its standard error)',
      '18.00 passes, objective 10883.550',
      'certified: 3 of 6 atoms to 5 digits; the others are not: the zeros of their codes tell too few digits',
    ],
  ],
  [
    'float64',
    {},
    { precision: 'f64' },
    [
      'msp, l4 norm',
      'msp 7, refine 14',
      'converged after 21: converged to within sampling error (gradient 0.04 of its standard error)',
      '26.00 passes, objective 2178.6456',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'noise',
    { noise: 0.1, samples: 2000 },
    { fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 7, refine 8',
      'converged after 15: converged to within sampling error (gradient 0.02 of its standard error)',
      '22.00 passes, objective 11127.749',
      'not certified: their codes have no exact zeros',
    ],
  ],
  [
    'much noise',
    { noise: 0.5, samples: 2000 },
    { fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 11',
      'converged after 11: converged to within sampling error (gradient 0.06 of its standard error)',
      '15.00 passes, objective 18868.503',
      'not certified',
    ],
  ],
  [
    'whitened noise',
    { noise: 0.1, samples: 2000, condition: 5 },
    { whiten: 'zca', fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 4, refine 60',
      'converged after 64: converged to within sampling error (gradient 0.07 of its standard error)',
      '69.00 passes, objective 105878.38',
      'not certified',
    ],
  ],
  [
    'no zeros',
    { theta: 1, samples: 1000 },
    { fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 90',
      'converged after 90: converged to within sampling error (gradient 0.1 of its standard error)',
      '103.0 passes, objective 19179.783',
      'not certified',
      'nothing-sparser',
    ],
  ],
  [
    'numbers that are wrong',
    { corruption: 0.05, samples: 2000 },
    { fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 7, refine 14',
      'converged after 21: converged to within sampling error (gradient 0.03 of its standard error)',
      '28.00 passes, objective 12259.886',
      'not certified: the codes take few values, so that another basis has as many zeros',
    ],
  ],
  [
    'few samples',
    { samples: 60, features: 12 },
    { fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 7, refine 2',
      'converged after 9: converged to within sampling error (gradient 0.3 of its standard error)',
      '13.00 passes, objective 882.85637',
      'not certified',
    ],
  ],
  [
    'a limit of steps',
    {},
    { maxIterations: 3 },
    [
      'msp, l4 norm',
      'msp 3, refine 16',
      'exhausted after 19: 3 iterations',
      '23.00 passes, objective 1923.0579',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'not asked for',
    {},
    { refine: 'none' },
    [
      'msp, l4 norm',
      'msp 7',
      'converged after 7: converged to within sampling error (gradient 0.04 of its standard error)',
      '10.00 passes, objective 2178.6456',
      'not certified',
    ],
  ],
  [
    'outliers',
    { outliers: 0.01, samples: 1000 },
    { fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 6, refine 12',
      'converged after 18: converged to within sampling error (gradient 0.06 of its standard error)',
      '23.00 passes, objective 5370.4184',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'without scouting',
    { samples: 3000 },
    { scout: 'none' },
    [
      'msp, l4 norm',
      'msp 7, refine 11',
      'converged after 18: converged to within sampling error (gradient 0.07 of its standard error)',
      '23.00 passes, objective 16824.637',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'not white',
    { samples: 6000, features: 8, condition: 20 },
    { scout: 'none' },
    [
      'msp, l4 norm',
      'msp 18',
      'converged after 18: converged to within sampling error (gradient 0.3 of its standard error)',
      '24.00 passes, objective 56076.421',
      'not certified',
    ],
  ],
  [
    'after ica',
    { condition: 3 },
    { method: 'ica' },
    [
      'ica',
      'ica 6, refine 18',
      'converged after 24: converged to within sampling error (gradient 0.009 of its standard error)',
      '29.00 passes, objective 11.077683',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'after procrustes',
    {},
    { method: 'procrustes' },
    [
      'procrustes, threshold auto',
      'procrustes 44, refine 15',
      'converged after 59: change 4.7e-6 \u2264 0.00001',
      '63.00 passes, objective 566.29576',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
];

it.each(RUNS)('%s', async (_, data, options, words) => {
  const { samples } = generate({ samples: 400, features: 6, theta: 0.3, seed: 1, ...data });
  expect(await told(samples, { seed: 1, ...options } as LearnOptions)).toEqual(words);
});
