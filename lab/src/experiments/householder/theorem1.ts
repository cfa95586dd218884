/** Theorem 1: log n samples determine u, in O(np). */
import { type Line, lineChart } from '../../charts/line-chart.ts';
import { below, mostly } from '../framework/claims.ts';
import { flat, trend } from '../framework/curve-claims.ts';
import { type Experiment, type Point, pointsOf } from '../framework/experiment.ts';
import { type Cell, cellAt, cellsOf, type Summary } from '../framework/summary.ts';
import { GROUP, PAPER } from './problem.ts';
import { DELTA, FIXED, REFLECTORS, SHARE, samplesAt, theorem1Trial } from './theorem1-trial.ts';

/** The curves along n: C = 0 is a fixed number of samples. */
const CURVES = [
  { alpha: 0.5, theta: 0.3, C: 0.25 },
  { alpha: 0.5, theta: 0.3, C: 1 },
  { alpha: 0.3, theta: 0.3, C: 1 },
  { alpha: 0.5, theta: 0.3, C: 0 },
];
/** Other θ, in the full grid. */
const THETAS = [
  { alpha: 0.5, theta: 0.1, C: 0.25 },
  { alpha: 0.5, theta: 0.5, C: 1 },
];

const along = (curves: readonly Point[], n: readonly number[]): Point[] =>
  curves.flatMap(({ alpha, theta, C }) => pointsOf({ alpha: [alpha], theta: [theta], C: [C], n }));

const nameOf = ({ alpha, C }: Point) =>
  `α = ${alpha}, ${C === 0 ? `p = ${FIXED}` : `p = ${C === 1 ? '' : C} log n/(θμ)²`}`;

const linesOf = (summary: Summary, measure: string, stroke?: string): Line[] =>
  CURVES.map((curve) => ({
    colour: nameOf(curve),
    ...(stroke !== undefined && { stroke }),
    cells: cellsOf(summary, measure, curve),
  }));

/** Seconds against np, from nanoseconds per number and step. */
function secondsLine(summary: Summary, measure: string, colour: string, steps: number): Line {
  const cells = cellsOf(summary, measure, { alpha: 0.5, theta: 0.3, C: 1 }).map((cell): Cell => {
    const numbers = cell.point.n * samplesAt(cell.point);
    const [median, low, high] = [cell.median, cell.low, cell.high].map((value) => 1e-9 * value * numbers * steps);
    return { ...cell, point: { ...cell.point, np: numbers }, median, low, high };
  });
  return { colour, cells: cells.sort((a, b) => a.point.np - b.point.np) };
}

const asTold = ({ C }: Point) => C > 0;
const large = ({ n }: Point) => n >= 1000;

export const householderTheorem1: Experiment = {
  name: 'householder-theorem1',
  group: GROUP,
  title: 'Theorem 1: a reflector from log n samples',
  source: `${PAPER}, Theorem 1, its proof, and the complexities of Algorithms 1 and 3`,
  alone: true,
  setting: [
    `Theorem 1: if c = Σu = Ω(n^α) with α > 1/4, u_i c is bounded and p > C log n/(θμ)², Algorithm 1 recovers u with P(‖u − û‖∞ > t) → 0. Samples Y = H X, codes Bernoulli(θ) × Uniform[1, 2]. With α = 1/2, u has uniform entries, so c ≈ .87 √n and u_i c ≤ 1.5; with α = .3 it has n^.6 equal entries, so c = n^.3 and u_i c ≤ 1. C = 0 stands for p = ${FIXED} at every n.`,
    `The bound is that of the proof: equations (3) and (4), the sum in which they are used, and the union over n entries, solved for the t that is exceeded with probability δ = ${DELTA}: √(log(4n/δ)/2c²θ²μ²p) (its other term is smaller here). Two constants of the proof do not follow from Hoeffding's inequality. It uses that codes have a range of 1, but they are 0 or in [1, 2], a range of 2: (3) and (4) must have 2 where they have 8 in the exponent. And (3) also lacks a division by n, because the column sums of H have n as the sum of their squares. (4) as printed is indeed exceeded at θ = .3 and .5, where the variance of a code (.50, .60) is at least twice the 1/4 that a range of 1 allows, and |c² − ĉ²| grows with √n. The theorem survives: |c − ĉ| = |c² − ĉ²|/(c + ĉ) does not grow, since c² is of order n (in general α > 1/4 is just what makes ĉ/c → 1), and the bound with the right constants is twice as large (3.3 and 2.4 times at n = 100 and 1000 with α = .3).`,
    `Since u_i c is bounded, entries of u are of size 1/c, and c·‖u − û‖∞ is the error relative to them. It is this that log n samples keep from growing. The plain ℓ∞ error falls like 1/c even with ${FIXED} samples at every n.`,
    `Algorithm 1 makes np additions and about 4n further operations. Algorithm 3 as listed averages and reflects all samples in each of m steps, 5nmp operations; orthodict averages once and reflects the mean, np + 5nm. Times are nanoseconds per number of Y, and per number of Y and step for m = ${REFLECTORS}, on one thread, the fastest of three runs (of one where Y has more than a million numbers). They include what does not depend on n, which shows at n = 100.`,
  ],
  parameters: ['alpha', 'theta', 'C', 'n'],
  measures: [
    { name: 'samples', label: 'p' },
    { name: 'error', label: '‖u − û‖∞' },
    { name: 'printed', label: 'bound' },
    { name: 'corrected', label: 'bound, right constants' },
    { name: 'relative', label: 'c·‖u − û‖∞' },
    { name: 'overPrinted', label: 'error/bound' },
    { name: 'overCorrected', label: 'error/bound, right constants' },
    { name: 'entries', label: 'entries beyond (4)' },
    { name: 'entriesCorrected', label: 'entries beyond (4), right constant' },
    { name: 'square', label: '|c² − ĉ²|/t of (3)' },
    { name: 'sum', label: '|c − ĉ|/t of (3)' },
    { name: 'time1', label: 'Algorithm 1, ns per np' },
    { name: 'time3', label: 'Algorithm 3 as listed, ns per nmp' },
    { name: 'timeOurs', label: 'orthodict, ns per nmp' },
  ],
  full: {
    points: along([...CURVES, ...THETAS], [100, 300, 1000, 3000, 10_000, 30_000, 100_000]),
    trials: 20,
    words: 'n = 100 … 10⁵; the paper has no figure of this.',
  },
  quick: {
    points: along(CURVES, [100, 1000, 10_000]),
    trials: 10,
    words: 'n = 100 … 10⁴, θ = .3; the paper has no figure of this.',
  },
  trial: theorem1Trial,
  charts: (summary) => [
    {
      caption: 'Error of u against n, with the bound of the proof, and the same relative to the entries of u',
      spec: lineChart({
        title: 'Theorem 1: error of Algorithm 1 against the number of features',
        subtitle: `θ = 0.3; medians and the middle 80 % of the trials; the bound holds with probability ${1 - DELTA}`,
        along: 'n',
        x: 'number of features n',
        xLogarithmic: true,
        y: 'ℓ∞ error of u',
        panels: [
          {
            title: 'ℓ∞ error, and the bound on it',
            lines: [...linesOf(summary, 'printed', 'bound of the proof'), ...linesOf(summary, 'error', 'measured')],
            logarithmic: true,
          },
          {
            title: 'relative to the size of entries, 1/c',
            y: 'c · ℓ∞ error of u',
            lines: linesOf(summary, 'relative', 'measured'),
            logarithmic: false,
          },
        ],
      }),
    },
    {
      suffix: '-time',
      caption: 'Seconds of Algorithm 1 and of Algorithm 3 with ten reflectors against the number of entries of Y',
      spec: lineChart({
        title: 'Time of Algorithms 1 and 3 against the size of Y',
        subtitle: 'θ = 0.3, α = 0.5, p = log n/(θμ)²; medians and the middle 80 % of the trials',
        along: 'np',
        x: 'numbers in Y, np',
        xLogarithmic: true,
        y: 'seconds',
        panels: [
          {
            lines: [
              secondsLine(summary, 'time1', 'Algorithm 1', 1),
              secondsLine(summary, 'time3', `Algorithm 3 as listed, m = ${REFLECTORS}`, REFLECTORS),
              secondsLine(summary, 'timeOurs', `Algorithm 3 of orthodict, m = ${REFLECTORS}`, REFLECTORS),
            ],
            logarithmic: true,
          },
        ],
      }),
    },
  ],
  claims: [
    trend('"P(‖u − û‖∞ > t) → 0": with p = C log n/(θμ)² the error falls as n grows.', 'error', 'n', 'falls', asTold),
    flat(
      'Relative to the entries of u the error stays the same, within a factor of 1.5, with p = C log n/(θμ)².',
      'relative',
      'n',
      1.5,
      asTold,
    ),
    trend(
      `Relative to the entries of u the error grows with n at p = ${FIXED}.`,
      'relative',
      'n',
      'rises',
      ({ C }) => C === 0,
    ),
    mostly('The bound of the proof holds: at least 9 of 10 trials are within it.', 'overPrinted', 1, 0.9),
    mostly('The same with the right constants.', 'overCorrected', 1, 0.9),
    mostly(
      'Equation (4) as printed holds: in most trials at most 2 exp(−4) = 3.7 % of the entries are beyond its t.',
      'entries',
      SHARE,
      0.5,
    ),
    mostly('Equation (4) with the right constant holds: the same at its t.', 'entriesCorrected', SHARE, 0.5),
    mostly(
      'Equation (3), second inequality, as printed: |c² − ĉ²| is within its t in 9 of 10 trials.',
      'square',
      1,
      0.9,
    ),
    mostly(
      'Equation (3) as a bound on |c − ĉ|: within its t in 9 of 10 trials where c is of order √n.',
      'sum',
      1,
      0.9,
      ({ alpha }) => alpha === 0.5,
    ),
    flat(
      'Algorithm 1 costs O(np): time per number of Y within a factor of 4 from n = 1000 on.',
      'time1',
      'n',
      4,
      large,
    ),
    flat(
      'Algorithm 3 as listed costs O(nmp): time per number and step within a factor of 4 from n = 1000 on.',
      'time3',
      'n',
      4,
      large,
    ),
    below(
      'Reflecting the mean instead of the samples takes less than half the time from n = 1000 and p = 30 on.',
      'timeOurs',
      ['time3'],
      (point) => large(point) && samplesAt(point) >= 30,
      0.5,
    ),
  ],
  references: [],
  referenceWords: 'The paper has no numbers for this.',
  gain: (summary) => {
    const point = CURVES[1];
    const [first, last] = [100, Math.max(...summary.points.map(({ n }) => n))].map((n) =>
      cellAt(summary, 'error', { ...point, n }),
    );
    if (!first || !last) return '';
    const p = [first, last].map((cell) => samplesAt(cell.point));
    return `From n = ${first.point.n} to n = ${last.point.n} the number of samples grows from ${p[0]} to ${p[1]}, and the error falls by a factor of ${(first.median / last.median).toFixed(1)} (α = 0.5, θ = 0.3, C = 1).`;
  },
};
