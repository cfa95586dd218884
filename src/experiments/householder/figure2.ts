/** ‖V − V̂‖_F against the number of samples, for ten reflectors. */
import { lineChart } from '../charts/line-chart.ts';
import { below, mostly, trend } from '../framework/claims.ts';
import { type Experiment, pointsOf, range } from '../framework/experiment.ts';
import { dictionaryErrors, GROUP, PAPER } from './contenders.ts';
import { CONTENDER_WORDS, CONTENDERS, contenderPanels } from './figure1.ts';

export const householderFigure2: Experiment = {
  name: 'householder-figure2',
  group: GROUP,
  title: 'Error of the dictionary against the number of samples',
  source: `${PAPER}, figure 2`,
  setting: [
    ...CONTENDER_WORDS,
    "The paper's text has n = 200 for this figure and its caption n = 1000. The text gives a reason for the smaller size, so we use 200.",
  ],
  parameters: ['n', 'm', 'theta', 'sweeps', 'p'],
  measures: CONTENDERS,
  full: {
    points: pointsOf({ n: [200], m: [10], theta: [0.3], sweeps: [5], p: range(20, 200, 20) }),
    trials: 20,
    words: 'n = 200, m = 10, θ = .3, p = 20 … 200, as in the text of the paper (which does not give its θ).',
  },
  quick: {
    points: pointsOf({ n: [200], m: [10], theta: [0.3], sweeps: [1], p: [20, 100, 200] }),
    trials: 3,
    words:
      'n = 200, m = 10, θ = .3 as in the text of the paper (which does not give its θ), fewer p; one sweep of the spectral method instead of 5.',
  },
  trial: dictionaryErrors,
  charts: (summary) => [
    {
      caption: 'Error of the dictionary against the number of samples, for four methods',
      spec: lineChart({
        title: 'Figure 2: error of the dictionary against the number of samples',
        subtitle: `n = ${summary.points[0].n}, m = ${summary.points[0].m}, θ = ${summary.points[0].theta}; medians and the middle 80 % of the trials`,
        along: 'p',
        x: 'number of samples p',
        y: '‖V − V̂‖ (Frobenius)',
        panels: contenderPanels(summary),
      }),
    },
  ],
  claims: [
    below(
      'With few samples, p ≤ n/2, Algorithm 3 is better than Procrustes with known codes, as in the paper.',
      'moments',
      ['procrustes'],
      ({ n, p }) => p <= n / 2,
    ),
    below(
      'With p = n samples Procrustes with known codes is better than Algorithm 3.',
      'procrustes',
      ['moments'],
      ({ n, p }) => p === n,
    ),
    below("Algorithm 3 is better than Rusu's method at every p, as in the paper.", 'moments', ['spectral']),
    trend('Procrustes with known codes gets better with more samples, as in the paper.', 'procrustes', 'p', 'falls'),
    below(
      'orthodict, which is not given the codes, is better than all others wherever p < n.',
      'ours',
      ['moments', 'spectral', 'procrustes'],
      ({ n, p }) => p < n,
    ),
    mostly('orthodict recovers V to 1e-9 in at least 9 of 10 trials at every p.', 'ours', 1e-9, 0.9),
  ],
  references: [],
  referenceWords: 'The paper draws its curves and prints no numbers.',
  rivals: { paper: 'moments', ours: 'ours' },
};
