/** Where MSP recovers the dictionary: sparsity against the number of samples. */
import { type Experiment, type Point, pointsOf, range } from '../framework/experiment.ts';
import { PAPER, SHORT, singleThread } from './l4-runs.ts';
import { boundary, PART, phaseMap, RANGE_CLAIMS, recoveryErrors } from './phase-transition.ts';

/** The largest number of samples in the figure. */
const MANY = 10_000;
const twentieths = range(1, 20).map((k) => k / 20);
const many = (point: Point): boolean => point.p === MANY;

export const figure8a: Experiment = {
  ...PART,
  name: 'figure8a',
  aliases: ['figure8', SHORT, `${SHORT}-figure3`],
  title: 'Working range: sparsity against the number of samples',
  source: `${PAPER}, figure 8(a); figure 3 of the short version`,
  parameters: ['n', 'limit', 'theta', 'p'],
  full: {
    points: pointsOf({ n: [50], limit: [400], theta: twentieths, p: range(500, MANY, 500) }),
    trials: 10,
    words:
      'n = 50, θ from .05 to 1, p from 500 to 10,000 (as in the caption; the text has 50,000) and 10 trials, as in the paper. At most 400 iterations.',
  },
  quick: {
    points: pointsOf({
      n: [50],
      limit: [150],
      theta: [0.1, 0.3, 0.5, 0.6, 0.7, 0.9],
      p: [500, 1000, 2000, 4000, MANY],
    }),
    trials: 1,
    words: 'n = 50 as in the paper, fewer θ and p. At most 150 iterations.',
  },
  trial: async (point, seed, signal) => recoveryErrors(point, seed, signal, await singleThread()),
  charts: (summary) => [
    phaseMap(summary, 'Figure 8(a): working range of sparsity and samples', `n = ${summary.points[0].n}`, {
      name: 'theta',
      words: 'sparsity θ',
    }),
  ],
  claims: [
    boundary(
      'With 10,000 samples MSP recovers the dictionary up to θ = .6, as in the paper.',
      true,
      (point) => many(point) && point.theta <= 0.6,
    ),
    boundary('With 10,000 samples it fails from θ = .9 on.', false, (point) => many(point) && point.theta >= 0.9),
    boundary(
      'With 1000 samples it fails from θ = .5 on: denser codes need more samples, a clear phase transition.',
      false,
      ({ theta, p }) => p <= 1000 && theta >= 0.5,
    ),
    ...RANGE_CLAIMS,
  ],
};
