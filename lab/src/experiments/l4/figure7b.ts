/** Error of MSP with higher norms against the number of samples. */
import { recoveryError } from 'orthodict';
import { learn } from 'orthodict/node';
import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { below, mostly, NOT_MEASURED } from '../framework/claims.ts';
import { trend } from '../framework/curve-claims.ts';
import { type Claim, type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellAt, cellsOf, type Summary } from '../framework/summary.ts';
import { NORMS } from './figure7a.ts';
import { bernoulliGaussian, GROUP, PAPER, PLAIN, SHORT, singleThread } from './l4-runs.ts';

const RIVALS = [
  { name: 'error', label: "the paper's MSP" },
  { name: 'ours', label: 'orthodict' },
];

async function trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { norm } = point;
  const { samples, atoms } = bernoulliGaussian(point, seed);
  const setup = { executor: await singleThread(), signal };
  const plain = await learn(samples, { ...PLAIN, norm, seed }, setup);
  const ours = await learn(samples, { norm, seed }, setup);
  return {
    error: recoveryError(plain.dictionary.atoms, atoms),
    ours: recoveryError(ours.dictionary.atoms, atoms),
  };
}

function panelsOf(summary: Summary) {
  const [paper, ours] = RIVALS.map(({ name, label }) =>
    NORMS.map((norm) => ({ colour: `2k = ${norm}`, stroke: label, cells: cellsOf(summary, name, { norm }) })),
  );
  return [
    { title: 'as in the paper', lines: paper, logarithmic: false },
    { title: 'and orthodict, logarithmic', lines: [...paper, ...ours], logarithmic: true },
  ];
}

/** The p required grows drastically with k. */
const farFromEnough: Claim = {
  words: 'ℓ10 with 10,000 samples has a larger error than ℓ4 with 500: it needs many more samples, as in the paper.',
  check(summary) {
    const high = cellAt(summary, 'error', { norm: 10, p: 10_000 });
    const low = cellAt(summary, 'error', { norm: 4, p: 500 });
    if (!high || !low) return NOT_MEASURED;
    const [a, b] = [high, low].map(({ median }) => formatFigure(median));
    return { holds: high.median > low.median, measured: `${a} against ${b}` };
  },
};

export const figure7b: Experiment = {
  name: 'figure7b',
  group: GROUP,
  aliases: ['figure7', SHORT, `${SHORT}-figure5`],
  title: 'MSP with higher norms on data: error against the number of samples',
  source: `${PAPER}, figure 7(b); figure 5(b) of the short version`,
  setting: [
    'Samples Y = X D, D orthogonal, X Bernoulli(θ) × normal; Algorithm 2 with the power 2k − 1 instead of 3, that is, ℓ2k instead of ℓ4. The error is |1 − ‖A Dᵀ‖₄⁴/n| for every norm. The paper does not give its θ; here it is .3.',
    'orthodict runs with its default options and the same norm. Its refinement, which uses the zeros of the codes, removes the error that the norm leaves; where the zeros do not certify the atoms, it looks further by maximum likelihood.',
  ],
  parameters: ['n', 'theta', 'norm', 'p'],
  measures: RIVALS,
  full: {
    points: pointsOf({
      n: [10],
      theta: [0.3],
      norm: NORMS,
      p: [500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
    }),
    trials: 20,
    words: 'n = 10 and 20 trials as in the paper.',
  },
  quick: {
    points: pointsOf({ n: [10], theta: [0.3], norm: NORMS, p: [500, 2000, 10_000] }),
    trials: 5,
    words: 'n = 10 as in the paper, fewer p and trials.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'The error of the dictionary against the number of samples for four norms, for MSP and for orthodict',
      spec: lineChart({
        title: 'Figure 7(b): error of MSP with ℓ2k norms on data',
        subtitle: 'n = 10, θ = 0.3; medians and the middle 80 % of the trials; 1e-16 is rounding',
        along: 'p',
        x: 'number of samples p',
        xLogarithmic: true,
        y: '|1 − ‖A Dᵀ‖₄⁴/n|',
        panels: panelsOf(summary),
      }),
    },
  ],
  claims: [
    trend('The error grows with the norm at every number of samples, as in the paper.', 'error', 'norm', 'rises'),
    trend('The error falls with the number of samples for every norm.', 'error', 'p', 'falls'),
    farFromEnough,
    below('orthodict is better than MSP with the same norm everywhere.', 'ours', ['error']),
    mostly(
      'With ℓ4 and at least 1000 samples, orthodict is exact, to 1e-12, in all trials.',
      'ours',
      1e-12,
      1,
      ({ norm, p }) => norm === 4 && p >= 1000,
    ),
  ],
  references: [],
  referenceWords: 'The paper draws its curves and prints no numbers.',
  compared: { paper: 'error', ours: 'ours' },
};
