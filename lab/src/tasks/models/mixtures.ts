/**
 * Mixtures: samples of spherical clusters with random means and weights. The score is the distance of the worst mean from the true
 * one, in standard deviations of a cluster.
 */
import { generateMixture, metrics } from 'orthodict';
import { learnMixture } from 'orthodict/node';
import { libraryCall } from '../../contenders/library-call.ts';
import { pythonFit } from '../../contenders/python-contender.ts';
import type { ModelTask } from './model-task.ts';

interface Shape {
  readonly clusters: number;
  readonly features: number;
  readonly samples: number;
  /** Standard deviation of the entries of the means, that of the clusters being 1. */
  readonly spread: number;
}

const sklearn = (clusters: number, starts: number) =>
  pythonFit(
    `scikit-learn GaussianMixture${starts > 1 ? `, ${starts} starts` : ''}`,
    `
from sklearn.mixture import GaussianMixture
def fit(given, seed):
    model = GaussianMixture(${clusters}, covariance_type='spherical', max_iter=2000, n_init=${starts}, random_state=seed)
    return dict(means=model.fit(given['samples']).means_)
`,
  );

const task = (words: string, timeBar: 1 | 2, { clusters, ...shape }: Shape, reason?: string): ModelTask => ({
  group: 'Mixtures',
  data: `${words}: ${clusters} clusters, n = ${shape.features}, p = ${shape.samples.toLocaleString('en-US')}`,
  objective: 'worst mean, in standard deviations',
  timeBar,
  ...(reason && { reason }),
  contenders: [
    libraryCall('orthodict mixture', async ({ samples }, seed, signal) => {
      const { means } = await learnMixture(samples, { clusters, seed }, { signal });
      return { means };
    }),
    sklearn(clusters, 1),
    sklearn(clusters, 10),
  ],
  async deal(seed) {
    const { samples, means } = generateMixture({ ...shape, clusters, seed });
    return { given: { samples }, score: (found) => metrics.matchRows(found.means, means, 'l2').maxDistance };
  },
});

export const mixtureTasks: readonly ModelTask[] = [
  task(
    'overlapping',
    2,
    { clusters: 5, features: 10, samples: 5000, spread: 0.7 },
    'In so few rounds scores differ by chance: over 40 others the medians are .157 and .163, the means .164 and .213. Several starts take longer than one.',
  ),
  task('many', 2, { clusters: 20, features: 50, samples: 10_000, spread: 1 }),
  task('large', 1, { clusters: 20, features: 50, samples: 100_000, spread: 1 }),
];
