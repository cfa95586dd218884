/** Every method on small data: its stages, how many steps they take and where they end. A change of these must be meant. */
import { expect, it } from 'vitest';
import { METHODS } from '#src/learn/method-list.ts';
import type { LearnOptions } from '#src/learn/options.ts';
import { type GenerateOptions, generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { told } from '../told.ts';

const RUNS: [name: string, data: Partial<GenerateOptions>, options: object, words: string[]][] = [
  [
    'msp',
    {},
    { method: 'msp' },
    [
      'msp, l4 norm',
      'msp 7, refine 14',
      'converged after 21: converged to within sampling error (gradient 0.04 of its standard error)',
      '26.00 passes, objective 2178.6456',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'msp of norm 3',
    {},
    { method: 'msp', norm: 3 },
    [
      'msp, l3 norm',
      'msp 22, refine 14',
      'converged after 36: converged to within sampling error (gradient 0.04 of its standard error)',
      '42.00 passes, objective 1151.0443',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'msp of norm 6',
    {},
    { method: 'msp', norm: 6 },
    [
      'msp, l6 norm',
      'msp 10, refine 15',
      'converged after 25: converged to within sampling error (gradient 0.05 of its standard error)',
      '30.00 passes, objective 10917.062',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'msp without a shift, with momentum',
    {},
    { method: 'msp', shift: 'none', momentum: 'on' },
    [
      'msp, l4 norm',
      'msp 11, refine 14',
      'converged after 25: converged to within sampling error (gradient 0.04 of its standard error)',
      '31.00 passes, objective 2178.6539',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'msp with a shift of its own',
    {},
    { method: 'msp', shift: 1 },
    [
      'msp, l4 norm',
      'msp 10, refine 13',
      'converged after 23: converged to within sampling error (gradient 0.07 of its standard error)',
      '29.00 passes, objective 2178.3925',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'msp of data that is not white',
    { condition: 20 },
    { method: 'msp', momentum: 'off' },
    [
      'msp, l4 norm',
      'msp 8',
      'converged after 8: converged to within sampling error (gradient 0.3 of its standard error)',
      '12.00 passes, objective 3676.3426',
      'not certified',
    ],
  ],
  [
    'msp of whitened data',
    { condition: 5 },
    { method: 'msp', whiten: 'zca' },
    [
      'msp, l4 norm',
      'msp 5, refine 22',
      'converged after 27: converged to within sampling error (gradient 0.04 of its standard error)',
      '32.00 passes, objective 24551.136',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'msp in float32',
    {},
    { method: 'msp', precision: 'f32' },
    [
      'msp, l4 norm',
      'msp 7, refine 8, likelihood: anneal 29, refine 1',
      'converged after 45: certified: 6 of 6 atoms to 5 digits',
      '54.00 passes, objective 2163.0191',
      'certified: 6 of 6 atoms to 5 digits',
    ],
  ],
  [
    'msp by parts and coresets',
    { samples: 6000, features: 8, condition: 20 },
    { method: 'msp' },
    [
      'msp, l4 norm',
      'msp 14, msp 4, msp 3',
      'converged after 21: converged to within sampling error (gradient 0.2 of its standard error)',
      '13.00 passes, objective 56068.260',
      'not certified',
    ],
  ],
  [
    'msp of many samples',
    { samples: 20000, features: 8 },
    { method: 'msp' },
    [
      'msp, l4 norm',
      'msp 7, refine 9',
      'converged after 16: converged to within sampling error (gradient 0.02 of its standard error)',
      '19.00 passes, objective 148222.05',
      'certified: 8 of 8 atoms to 10 digits',
    ],
  ],
  [
    'msp of few atoms',
    { noise: 0.05 },
    { method: 'msp', components: 3, fallback: 'none' },
    [
      'msp, l4 norm',
      'msp 4',
      'converged after 4: converged to within sampling error (gradient 0.04 of its standard error)',
      '8.000 passes, objective 969.45810',
      'not certified',
    ],
  ],
  [
    'pga',
    {},
    { method: 'pga' },
    [
      'pga, l4 norm',
      'pga 24, refine 14',
      'converged after 38: objective gained at most 1e-8 in 3 steps',
      '42.00 passes, objective 2178.7224',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'pga of whitened data',
    { condition: 5 },
    { method: 'pga', whiten: 'zca' },
    [
      'pga, l4 norm',
      'pga 18, refine 22',
      'converged after 40: change 6.7e-6 \u2264 0.00001',
      '44.00 passes, objective 24551.491',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'pga of norm 3',
    {},
    { method: 'pga', norm: 3 },
    [
      'pga, l3 norm',
      'pga 25, refine 14',
      'converged after 39: objective gained at most 1e-8 in 3 steps',
      '43.00 passes, objective 1151.0476',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'givens',
    {},
    { method: 'givens' },
    [
      'givens, l4 norm',
      'givens 6, refine 14',
      'converged after 20: change 8.5e-7 \u2264 0.00001',
      '25.00 passes, objective 2178.7224',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'givens in random pairs',
    {},
    { method: 'givens', pairs: 'random' },
    [
      'givens, l4 norm',
      'givens 11, refine 14',
      'converged after 25: change 7.6e-6 \u2264 0.00001',
      '30.00 passes, objective 2178.7224',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'givens in cycles',
    {},
    { method: 'givens', pairs: 'cyclic' },
    [
      'givens, l4 norm',
      'givens 6, refine 14',
      'converged after 20: change 4.4e-7 \u2264 0.00001',
      '25.00 passes, objective 2178.7224',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'givens until they improve',
    {},
    { method: 'givens', pairs: 'until-improvement' },
    [
      'givens, l4 norm',
      'givens 12, refine 14',
      'converged after 26: change 5.8e-6 \u2264 0.00001',
      '31.00 passes, objective 2178.7224',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'gtransform',
    {},
    { method: 'gtransform' },
    [
      'gtransform, threshold auto',
      'gtransform 133',
      'converged after 133: change 9.8e-6 \u2264 0.00001',
      '135.0 passes, objective 566.29572',
      'not certified',
    ],
  ],
  [
    'gtransform of few codes',
    {},
    { method: 'gtransform', keep: 2, rotations: 6 },
    [
      'gtransform, 2 codes a sample',
      'gtransform 31',
      'converged after 31: change 2.6e-6 \u2264 0.00001',
      '33.00 passes, objective 637.79553',
      'not certified',
    ],
  ],
  [
    'ica',
    {},
    { method: 'ica' },
    [
      'ica',
      'ica 8, refine 18',
      'converged after 26: converged to within sampling error (gradient 0.01 of its standard error)',
      '31.00 passes, objective 11.083307',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'ica of whitened data',
    { condition: 5 },
    { method: 'ica', whiten: 'zca' },
    [
      'ica',
      'ica 7, refine 18',
      'converged after 25: converged to within sampling error (gradient 0.01 of its standard error)',
      '30.00 passes, objective 11.062540',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'ica with unit variance',
    { noise: 0.3 },
    { method: 'ica', unitVariance: true },
    [
      'ica',
      'ica 9',
      'converged after 9: converged to within sampling error (gradient 0.02 of its standard error)',
      '12.00 passes, objective 2.6625972',
      'not certified',
    ],
  ],
  [
    'ica of many sources',
    { samples: 3000, features: 12, theta: 0.15 },
    { method: 'ica' },
    [
      'ica',
      'ica 12, refine 11',
      'converged after 23: converged to within sampling error (gradient 0.001 of its standard error)',
      '28.00 passes, objective 31.988822',
      'certified: 12 of 12 atoms to 10 digits',
    ],
  ],
  [
    'ica of noise',
    { theta: 1 },
    { method: 'ica' },
    [
      'ica',
      'ica 48',
      'converged after 48: converged to within sampling error (gradient 0.1 of its standard error)',
      '51.00 passes, objective 1.4156103',
      'not certified',
    ],
  ],
  [
    'fastica',
    {},
    { method: 'fastica' },
    [
      'fastica, cube',
      'fastica 13',
      'converged after 13: change 8.4e-6 \u2264 0.00001',
      '14.00 passes, objective 21.199141',
      'not certified',
    ],
  ],
  [
    'fastica by logcosh',
    {},
    { method: 'fastica', nonlinearity: 'logcosh' },
    [
      'fastica, logcosh',
      'fastica 11',
      'converged after 11: change 7.6e-6 \u2264 0.00001',
      '12.00 passes, objective 0.056963741',
      'not certified',
    ],
  ],
  [
    'ksvd',
    {},
    { method: 'ksvd' },
    [
      'ksvd, sqrt n codes a sample',
      'ksvd 14',
      'converged after 14: change 5.7e-4 \u2264 0.001',
      '15.00 passes, objective -29.657588',
    ],
  ],
  [
    'ksvd to a residual',
    {},
    { method: 'ksvd', residual: 0.2 },
    [
      'ksvd, residual 0.2',
      'ksvd 12',
      'converged after 12: change 4.5e-4 \u2264 0.001',
      '13.00 passes, objective -614.00000',
    ],
  ],
  [
    'ksvd of two codes without growth',
    {},
    { method: 'ksvd', keep: 2, growth: 'none' },
    [
      'ksvd, 2 codes a sample',
      'ksvd 24',
      'converged after 24: change 7.3e-4 \u2264 0.001',
      '25.00 passes, objective -29.597876',
    ],
  ],
  [
    'ksvd of more atoms',
    {},
    { method: 'ksvd', components: 9 },
    [
      'ksvd, sqrt n codes a sample',
      'ksvd 16',
      'converged after 16: change 7.7e-4 \u2264 0.001',
      '17.00 passes, objective -21.258593',
    ],
  ],
  [
    'online',
    {},
    { method: 'online' },
    [
      'online, lambda auto',
      'online 28',
      'converged after 28: change 7.8e-6 \u2264 0.00001',
      '29.00 passes, objective -0.20877089',
    ],
  ],
  [
    'online with a penalty',
    {},
    { method: 'online', lambda: 0.3 },
    [
      'online, lambda 0.3',
      'online 19',
      'converged after 19: change 9.0e-6 \u2264 0.00001',
      '20.00 passes, objective -0.43901451',
    ],
  ],
  [
    'subgradient',
    {},
    { method: 'subgradient' },
    [
      'subgradient, atoms',
      'subgradient 236',
      'converged after 236: change 0.0e+0 \u2264 0.00001',
      '237.0 passes, objective -0.22544341',
      'not certified',
    ],
  ],
  [
    'subgradient of the whole',
    {},
    { method: 'subgradient', search: 'whole' },
    [
      'subgradient, whole',
      'subgradient 124',
      'converged after 124: change 0.0e+0 \u2264 0.00001',
      '125.0 passes, objective -1.4165564',
      'not certified',
    ],
  ],
  [
    'procrustes',
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
  [
    'procrustes of two codes',
    {},
    { method: 'procrustes', keep: 2 },
    [
      'procrustes, 2 codes a sample',
      'procrustes 23, refine 14',
      'converged after 37: change 6.2e-6 \u2264 0.00001',
      '41.00 passes, objective 684.52173',
      'certified: 6 of 6 atoms to 10 digits',
    ],
  ],
  [
    'pca',
    {},
    { method: 'pca' },
    [
      'pca',
      'pca 1',
      'converged after 1: change 0.0e+0 \u2264 0.00001',
      '1.000 passes, objective 86832.071',
      'not certified',
    ],
  ],
  [
    'pca of few atoms',
    { condition: 5 },
    { method: 'pca', components: 2 },
    [
      'pca',
      'pca 1',
      'converged after 1: change 0.0e+0 \u2264 0.00001',
      '1.000 passes, objective 127378.17',
      'not certified',
    ],
  ],
  [
    'dct',
    {},
    { method: 'dct' },
    [
      'dct, one dimension',
      'dct 1',
      'converged after 1: change 0.0e+0 \u2264 0.00001',
      '1.000 passes, objective 86066.245',
    ],
  ],
  [
    'gtransform by a threshold',
    {},
    { method: 'gtransform', threshold: 1 },
    [
      'gtransform, threshold 1',
      'gtransform 23',
      'converged after 23: change 7.2e-6 \u2264 0.00001',
      '25.00 passes, objective 353.40027',
      'not certified',
    ],
  ],
  [
    'ksvd of three codes',
    {},
    { method: 'ksvd', keep: 3 },
    [
      'ksvd, 3 codes a sample',
      'ksvd 17',
      'converged after 17: change 9.5e-4 \u2264 0.001',
      '18.00 passes, objective -2.6245444',
    ],
  ],
  [
    'ksvd of many samples',
    { samples: 5000 },
    { method: 'ksvd', components: 8 },
    [
      'ksvd, sqrt n codes a sample',
      'ksvd 16',
      'converged after 16: objective gained at most 0.001 in 3 steps',
      '18.00 passes, objective -350.60668',
    ],
  ],
  [
    'online of more atoms',
    {},
    { method: 'online', components: 9 },
    ['online, lambda auto', 'online 50', 'exhausted after 50: 50 iterations', '51.00 passes, objective -0.20257626'],
  ],
  [
    'subgradient of many samples',
    { samples: 3000, features: 5 },
    { method: 'subgradient' },
    [
      'subgradient, atoms',
      'subgradient 236',
      'converged after 236: change 0.0e+0 \u2264 0.00001',
      '237.0 passes, objective -0.23259284',
      'not certified',
    ],
  ],
];

it.each(RUNS)('%s', async (_, data, options, words) => {
  const { samples } = generate({ samples: 400, features: 6, theta: 0.3, seed: 1, ...data });
  expect(await told(samples, { seed: 1, ...options } as LearnOptions)).toEqual(words);
});

it('no method is forgotten, but those that have tests of their own', () => {
  const tried = new Set(RUNS.map(([, , options]) => (options as LearnOptions).method));
  expect(METHODS.filter((name) => !tried.has(name))).toEqual(['householder', 'ml']);
});
