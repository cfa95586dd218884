/** ℓ∞ error of u against the number of samples, with noise. */
import { type Line, lineChart, type Panel } from '../../charts/line-chart.ts';
import { below, near } from '../framework/claims.ts';
import { flat, trend } from '../framework/curve-claims.ts';
import { type Chart, type Experiment, pointsOf, range } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { NORM_WORDS, RIVALS, RIVALS_NORMS, references, THETAS } from './figure3.ts';
import { GROUP, PAPER, reflectorErrors } from './problem.ts';

const LEVELS = [5, 10, 20, 30];
const CLEAN = 20;

/** The errors of Algorithm 1 without noise. */
const noiseless = references
  .filter(({ point }) => point.theta === 0.3)
  .map(({ point, ...rest }) => ({ ...rest, point: { ...point, snr: 30 } }));

const linesOf = (summary: Summary, measure: string, stroke: string, theta: number): Line[] =>
  LEVELS.map((snr) => ({ colour: `${snr} dB`, stroke, cells: cellsOf(summary, measure, { theta, snr }) }));

const paperPanels = (summary: Summary): Panel[] =>
  THETAS.filter((theta) => summary.points.some((point) => point.theta === theta)).map((theta) => ({
    title: `θ = ${theta}`,
    lines: linesOf(summary, 'moments', RIVALS[0].label, theta),
    logarithmic: false,
  }));

/** Both methods in both norms, at the θ that every grid contains. */
const rivalPanels = (summary: Summary): Panel[] =>
  [
    { y: 'ℓ∞ error of u', measures: ['moments', 'ours'] },
    { y: 'ℓ2 error of u', measures: ['momentsNorm', 'oursNorm'] },
  ].map(({ y, measures }) => ({
    title: 'θ = 0.3',
    y,
    lines: measures.flatMap((measure, k) => linesOf(summary, measure, RIVALS[k].label, 0.3)),
    logarithmic: false,
  }));

const chartOf = (summary: Summary, suffix: string, title: string, panels: readonly Panel[]): Chart => ({
  suffix,
  caption: title,
  spec: lineChart({
    title,
    subtitle: `n = ${summary.points[0].n}; medians and the middle 80 % of the trials; colours are signal-to-noise ratios`,
    along: 'p',
    x: 'number of samples p',
    y: 'ℓ∞ error of u',
    panels,
  }),
});

export const householderFigure5: Experiment = {
  name: 'householder-figure5',
  group: GROUP,
  title: 'Error of a single reflector against the number of samples, with noise',
  source: `${PAPER}, figure 5`,
  setting: [
    'Data and methods as in figure 3, with normal noise added to Y. The signal-to-noise ratio is 10 log₁₀ of the ratio of powers per entry, θ·7/3 over σ².',
    `The errors are the ℓ∞ and the ℓ2 error of u, up to sign. ${NORM_WORDS} The paper's text does not give its noise levels.`,
  ],
  parameters: ['n', 'theta', 'snr', 'p'],
  measures: RIVALS_NORMS,
  full: {
    points: pointsOf({ n: [1000], theta: THETAS, snr: LEVELS, p: range(2, 18, 4) }),
    trials: 20,
    words: 'n = 1000 as in the paper, p = 2 … 18 in steps of 4.',
  },
  quick: {
    points: pointsOf({ n: [1000], theta: [0.3], snr: LEVELS, p: [2, 10, 18] }),
    trials: 3,
    words: 'n = 1000 as in the paper, θ = .3 only, fewer p.',
  },
  trial: reflectorErrors,
  charts: (summary) => [
    chartOf(summary, '', 'Figure 5: error of a single reflector with noise', paperPanels(summary)),
    chartOf(summary, '-orthodict', 'Figure 5 with orthodict: error in ℓ∞ and in ℓ2', rivalPanels(summary)),
  ],
  claims: [
    trend('The error falls with the number of samples at every level of noise.', 'moments', 'p', 'falls'),
    flat(
      '"The algorithm is relatively robust to noise": from 30 dB to 5 dB its error grows by a factor below 1.5.',
      'moments',
      'snr',
      1.5,
    ),
    near('At 30 dB, θ = .3, Algorithm 1 is within 25 % of the reference values without noise.', noiseless, 0.25),
    below(
      `With 18 samples, from ${CLEAN} dB on, orthodict has less than half the error of Algorithm 1 at every θ, in ℓ∞.`,
      'ours',
      ['moments'],
      ({ snr, p }) => snr >= CLEAN && p >= 18,
      0.5,
    ),
    below(
      'In ℓ∞ orthodict is never worse than Algorithm 1 by more than 5 %, what its worst entry varies by.',
      'ours',
      ['moments'],
      undefined,
      1.05,
    ),
    below('In ℓ2 orthodict is better than Algorithm 1 everywhere.', 'oursNorm', ['momentsNorm']),
  ],
  references: noiseless,
  referenceWords:
    'The paper draws its curves and prints no numbers; the reference values are those of figure 3 without noise.',
  compared: { paper: 'moments', ours: 'ours' },
};
