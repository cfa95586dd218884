/** ‖A‖_2k^2k/n along runs of MSP on the orthogonal group, for several k. */
import { lineChart } from '../../charts/line-chart.ts';
import { atLeast } from '../framework/claims.ts';
import { trend } from '../framework/curve-claims.ts';
import { type Experiment, pointsOf, range } from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { GROUP, onGroup, PAPER, SHORT, sharedAlong } from './l4-runs.ts';

export const NORMS = [4, 6, 8, 10];
const LAST = 12;

const runOf = sharedAlong('t', ({ n, norm }, seed, signal) => onGroup(n, { norm, seed }, signal));

export const figure7a: Experiment = {
  name: 'figure7a',
  group: GROUP,
  aliases: ['figure7', SHORT, `${SHORT}-figure5`],
  alone: true,
  title: 'MSP with higher norms on the orthogonal group',
  source: `${PAPER}, figure 7(a); figure 5(a) of the short version`,
  setting: [
    'A ← polar(A∘⁽²ᵏ⁻¹⁾), which maximises ‖A‖₂ₖ²ᵏ, from the same random orthogonal A for every k. The measures are ‖A‖₂ₖ²ᵏ/n after t iterations and the iterations to a signed permutation (1 − ‖A‖₄⁴/n ≤ 1e-6). The paper does not give its n.',
  ],
  parameters: ['n', 'norm', 't'],
  measures: [
    { name: 'value', label: '‖A‖₂ₖ²ᵏ/n' },
    { name: 'iterations', label: 'iterations to a signed permutation' },
  ],
  full: { points: pointsOf({ n: [50], norm: NORMS, t: range(0, LAST) }), trials: 5, words: 'n = 50.' },
  quick: {
    points: pointsOf({ n: [50], norm: NORMS, t: range(0, LAST) }),
    trials: 1,
    words: 'n = 50, one start.',
  },
  async trial(point, seed, signal) {
    const { values, iterations } = await runOf(point, seed, signal);
    return { value: values[point.t] ?? values.at(-1)!, iterations };
  },
  charts: (summary) => [
    {
      caption: 'The normalised objective against the iterations for four norms',
      spec: lineChart({
        title: 'Figure 7(a): MSP with ℓ2k norms on O(n)',
        subtitle: `n = ${summary.points[0].n}, the same start for all norms; medians and the middle 80 % of the trials`,
        along: 't',
        x: 'iterations',
        y: '‖A‖ to the power 2k, over n',
        panels: [
          {
            lines: NORMS.map((norm) => ({ colour: `2k = ${norm}`, cells: cellsOf(summary, 'value', { norm }) })),
            logarithmic: false,
          },
        ],
      }),
    },
  ],
  claims: [
    atLeast('Every norm ends at its global maximum.', 'value', 1 - 1e-12, 1, ({ t }) => t === LAST),
    trend('Higher norms take fewer iterations, as in the paper.', 'iterations', 'norm', 'falls'),
  ],
  references: [],
  referenceWords: 'The paper draws its curves and prints no numbers.',
};
