/** ‖V − V̂‖_F against the number of reflectors, with few samples. */
import { lineChart, type Panel } from '../charts/line-chart.ts';
import { below, mostly, near, trend } from '../framework/claims.ts';
import { type Experiment, pointsOf, type Reference, range } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { dictionaryErrors, GROUP, PAPER } from './contenders.ts';

export const CONTENDERS = [
  { name: 'moments', label: "the paper's Algorithm 3" },
  { name: 'spectral', label: "Rusu's spectral method" },
  { name: 'procrustes', label: 'Procrustes, codes known' },
  { name: 'ours', label: 'orthodict' },
];

export const CONTENDER_WORDS = [
  `Samples Y = H_1 … H_m X, entries of u uniform and normalised, codes Bernoulli(θ) × Uniform[1, 2], no noise. Algorithm 3 starts from I and is given θ and μ;
Rusu's method starts from I and makes a few sweeps (column sweeps of the raw trials; 50 sweeps change its error by a tenth at most); Procrustes is given X and leaves V random outside the span of X;
orthodict runs with its default options and is given only m.`,
  'The error is ‖V − V̂‖_F.',
];

const at = (m: number, measure: string, value: number): Reference => ({
  point: { n: 1000, p: 20, theta: 0.3, m },
  measure,
  value,
});

const references = [at(1, 'moments', 0.57), at(5, 'moments', 2.2), at(10, 'moments', 3.2), at(1, 'procrustes', 44.2)];

/** The paper's contenders on the paper's axes, and all of them on a logarithmic axis. */
export function contenderPanels(summary: Summary): Panel[] {
  const lines = CONTENDERS.map(({ name, label }) => ({ colour: label, cells: cellsOf(summary, name) }));
  return [
    { title: 'as in the paper', lines: lines.slice(0, -1), logarithmic: false },
    { title: 'and orthodict, logarithmic', lines, logarithmic: true },
  ];
}

export const householderFigure1: Experiment = {
  name: 'householder-figure1',
  group: GROUP,
  title: 'Error of the dictionary against the number of reflectors',
  source: `${PAPER}, figure 1`,
  setting: CONTENDER_WORDS,
  parameters: ['n', 'p', 'theta', 'sweeps', 'm'],
  measures: CONTENDERS,
  full: {
    points: pointsOf({ n: [1000], p: [20], theta: [0.3], sweeps: [5], m: range(1, 10) }),
    trials: 20,
    words: 'n = 1000, p = 20, θ = .3, m = 1 … 10, as in the paper (which does not give its θ).',
  },
  quick: {
    points: pointsOf({ n: [1000], p: [20], theta: [0.3], sweeps: [1], m: [1, 5, 10] }),
    trials: 3,
    words:
      'n = 1000, p = 20, θ = .3 as in the paper (which does not give its θ), fewer m; one sweep of the spectral method instead of 5.',
  },
  trial: dictionaryErrors,
  charts: (summary) => [
    {
      caption: 'Error of the dictionary against the number of reflectors, for four methods',
      spec: lineChart({
        title: 'Figure 1: error of the dictionary against the number of reflectors',
        subtitle: `n = ${summary.points[0].n}, p = ${summary.points[0].p}, θ = ${summary.points[0].theta}; medians and the middle 80 % of the trials`,
        along: 'm',
        x: 'number of reflectors m',
        y: '‖V − V̂‖ (Frobenius)',
        panels: contenderPanels(summary),
      }),
    },
  ],
  claims: [
    below('Algorithm 3 is better than Procrustes with known codes at every m, as in the paper.', 'moments', [
      'procrustes',
    ]),
    below("Algorithm 3 is better than Rusu's method at every m, as in the paper.", 'moments', ['spectral']),
    trend('The error of Algorithm 3 grows with m, as in the paper.', 'moments', 'm', 'rises'),
    near('Algorithm 3 and Procrustes are within 25 % of the reference values.', references, 0.25),
    below('orthodict is better than all others at every m.', 'ours', ['moments', 'spectral', 'procrustes']),
    mostly('orthodict recovers V to 1e-9 in at least 9 of 10 trials at every m.', 'ours', 1e-9, 0.9),
  ],
  references,
  referenceWords:
    'The paper draws its curves and prints no numbers; the reference values come from an independent program that implements its formulas.',
  rivals: { paper: 'moments', ours: 'ours' },
};
