/**
 * Mixtures: samples of spherical clusters with random means and weights. The score is the distance of the worst mean from the true
 * one, in standard deviations of a cluster.
 */
import { generateMixture, metrics } from 'orthodict';
import { learnMixture } from 'orthodict/node';
import type { Match, PeerPlayer } from './match.ts';

interface Shape {
  readonly clusters: number;
  readonly features: number;
  readonly samples: number;
  /** Standard deviation of the entries of the means, that of the clusters being 1. */
  readonly spread: number;
}

const peer = (clusters: number, starts: number): PeerPlayer => ({
  name: `scikit-learn GaussianMixture${starts > 1 ? `, ${starts} starts` : ''}`,
  script: `
from sklearn.mixture import GaussianMixture
def fit(given, seed):
    model = GaussianMixture(${clusters}, covariance_type='spherical', max_iter=2000, n_init=${starts}, random_state=seed)
    return dict(means=model.fit(given['samples']).means_)
`,
});

const match = (words: string, timeBar: 1 | 2, { clusters, ...shape }: Shape, reason?: string): Match => ({
  group: 'Mixtures',
  data: `${words}: ${clusters} clusters, n = ${shape.features}, p = ${shape.samples.toLocaleString('en-US')}`,
  objective: 'worst mean, in standard deviations',
  timeBar,
  ...(reason && { reason }),
  ours: [
    {
      name: 'orthodict mixture',
      async fit({ samples }, seed, signal) {
        const { means } = await learnMixture(samples, { clusters, seed }, { signal });
        return { means };
      },
    },
  ],
  peers: [peer(clusters, 1), peer(clusters, 10)],
  async deal(seed) {
    const { samples, means } = generateMixture({ ...shape, clusters, seed });
    return { given: { samples }, score: (found) => metrics.matchRows(found.means, means, 'l2').maxDistance };
  },
});

export const mixtureMatches: readonly Match[] = [
  match(
    'overlapping',
    2,
    { clusters: 5, features: 10, samples: 5000, spread: 0.7 },
    'In so few games scores differ by chance: over 40 others the medians are .157 and .163, the means .164 and .213. Several starts take longer than one.',
  ),
  match('many', 2, { clusters: 20, features: 50, samples: 10_000, spread: 1 }),
  match('large', 1, { clusters: 20, features: 50, samples: 100_000, spread: 1 }),
];
