/** Searches by maximum likelihood on small data: what they try, for how long, and where they end. A change of these must be meant. */
import { expect, it } from 'vitest';
import type { LearnOptions } from '#src/learn/options.ts';
import { type GenerateOptions, generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { told } from '../told.ts';

const RUNS: [name: string, data: Partial<GenerateOptions>, options: object, words: string[]][] = [
  [
    'noise',
    { noise: 0.1 },
    {},
    [
      'msp 7, refine 12, likelihood: anneal 27, likelihood: explore 29, likelihood: fit 4',
      'converged after 79: reproducible from two starts',
      '89.00 passes, objective 2148.3450',
      'reproducible from two starts',
    ],
  ],
  [
    'more noise',
    { noise: 0.3, samples: 200, features: 8 },
    {},
    [
      'msp 12, likelihood: anneal 13, likelihood: explore 24, likelihood: anneal 13, likelihood: fit 7',
      'converged after 69: reproducible from two starts',
      '78.00 passes, objective 1899.1544',
      'reproducible from two starts',
    ],
  ],
  [
    'few samples',
    { samples: 60, features: 12 },
    {},
    [
      'msp 7, refine 2, likelihood: anneal 93, likelihood: explore 21, likelihood: anneal 70, refine 17',
      'converged after 210: certified: 12 of 12 atoms to 9 digits',
      '221.0 passes, objective 662.64926',
      'certified: 12 of 12 atoms to 9 digits',
    ],
  ],
  [
    'fewer samples',
    { samples: 40, features: 10 },
    {},
    [
      'msp 7, refine 3, likelihood: anneal 74, refine 13',
      'converged after 97: certified: 10 of 10 atoms to 9 digits',
      '106.0 passes, objective 321.91328',
      'certified: 10 of 10 atoms to 9 digits',
    ],
  ],
  [
    'dense codes',
    { samples: 300, features: 8, theta: 0.8 },
    {},
    [
      'msp 22, likelihood: anneal 56, refine 16',
      'converged after 94: certified: 8 of 8 atoms to 10 digits',
      '103.0 passes, objective 5787.3807',
      'certified: 8 of 8 atoms to 10 digits',
    ],
  ],
  [
    'long budget',
    { samples: 100, features: 10, theta: 0.5 },
    { fallback: 2 },
    [
      'msp 33, approach 28, refine 60, likelihood: anneal 79, refine 10',
      'converged after 210: certified: 10 of 10 atoms to 9 digits',
      '222.0 passes, objective 1381.8821',
      'certified: 10 of 10 atoms to 9 digits',
    ],
  ],
  [
    'short budget',
    { noise: 0.1 },
    { fallback: 0.01 },
    [
      'msp 7, refine 12, likelihood: anneal 27, likelihood: explore 29, likelihood: fit 4',
      'converged after 79: reproducible from two starts',
      '89.00 passes, objective 2148.3450',
      'reproducible from two starts',
    ],
  ],
  [
    'no search',
    { noise: 0.1 },
    { fallback: 'none' },
    [
      'msp 7, refine 12',
      'converged after 19: converged to within sampling error (gradient 0.04 of its standard error)',
      '25.00 passes, objective 2168.0776',
      'not certified: their codes have no exact zeros',
    ],
  ],
  [
    'float32',
    {},
    { precision: 'f32' },
    [
      'msp 7, refine 8, likelihood: anneal 29, refine 1',
      'converged after 45: certified: 6 of 6 atoms to 5 digits',
      '54.00 passes, objective 2163.0191',
      'certified: 6 of 6 atoms to 5 digits',
    ],
  ],
  [
    'float64',
    { samples: 60, features: 12 },
    { precision: 'f64' },
    [
      'msp 7, refine 2, likelihood: anneal 93, likelihood: explore 21, likelihood: anneal 70, refine 4',
      'converged after 197: certified: 12 of 12 atoms to 9 digits',
      '208.0 passes, objective 662.64926',
      'certified: 12 of 12 atoms to 9 digits',
    ],
  ],
  [
    'centred noise',
    { noise: 0.1 },
    { center: true },
    [
      'msp 6, refine 8, likelihood: explore 35, likelihood: fit 4',
      'converged after 53: reproducible from two starts',
      '64.00 passes, objective 2143.5086',
      'reproducible from two starts',
    ],
  ],
  [
    'centred few',
    { samples: 80, features: 8, theta: 0.5 },
    { center: true },
    [
      'msp 37, approach 34, refine 60, likelihood: explore 18, likelihood: fit 12',
      'converged after 161: reproducible from two starts',
      '173.0 passes, objective 778.26035',
      'reproducible from two starts',
    ],
  ],
  [
    'whitened noise',
    { noise: 0.1, condition: 5 },
    { whiten: 'zca' },
    [
      'msp 5, refine 60, likelihood: explore 30',
      'converged after 95: converged to within sampling error (gradient 0.04 of its standard error)',
      '101.0 passes, objective 22246.654',
      'reproducible from two starts',
    ],
  ],
  [
    'whitened few',
    { samples: 100, features: 8, theta: 0.5, condition: 5 },
    { whiten: 'zca' },
    [
      'msp 15, approach 13, refine 60, likelihood: explore 22',
      'converged after 110: converged to within sampling error (gradient 0.04 of its standard error)',
      '117.0 passes, objective 5608.5840',
      'reproducible from two starts',
    ],
  ],
  [
    'numbers that are wrong',
    { samples: 800, corruption: 0.05 },
    {},
    [
      'msp 6, refine 17',
      'converged after 23: converged to within sampling error (gradient 0.03 of its standard error)',
      '29.00 passes, objective 5066.5865',
      'not certified: the codes take few values, so that another basis has as many zeros',
    ],
  ],
  [
    'wrong numbers, few samples',
    { samples: 150, features: 8, corruption: 0.05 },
    {},
    [
      'msp 15, approach 9, refine 32',
      'converged after 56: converged to within sampling error (gradient 0.05 of its standard error)',
      '63.00 passes, objective 1223.8647',
      'not certified: the codes take few values, so that another basis has as many zeros',
    ],
  ],
  [
    'only noise',
    { theta: 1, samples: 300, features: 5 },
    {},
    [
      'msp 30, likelihood: anneal 13, likelihood: explore 14, likelihood: anneal 13, likelihood: fit 40, likelihood: explore 42, likelihood: anneal 13, likelihood: fit 40, likelihood: explore 516, likelihood: anneal 13, likelihood: fit 40, likelihood: explore 17, likelihood: anneal 13, likelihood: fit 40, likelihood: explore 186',
      'converged after 1030: objective gained at most 1e-8 in 3 steps',
      '1041 passes, objective 5026.0229',
      'not certified: their codes have no exact zeros',
      'nothing-sparser',
    ],
  ],
  [
    'only noise, refined',
    { theta: 0.95, samples: 500, features: 6 },
    {},
    [
      'msp 30, likelihood: anneal 13, likelihood: explore 18, likelihood: anneal 13, likelihood: fit 40, likelihood: explore 25, likelihood: anneal 13, likelihood: fit 40, likelihood: explore 550, likelihood: anneal 13, likelihood: fit 40, likelihood: explore 11, likelihood: anneal 13, likelihood: fit 40, likelihood: explore 171',
      'converged after 1030: converged to within sampling error (gradient 0.1 of its standard error)',
      '1043 passes, objective 9625.2882',
      'not certified: their codes have no exact zeros',
      'nothing-sparser',
    ],
  ],
  [
    'ml',
    {},
    { method: 'ml' },
    [
      'likelihood: explore 21, likelihood: anneal 36, refine 6',
      'converged after 63: certified: 6 of 6 atoms to 11 digits',
      '69.00 passes, objective 2163.0190',
      'certified: 6 of 6 atoms to 11 digits',
    ],
  ],
  [
    'ml of noise',
    { noise: 0.2 },
    { method: 'ml' },
    [
      'likelihood: explore 32, likelihood: anneal 16, likelihood: fit 6, likelihood: explore 46, likelihood: anneal 14, likelihood: fit 6',
      'converged after 120: reproducible from two starts',
      '127.0 passes, objective 2228.9633',
      'reproducible from two starts',
    ],
  ],
  [
    'ml of few samples',
    { samples: 50, features: 10 },
    { method: 'ml' },
    [
      'likelihood: explore 52, likelihood: anneal 70, refine 9',
      'converged after 131: certified: 10 of 10 atoms to 10 digits',
      '137.0 passes, objective 395.54932',
      'certified: 10 of 10 atoms to 10 digits',
    ],
  ],
  [
    'ml of whitened samples',
    { condition: 5, samples: 200 },
    { method: 'ml', whiten: 'zca' },
    [
      'likelihood: explore 24, likelihood: fit 27, refine 35, refine 1',
      'converged after 87: certified: 6 of 6 atoms to 10 digits',
      '94.00 passes, objective 11793.501',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'ml of centred samples',
    { samples: 200 },
    { method: 'ml', center: true },
    [
      'likelihood: explore 32, likelihood: fit 4, refine 19, refine 7',
      'converged after 62: certified: 6 of 6 atoms to 10 digits',
      '70.00 passes, objective 1092.3940',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'ml with few steps',
    {},
    { method: 'ml', maxIterations: 30 },
    [
      'likelihood: explore 21, likelihood: anneal 9',
      'exhausted after 30: not certified',
      '33.00 passes, objective 2162.9024',
      'not certified',
    ],
  ],
  [
    'ml in two attempts',
    { theta: 1 },
    { method: 'ml', attempts: 2 },
    [
      'likelihood: explore 28, likelihood: anneal 13, likelihood: fit 40, likelihood: explore 10, likelihood: anneal 13, likelihood: fit 40',
      'exhausted after 144: not certified: their codes have no exact zeros',
      '151.0 passes, objective 6887.7517',
      'not certified: their codes have no exact zeros',
      'nothing-sparser',
    ],
  ],
  [
    'ml in float32',
    {},
    { method: 'ml', precision: 'f32' },
    [
      'likelihood: explore 21, likelihood: anneal 25, refine 1',
      'converged after 47: certified: 6 of 6 atoms to 14 digits',
      '52.00 passes, objective 2163.0190',
      'certified: 6 of 6 atoms to 14 digits',
    ],
  ],
  [
    'ml of one step',
    {},
    { method: 'ml', maxIterations: 1 },
    ['likelihood: explore 1', 'exhausted after 1: not certified', '4.000 passes, objective 1192.1260', 'not certified'],
  ],
  [
    'ml of many samples',
    { samples: 10000, features: 5, noise: 0.1 },
    { method: 'ml' },
    [
      'likelihood: explore 27, likelihood: anneal 27, likelihood: fit 3, likelihood: explore 50, likelihood: anneal 50, likelihood: fit 4',
      'converged after 161: reproducible from two starts',
      '29.00 passes, objective 46903.383',
      'reproducible from two starts',
    ],
  ],
  [
    'few atoms of many features',
    { samples: 100, features: 12, noise: 0.02 },
    { components: 4 },
    [
      'msp 7, approach 17, refine 5, likelihood: anneal 100, likelihood: explore 30, likelihood: fit 34, likelihood: explore 3, likelihood: anneal 73, likelihood: fit 40, likelihood: explore 594, likelihood: fit 34, likelihood: explore 8, likelihood: fit 34, likelihood: explore 50',
      'converged after 1029: converged to within sampling error (gradient 0.04 of its standard error)',
      '1047 passes, objective 602.31138',
      'not certified: their codes have no exact zeros',
    ],
  ],
  [
    'a limit of steps',
    { noise: 0.2 },
    { maxIterations: 20 },
    [
      'msp 10, refine 4, likelihood: anneal 16, likelihood: explore 4',
      'converged after 34: converged to within sampling error (gradient 0.06 of its standard error)',
      '39.00 passes, objective 2253.5495',
      'not certified: their codes have no exact zeros',
    ],
  ],
];

it.each(RUNS)('%s', async (_, data, options, words) => {
  const { samples } = generate({ samples: 400, features: 6, theta: 0.3, seed: 1, ...data });
  expect(await told(samples, { seed: 1, ...options } as LearnOptions)).toEqual(words);
});
