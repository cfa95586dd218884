/** ‖A‖₄⁴/n at the start and end of many runs of MSP on the orthogonal group. */
import { lineChart } from '../../charts/line-chart.ts';
import { atLeast, mostly } from '../framework/claims.ts';
import { type Experiment, pointsOf } from '../framework/experiment.ts';
import { cellsOf, rankedCells } from '../framework/summary.ts';
import { GROUP, onGroup, PAPER } from './l4-runs.ts';

const MEASURES = [
  { name: 'initial', label: '‖A‖₄⁴/n at the start' },
  { name: 'final', label: '‖A‖₄⁴/n at the end' },
];
const GLOBAL = 1 - 1e-12;

export const figure4: Experiment = {
  name: 'figure4',
  group: GROUP,
  title: 'Many runs of MSP on the orthogonal group',
  source: `${PAPER}, figure 4`,
  setting: ['Figure 3 from many random starts; 1 is the global maximum.'],
  parameters: ['n'],
  measures: [...MEASURES, { name: 'iterations', label: 'iterations to the maximum' }],
  full: {
    points: pointsOf({ n: [50, 100] }),
    trials: 100,
    words: "The paper's sizes and number of trials.",
  },
  quick: {
    points: pointsOf({ n: [50, 100] }),
    trials: 10,
    words: "The paper's sizes, fewer trials than its 100.",
  },
  async trial({ n }, seed, signal) {
    const { values, iterations } = await onGroup(n, { seed }, signal);
    return { initial: values[0], final: values.at(-1)!, iterations };
  },
  charts: (summary) => [
    {
      caption: 'The normalised objective at the start and at the end of every trial, for two dimensions',
      spec: lineChart({
        title: 'Figure 4: runs of MSP on O(n)',
        subtitle: 'one point per trial, each curve in ascending order; 1 is the global maximum',
        along: 'rank',
        x: 'trial',
        y: '‖A‖₄⁴/n',
        panels: summary.points.map(({ n }) => ({
          title: `n = ${n}`,
          lines: MEASURES.map(({ name, label }) => ({
            colour: label,
            cells: cellsOf(summary, name, { n }).flatMap(rankedCells),
          })),
          logarithmic: false,
        })),
      }),
    },
  ],
  claims: [
    atLeast('All trials reach the global maximum, as in the paper.', 'final', GLOBAL, 1),
    mostly('None of them starts near it.', 'initial', 0.2, 1),
    mostly('None takes more than 20 iterations.', 'iterations', 20, 1),
  ],
  references: [],
  referenceWords: 'The paper draws its trials and prints no numbers.',
};
