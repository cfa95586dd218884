/** Where MSP recovers the dictionary: dimension against the number of samples, n from 100 to 1000. */
import { type Experiment, pointsOf, range } from '../framework/experiment.ts';
import { ACROSS, DIMENSION_CLAIMS } from './figure8b.ts';
import { allCores, PAPER, SHORT } from './l4-runs.ts';
import { PART, phaseMap, recoveryErrors } from './phase-transition.ts';

export const figure8c: Experiment = {
  ...PART,
  name: 'figure8c',
  aliases: ['figure8', SHORT, `${SHORT}-figure4`],
  alone: true,
  title: 'Working range: dimension from 100 to 1000 against the number of samples',
  source: `${PAPER}, figure 8(c); figure 4(b) of the short version`,
  parameters: ['theta', 'limit', 'n', 'p'],
  full: {
    points: pointsOf({ theta: [0.5], limit: [200], n: range(100, 1000, 100), p: range(10_000, 100_000, 10_000) }),
    trials: 10,
    words:
      'θ = .5, n from 100 to 1000, p from 10,000 to 100,000 and 10 trials, as in the paper. At most 200 iterations.',
  },
  quick: {
    points: [
      { theta: 0.5, limit: 150, n: 100, p: 10_000 },
      { theta: 0.5, limit: 150, n: 100, p: 20_000 },
      { theta: 0.5, limit: 150, n: 200, p: 10_000 },
    ],
    trials: 1,
    words: 'θ = .5 as in the paper, only its smallest n and p. At most 150 iterations.',
  },
  trial: async (point, seed, signal) => recoveryErrors(point, seed, signal, await allCores()),
  charts: (summary) => [phaseMap(summary, 'Figure 8(c): working range of dimension and samples', 'θ = 0.5', ACROSS)],
  claims: DIMENSION_CLAIMS,
};
