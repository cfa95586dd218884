/** Lemma 3 and proposition 10: what the ℓ4 objective and its gradient are on average. */
import { norm } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { NOT_MEASURED } from '../framework/claims.ts';
import { powerLaw } from '../framework/curve-claims.ts';
import { type Claim, type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { type Cell, cellsOf, meanOf, type Summary } from '../framework/summary.ts';
import { PAPER } from '../l4/l4-runs.ts';
import { randomAtoms, sampled } from './deviations.ts';
import { GROUP, mspStep } from './orthogonal-group.ts';
import { expectationAt } from './population.ts';

/** Steps of MSP on the group to a point half-way: independent of the samples. */
const ALONG = 2;
/** The median of |N(0, 1)|. */
const MEDIAN = 0.6745;
const PLACES = [
  { place: 'random', label: 'random A' },
  { place: 'along', label: `after ${ALONG} steps` },
  { place: 'truth', label: 'A = D' },
] as const;
/** Limit for a mean in units of its standard error: 1 in 16,000 exceeds it by chance. */
const STANDARD_ERRORS = 4;

async function trial(point: Point, seed: number): Promise<Measured> {
  const { n, p, theta } = point;
  const { data, kernels, at } = await sampled(point, seed);
  const inTruth = (A: typeof data.atoms) => kernels.multiply(A, data.atoms, 'nt');
  let W = inTruth(randomAtoms(n, seed));
  const random = kernels.multiply(W, data.atoms, 'nn');
  for (let t = 0; t < ALONG; t++) W = mspStep(W, kernels);
  const places = { random, along: kernels.multiply(W, data.atoms, 'nn'), truth: data.atoms };
  const measured = PLACES.flatMap(({ place }) => {
    const { objective, gradient, expected } = at(places[place]);
    const whole = norm(expectationAt(inTruth(places[place]), theta).gradient.data) / n;
    return [
      [`${place}Signed`, objective / expected],
      [`${place}Objective`, Math.abs(objective) / expected],
      [`${place}Gradient`, norm(gradient.data) / whole],
    ];
  });
  return { ...Object.fromEntries(measured), law: MEDIAN * Math.sqrt((105 / (9 * theta) - 1) / (n * p)) };
}

/** The mean over trials is within a few of its standard errors of zero, everywhere. */
const onAverage: Claim = {
  words: `Lemma 3: on average over the trials, f̂ is 3pθ((1 − θ) g(A Dᵀ) + θn): the mean of f̂ − f is within ${STANDARD_ERRORS} of its standard errors everywhere.`,
  check(summary) {
    const cells = PLACES.flatMap(({ place }) => cellsOf(summary, `${place}Signed`));
    const scores = cells.filter(({ values }) => values.length > 2).map(standardErrors);
    if (scores.length === 0) return NOT_MEASURED;
    const largest = Math.max(...scores);
    return {
      holds: largest <= STANDARD_ERRORS,
      measured: `at most ${formatFigure(largest)} of ${scores.length} means`,
    };
  },
};

function standardErrors(cell: Cell): number {
  const mean = meanOf(cell);
  const count = cell.values.length;
  const variance = cell.values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  return Math.abs(mean) / Math.sqrt(variance / count);
}

function panelsOf(summary: Summary) {
  const thetas = [...new Set(summary.points.map(({ theta }) => theta))];
  const panel = (theta: number) => {
    const line = (colour: string, stroke: string, measure: string) => ({
      colour,
      stroke,
      cells: cellsOf(summary, measure, { theta }),
    });
    return {
      title: `θ = ${theta}`,
      logarithmic: true,
      lines: [
        ...PLACES.map(({ place, label }) => line(label, 'objective', `${place}Objective`)),
        ...PLACES.map(({ place, label }) => line(label, 'gradient', `${place}Gradient`)),
        line('law of f̂ at A = D', 'objective', 'law'),
      ],
    };
  };
  return thetas.map(panel);
}

export const expectation: Experiment = {
  name: `${GROUP}-expectation`,
  group: GROUP,
  title: 'Expectations of the ℓ4 objective and its gradient',
  source: `${PAPER}, lemma 3 and proposition 10`,
  setting: [
    'Samples Y = X D, X Bernoulli(θ) × normal, D random orthogonal. Lemma 3: E‖Y Aᵀ‖₄⁴ = 3pθ((1 − θ) g(A Dᵀ) + θn), g = ‖·‖₄⁴. Proposition 10: E∇f̂ = 3pθ(1 − θ) ∇g(A Dᵀ) + 12pθ² A.',
    `Measured is the deviation of the sums over p samples, relative to the expectation, at three dictionaries that do not depend on the samples: a random one, the same after ${ALONG} steps of MSP on the group, and the true one. If the expectations are right, deviations are on both sides and fall as 1/√p; a wrong expectation would leave a rest.`,
    `The law of f̂ at A = D is the median that a normal deviation would have, ${MEDIAN}·√((105/(9θ) − 1)/(np)), since E x⁸ = 105θ.`,
  ],
  parameters: ['n', 'theta', 'p'],
  measures: [
    ...PLACES.map(({ place, label }) => ({ name: `${place}Objective`, label: `|f̂ − f|/f, ${label}` })),
    { name: 'law', label: 'law of f̂ at A = D' },
    ...PLACES.map(({ place, label }) => ({ name: `${place}Gradient`, label: `‖∇f̂ − ∇f‖/‖∇f‖, ${label}` })),
    ...PLACES.map(({ place, label }) => ({ name: `${place}Signed`, label: `(f̂ − f)/f, ${label}` })),
  ],
  full: {
    points: pointsOf({ n: [10, 50], theta: [0.1, 0.3, 0.5], p: [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000] }),
    trials: 50,
    words: 'The paper has no such experiment.',
  },
  quick: {
    points: pointsOf({ n: [10], theta: [0.1, 0.3, 0.5], p: [500, 2000, 8000] }),
    trials: 16,
    words: 'Only n = 10, fewer p and trials than the full form. The paper has no such experiment.',
  },
  trial,
  charts: (summary) => {
    const n = Math.max(...summary.points.map((point) => point.n));
    const cells = summary.cells.filter(({ point }) => point.n === n);
    return [
      {
        caption: 'Relative deviation of the objective and the gradient from their expectations against p',
        spec: lineChart({
          title: 'Lemma 3 and proposition 10: deviation from the expectation',
          subtitle: `n = ${n}; medians and the middle 80 % of the trials`,
          along: 'p',
          x: 'samples p',
          y: 'relative deviation',
          xLogarithmic: true,
          panels: panelsOf({ ...summary, cells }),
        }),
      },
    ];
  },
  claims: [
    onAverage,
    powerLaw(
      'Lemma 3: the deviation of f̂ at the true dictionary falls as 1/√p and leaves no rest (exponents between −.8 and −.2 of so few trials).',
      'truthObjective',
      'p',
      [-0.8, -0.2],
    ),
    ...PLACES.map(({ place, label }) =>
      powerLaw(
        `Proposition 10: the deviation of ∇f̂ falls as 1/√p and leaves no rest, ${label} (exponents between −.6 and −.4).`,
        `${place}Gradient`,
        'p',
        [-0.6, -0.4],
      ),
    ),
  ],
  references: [],
  referenceWords: 'The paper proves the statement and measures nothing.',
};
