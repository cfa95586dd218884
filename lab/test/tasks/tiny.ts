/** A benchmark so small that every contender can finish: data, and contenders of the tests themselves. */

import { fromRows, generate, learn } from 'orthodict';
import { identity } from 'orthodict/extend';
import type { Contender } from '#lab/contenders/contender.ts';
import { libraryCall } from '#lab/contenders/library-call.ts';
import { pythonFit } from '#lab/contenders/python-contender.ts';
import type { ModelTask } from '#lab/tasks/models/model-task.ts';
import type { RealSet } from '#lab/tasks/real/real-sets.ts';
import type { DataSet } from '#lab/tasks/recovery/data-sets.ts';
import { testSeed } from '../../../test/helpers/seed.ts';

/** Enough samples for ℓ4 maximisation to get below 0.5 %. */
export const set: DataSet = {
  features: 8,
  samples: 4000,
  theta: 0.3,
  seed: testSeed(1),
  mostRuns: 1,
  limitSeconds: 120,
};
export const absent: Contender = {
  name: 'absent',
  ours: false,
  open: async () => ({ missing: 'nowhere to be found' }),
};

/** Another program that is here on every machine, and reaches the targets with its second dictionary, after 2 seconds. */
export const present: Contender = {
  name: 'present',
  ours: false,
  open: async () => ({
    description: 'a contender of this test',
    run: async ({ given: { samples } }) => [
      { seconds: 1, found: { atoms: identity(samples.cols) } },
      { seconds: 2, found: { atoms: (await learn(samples)).dictionary.atoms } },
    ],
    close: async () => {},
  }),
};

/** Real data so small that the batches of others hold all of it, and data that is not here. */
export const realSets: RealSet[] = [
  {
    name: 'small',
    samples: 300,
    features: 8,
    kept: 3,
    within: 0.05,
    mostPasses: 20,
    mostRuns: 1,
    limitSeconds: 120,
    async read() {
      const { samples } = generate({ samples: 600, features: 8, theta: 0.3, noise: 0.1, seed: testSeed(1) });
      const part = (start: number) => ({
        ...samples,
        rows: 300,
        data: Float64Array.from(samples.data.subarray(start * 8, (start + 300) * 8)),
      });
      return { training: part(0), heldOut: part(300) };
    },
  },
];
export const elsewhere: RealSet = { ...realSets[0], name: 'elsewhere', missing: () => 'not installed' };

/** A guess of the seed, which is given: the score is how far off it is. */
export const guess: ModelTask = {
  group: 'Guessing',
  data: 'a number',
  objective: 'distance',
  timeBar: 2,
  contenders: [
    libraryCall('ours', async ({ truth }) => ({ guess: fromRows([[truth.data[0] + 1]]) })),
    libraryCall('ours, failing', () => Promise.reject(new Error('no idea'))),
    pythonFit('near', 'def fit(given, seed):\n    return dict(guess=given["truth"] + 2)\n'),
    pythonFit('far', 'def fit(given, seed):\n    return dict(guess=given["truth"] + 10 * seed)\n', 1),
  ],
  deal: async (seed) => ({
    given: { truth: fromRows([[seed]]) },
    score: ({ guess: { data } }) => Math.abs(data[0] - seed),
  }),
};
