/** Where MSP recovers the dictionary: dimension against the number of samples, n ≤ 100. */
import { type Experiment, type Point, pointsOf, range } from '../framework/experiment.ts';
import { PAPER, SHORT, singleThread } from './l4-runs.ts';
import { boundary, PART, phaseMap, RANGE_CLAIMS, recoveryErrors } from './phase-transition.ts';

/** p/n²: enough samples from the first value on, too few up to the second. */
const ENOUGH = 2;
const TOO_FEW = 0.5;
const ratio = ({ n, p }: Point): number => p / n ** 2;

export const DIMENSION_CLAIMS = [
  boundary(
    `MSP recovers the dictionary wherever p ≥ ${ENOUGH} n²: p of the order n² suffices, as in the paper.`,
    true,
    (point) => ratio(point) >= ENOUGH,
  ),
  boundary(
    `It fails wherever p ≤ n²/${1 / TOO_FEW}: p of the order n² is necessary.`,
    false,
    (point) => ratio(point) <= TOO_FEW,
  ),
  ...RANGE_CLAIMS,
];

export const ACROSS = { name: 'n', words: 'dimension n' };

export const figure8b: Experiment = {
  ...PART,
  name: 'figure8b',
  aliases: ['figure8', SHORT, `${SHORT}-figure4`],
  title: 'Working range: dimension up to 100 against the number of samples',
  source: `${PAPER}, figure 8(b); figure 4(a) of the short version`,
  parameters: ['theta', 'limit', 'n', 'p'],
  full: {
    points: pointsOf({ theta: [0.5], limit: [400], n: range(10, 100, 10), p: range(1000, 10_000, 1000) }),
    trials: 10,
    words: 'θ = .5, n from 10 to 100, p from 1000 to 10,000 and 10 trials, as in the paper. At most 400 iterations.',
  },
  quick: {
    points: pointsOf({ theta: [0.5], limit: [150], n: [10, 30, 50, 70], p: [1000, 2000, 5000, 10_000] }),
    trials: 1,
    words: 'θ = .5 as in the paper, fewer n and p. At most 150 iterations.',
  },
  trial: async (point, seed, signal) => recoveryErrors(point, seed, signal, await singleThread()),
  charts: (summary) => [phaseMap(summary, 'Figure 8(b): working range of dimension and samples', 'θ = 0.5', ACROSS)],
  claims: DIMENSION_CLAIMS,
};
