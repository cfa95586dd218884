/** ℓ∞ error of u against the number of samples, for one reflector. */

import { lineChart, type Panel } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { below, mostly, NOT_MEASURED, near } from '../framework/claims.ts';
import { stepsBetween, trend } from '../framework/curve-claims.ts';
import { type Claim, type Experiment, pointsOf, type Reference, range } from '../framework/experiment.ts';
import { cellAt, cellsOf, type Summary } from '../framework/summary.ts';
import { GROUP, PAPER, reflectorErrors } from './problem.ts';

export const RIVALS = [
  { name: 'moments', label: "the paper's Algorithm 1" },
  { name: 'ours', label: 'orthodict' },
];

export const THETAS = [0.1, 0.3, 0.5];

/** The same, also in ℓ2. */
export const RIVALS_NORMS = [
  ...RIVALS,
  { name: 'momentsNorm', label: 'Algorithm 1, ℓ2' },
  { name: 'oursNorm', label: 'orthodict, ℓ2' },
];

export const NORM_WORDS = 'ℓ∞ sees only the worst entry, ℓ2 the error as a whole.';

/** The paper's method on the paper's axes, and both on a logarithmic axis. */
export function thetaPanels(summary: Summary): Panel[] {
  const [paper, ours] = RIVALS.map(({ name, label }) =>
    THETAS.map((theta) => ({ colour: `θ = ${theta}`, stroke: label, cells: cellsOf(summary, name, { theta }) })),
  );
  return [
    { title: 'as in the paper', lines: paper, logarithmic: false },
    { title: 'and orthodict, logarithmic', lines: [...paper, ...ours], logarithmic: true },
  ];
}

/** Where the zeros of the codes determine the exact answer. */
export const sparseAndMany = ({ theta, p }: Readonly<Record<string, number>>) => p >= 18 && theta <= 0.3;

const MEASURED_ELSEWHERE: ReadonlyArray<readonly [theta: number, errors: readonly number[]]> = [
  [0.1, [0.164, 0.09, 0.082, 0.052]],
  [0.3, [0.061, 0.039, 0.033, 0.025]],
  [0.5, [0.029, 0.022, 0.019, 0.015]],
];

export const references: Reference[] = MEASURED_ELSEWHERE.flatMap(([theta, errors]) =>
  [2, 6, 10, 18].map((p, k) => ({ point: { n: 1000, theta, p }, measure: 'moments', value: errors[k] })),
);

/** Fewer samples with denser codes do as well as more with sparser ones. */
const fewerSamples: Claim = {
  words: '"Sample complexity reduces with an increase in θ": 6 samples at θ = .3 have a lower error than 18 at θ = .1.',
  check(summary) {
    const [dense, sparse] = [
      { theta: 0.3, p: 6 },
      { theta: 0.1, p: 18 },
    ].map((point) => cellAt(summary, 'moments', point));
    if (!dense || !sparse) return NOT_MEASURED;
    const measured = `${formatFigure(dense.median)} against ${formatFigure(sparse.median)}`;
    return { holds: dense.median < sparse.median, measured };
  },
};

export const householderFigure3: Experiment = {
  name: 'householder-figure3',
  group: GROUP,
  title: 'Error of a single reflector against the number of samples',
  source: `${PAPER}, figure 3`,
  setting: [
    'Samples Y = H X, one reflector, entries of u uniform and normalised, codes Bernoulli(θ) × Uniform[1, 2], no noise. Both methods are given θ and μ.',
    `The errors are the ℓ∞ and the ℓ2 error of u, up to sign. ${NORM_WORDS}`,
    "The paper's text does not give its θ. The error is in proportion to √Var x/θ: from θ = .5 to .3 by a factor of 1.5, from .3 to .1 by 2, and by more with very few samples, when it is far from normal.",
  ],
  parameters: ['n', 'theta', 'p'],
  measures: RIVALS_NORMS,
  full: {
    points: pointsOf({ n: [1000], theta: THETAS, p: range(2, 18, 2) }),
    trials: 20,
    words: 'n = 1000, p = 2 … 18, as in the paper.',
  },
  quick: {
    points: pointsOf({ n: [1000], theta: THETAS, p: [2, 6, 18] }),
    trials: 20,
    words: 'n = 1000 as in the paper, fewer p.',
  },
  trial: reflectorErrors,
  charts: (summary) => [
    {
      caption: 'Error of u against the number of samples, for three sparsity levels and two methods',
      spec: lineChart({
        title: 'Figure 3: error of a single reflector against the number of samples',
        subtitle: `n = ${summary.points[0].n}; medians and the middle 80 % of the trials; 1e-16 is rounding`,
        along: 'p',
        x: 'number of samples p',
        y: 'ℓ∞ error of u',
        panels: thetaPanels(summary),
      }),
    },
  ],
  claims: [
    near('The errors of Algorithm 1 are within 25 % of the reference values.', references, 0.25),
    trend('"The error decreases with an increase in the number of columns", at every θ.', 'moments', 'p', 'falls'),
    stepsBetween(
      '"The error when θ is lower is … higher than the corresponding error for larger values of θ, which is consistent with Theorem 1", at every p.',
      'moments',
      'theta',
      [1, Number.POSITIVE_INFINITY],
    ),
    stepsBetween(
      'The error with lower θ is "slightly higher": by a factor below 1.5 from one θ to the next.',
      'moments',
      'theta',
      [1, 1.5],
    ),
    fewerSamples,
    mostly(
      'orthodict is exact, to 1e-10, with 18 samples and θ ≤ .3 in at least 9 of 10 trials.',
      'ours',
      1e-10,
      0.9,
      sparseAndMany,
    ),
    below('With 18 samples orthodict is better than Algorithm 1 at every θ.', 'ours', ['moments'], ({ p }) => p >= 18),
    below('In ℓ2 orthodict is better than Algorithm 1 everywhere.', 'oursNorm', ['momentsNorm']),
  ],
  references,
  referenceWords:
    'The paper draws its curves and prints no numbers; the reference values, means of 20 trials, come from an independent program that implements its formulas.',
  compared: { paper: 'moments', ours: 'ours' },
};
