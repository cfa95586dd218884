/** ℓ∞ error of u against the number of samples, with noise. */
import { below, near, trend } from './claims.ts';
import { type Experiment, pointsOf, range } from './experiment.ts';
import { GROUP, PAPER, reflectorErrors } from './householder-contenders.ts';
import { NORM_WORDS, RIVALS, RIVALS_NORMS, references, THETAS } from './householder-figure3.ts';
import { lineChart } from './line-chart.ts';
import { cellsOf, type Summary } from './summary.ts';

const LEVELS = [5, 10, 20, 30];
const CLEAN = 20;

/** What Algorithm 1 has without noise. */
const noiseless = references
  .filter(({ point }) => point.theta === 0.3)
  .map(({ point, ...rest }) => ({ ...rest, point: { ...point, snr: 30 } }));

const panelsOf = (summary: Summary) =>
  THETAS.filter((theta) => summary.points.some((point) => point.theta === theta)).map((theta) => ({
    title: `θ = ${theta}`,
    lines: RIVALS.flatMap(({ name, label }) =>
      LEVELS.map((snr) => ({ colour: `${snr} dB`, stroke: label, cells: cellsOf(summary, name, { theta, snr }) })),
    ),
  }));

export const householderFigure5: Experiment = {
  name: 'householder-figure5',
  group: GROUP,
  title: 'Error of a single reflector against the number of samples, with noise',
  source: `${PAPER}, figure 5`,
  setting: [
    'Data and methods of figure 3 with normal noise added to Y. The signal-to-noise ratio is 10 log₁₀ of the ratio of powers, θ·7/3 an entry over σ².',
    `Measured is the ℓ∞ error of u up to its sign, and beside it the ℓ2 error. ${NORM_WORDS} The paper's text does not say its levels of noise.`,
  ],
  parameters: ['n', 'theta', 'snr', 'p'],
  measures: RIVALS_NORMS,
  full: {
    points: pointsOf({ n: [1000], theta: THETAS, snr: LEVELS, p: range(2, 18, 4) }),
    trials: 20,
    words: 'n = 1000 as in the paper, p = 2 … 18 by fours.',
  },
  quick: {
    points: pointsOf({ n: [1000], theta: [0.3], snr: LEVELS, p: [2, 10, 18] }),
    trials: 3,
    words: 'n = 1000 as in the paper, θ = .3 only, fewer p.',
  },
  trial: reflectorErrors,
  charts: (summary) => [
    {
      caption: 'Error of u against the number of samples at several levels of noise, for two methods',
      spec: lineChart({
        title: 'Figure 5: error of a single reflector with noise',
        subtitle: `n = ${summary.points[0].n}; medians and the middle 80 % of the trials; colours are signal-to-noise ratios`,
        along: 'p',
        x: 'number of samples p',
        y: 'ℓ∞ error of u',
        panels: panelsOf(summary),
      }),
    },
  ],
  claims: [
    trend(
      'The error falls with the number of samples at every level of noise, as in the paper.',
      'moments',
      'p',
      'falls',
    ),
    near(
      'At 30 dB, θ = .3, Algorithm 1 is within 25 % of the reference values without noise: robust, as the paper says.',
      noiseless,
      0.25,
    ),
    below(
      `With 18 samples, from ${CLEAN} dB on, orthodict is better than Algorithm 1 wherever θ ≤ .3.`,
      'ours',
      ['moments'],
      ({ theta, snr, p }) => snr >= CLEAN && p >= 18 && theta <= 0.3,
    ),
    below(
      'In ℓ2 orthodict is never worse than Algorithm 1 by more than 10 %.',
      'oursNorm',
      ['momentsNorm'],
      undefined,
      1.1,
    ),
  ],
  references: noiseless,
  referenceWords:
    'The paper draws its curves and prints no numbers; the reference values are those of figure 3 without noise.',
  rivals: { paper: 'moments', ours: 'ours' },
};
