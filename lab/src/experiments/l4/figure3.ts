/** ‖A‖₄⁴/n along runs of MSP on the orthogonal group. */
import { lineChart } from '../../charts/line-chart.ts';
import { atLeast, mostly } from '../framework/claims.ts';
import { type Experiment, pointsOf, range } from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { GROUP, onGroup, PAPER, sharedAlong } from './l4-runs.ts';

const SIZES = [50, 100];
const LAST = 15;
const TRIALS = 20;

const runOf = sharedAlong('t', ({ n }, seed, signal) => onGroup(n, { seed }, signal));

export const figure3: Experiment = {
  name: 'figure3',
  group: GROUP,
  alone: true,
  title: 'Runs of MSP on the orthogonal group',
  source: `${PAPER}, figure 3`,
  setting: [
    'A ← polar(A∘³) from a random orthogonal A. The measure is ‖A‖₄⁴/n after t iterations. Its global maximum is 1, reached only by signed permutations.',
  ],
  parameters: ['n', 't'],
  measures: [
    { name: 'value', label: '‖A‖₄⁴/n' },
    { name: 'iterations', label: 'iterations to the maximum' },
  ],
  full: {
    points: pointsOf({ n: SIZES, t: range(0, LAST) }),
    trials: TRIALS,
    words: "The paper's sizes; the paper shows one run of each.",
  },
  quick: {
    points: pointsOf({ n: SIZES, t: range(0, LAST) }),
    trials: TRIALS,
    words: "The paper's sizes; the paper shows one run of each.",
  },
  async trial(point, seed, signal) {
    const { values, iterations } = await runOf(point, seed, signal);
    return { value: values[point.t] ?? values.at(-1)!, iterations };
  },
  charts: (summary) => [
    {
      caption: 'The normalised objective against the iterations for two dimensions',
      spec: lineChart({
        title: 'Figure 3: runs of MSP on O(n)',
        subtitle: '1 is the global maximum',
        along: 't',
        x: 'iterations',
        y: '‖A‖₄⁴/n',
        panels: [
          {
            lines: SIZES.map((n) => ({ colour: `n = ${n}`, cells: cellsOf(summary, 'value', { n }) })),
            logarithmic: false,
          },
        ],
      }),
    },
  ],
  claims: [
    atLeast('Every run ends at the global maximum.', 'value', 1 - 1e-12, 1, ({ t }) => t === LAST),
    mostly('Most runs take fewer than 10 iterations, as the one in the paper.', 'iterations', 9, 0.5),
  ],
  references: [],
  referenceWords: 'The paper draws its curves and prints no numbers.',
};
