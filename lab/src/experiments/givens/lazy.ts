/** Algorithm 6, lazy evaluation of a moment tensor, against the dense tensor: cost of a step, and the same steps. */

import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { below, mostly } from '../framework/claims.ts';
import { powerLaw } from '../framework/curve-claims.ts';
import { type Experiment, pointsOf } from '../framework/experiment.ts';
import { cellAt, cellsOf, type Summary } from '../framework/summary.ts';
import { GROUP, PAPER } from './paper.ts';
import { BATCHES, COMPARED, stepCosts, TIMED } from './step-costs.ts';

/** The number of samples at which both steps cost the same, on the curve of a dimension; undefined outside the grid. */
function crossing(summary: Summary, d: number): number | undefined {
  const ratios = cellsOf(summary, 'lazy', { d }).map(({ point, median }) => {
    return [Math.log(point.p), Math.log(median / cellAt(summary, 'dense', point)!.median)] as const;
  });
  const next = ratios.findIndex(([, ratio], k) => k > 0 && ratio > 0 && ratios[k - 1][1] <= 0);
  if (next < 0) return undefined;
  const [[x0, y0], [x1, y1]] = [ratios[next - 1], ratios[next]];
  return Math.exp(x0 + ((0 - y0) * (x1 - x0)) / (y1 - y0));
}

function gain(summary: Summary): string {
  const words = [...new Set(summary.points.map(({ d }) => d))].flatMap((d) => {
    const p = crossing(summary, d);
    return p === undefined ? [] : [`p = ${formatFigure(p)} at d = ${d} (p/d² = ${formatFigure(p / d ** 2)})`];
  });
  if (words.length === 0) return 'Within this grid the costs of the two do not cross.';
  return `A step of the lazy version costs as much as one of the dense version at ${words.join(', ')}; by numbers changed, about 6d² against 2p, it would be p/d² = 3, but the lazy version also sums over the samples.`;
}

const panelsOf = (summary: Summary) =>
  [...new Set(summary.points.map(({ d }) => d))].map((d) => ({
    title: `d = ${d}`,
    lines: [
      { colour: 'lazy, Algorithm 6', cells: cellsOf(summary, 'lazy', { d }) },
      { colour: 'dense tensor', cells: cellsOf(summary, 'dense', { d }) },
    ],
    logarithmic: true,
  }));

export const givensLazy: Experiment = {
  name: 'givens-lazy',
  group: GROUP,
  alone: true, // trials are timed
  title: 'Lazy evaluation of a moment tensor: cost of a step',
  source: `${PAPER}, appendix D and algorithm 6 of the supplement`,
  setting: [
    'T = 1/p Σ_l a_l ⊗ a_l ⊗ a_l of p samples of d skewed components. The dense version keeps T, turned as U is: a step reads four entries and turns 3d² pairs of numbers. The lazy version (Algorithm 6) keeps the samples, turned as U is: a step sums the four entries over them and turns two of their components, p pairs of numbers. Both find the angle from four numbers in the same way.',
    `Numbers changed are counted: the entries of the tensor, or of the samples, that differ after a step. Seconds are of plain loops on one thread: the least of ${BATCHES} batches of ${TIMED} ms of steps in random planes, each of them turned. Forming T beforehand, which only the dense version needs, is timed separately. The largest difference is over all entries of U after every step of the first ${COMPARED} sweeps of random pairs, the same for both, from U = I.`,
  ],
  parameters: ['d', 'p'],
  measures: [
    { name: 'dense', label: 'dense: seconds per step' },
    { name: 'lazy', label: 'lazy: seconds per step' },
    { name: 'denseWritten', label: 'dense: numbers changed' },
    { name: 'lazyWritten', label: 'lazy: numbers changed' },
    { name: 'forming', label: 'dense: seconds to form T' },
    { name: 'difference', label: 'largest difference of U' },
  ],
  full: {
    points: pointsOf({ d: [5, 10, 20, 40, 80], p: [30, 100, 300, 1000, 3000, 10_000, 30_000] }),
    trials: 5,
    words: 'The paper has no experiment on this.',
  },
  quick: {
    points: pointsOf({ d: [10, 20, 40], p: [100, 1000, 3000] }),
    trials: 2,
    words: 'The paper has no experiment on this; fewer d and p.',
  },
  trial: stepCosts,
  charts: (summary) => [
    {
      caption: 'Seconds per step of the lazy and the dense version against the number of samples, for some dimensions',
      spec: lineChart({
        title: 'Algorithm 6: cost of a step',
        subtitle: 'one thread; medians and the middle 80 % of the trials',
        along: 'p',
        x: 'number of samples p',
        y: 'seconds per step',
        xLogarithmic: true,
        panels: panelsOf(summary),
      }),
    },
  ],
  claims: [
    mostly(
      'Algorithm 6 is an "alternate version" of the dense algorithm: U is the same after every step, to 1e-9.',
      'difference',
      1e-9,
      1,
    ),
    powerLaw(
      '"The computational cost of each step of this version of the algorithm is O(n) where n is the number of data samples": the numbers a step changes are proportional to p, exponent 1 within .01.',
      'lazyWritten',
      'p',
      [0.99, 1.01],
    ),
    powerLaw('They do not depend on d: exponent 0 within .01.', 'lazyWritten', 'd', [-0.01, 0.01]),
    powerLaw(
      '"This is compared to O(d²) operations for the version presented in the main text": the numbers a step changes, d³ − (d−2)³, grow as d², exponent 2 within .15.',
      'denseWritten',
      'd',
      [1.85, 2.15],
      ({ d }) => d >= 10,
    ),
    below(
      'In seconds the lazy step is the faster one with few samples, p ≤ d²/4.',
      'lazy',
      ['dense'],
      ({ d, p }) => 4 * p <= d ** 2,
    ),
    below(
      'In seconds the dense step is the faster one with many, p ≥ 8d².',
      'dense',
      ['lazy'],
      ({ d, p }) => p >= 8 * d ** 2,
    ),
  ],
  references: [],
  referenceWords: 'The paper prints no numbers.',
  gain,
};
