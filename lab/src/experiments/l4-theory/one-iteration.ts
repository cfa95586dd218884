/** Section 4.4: as 2k grows, MSP on the group converges with only one iteration. */

import { recoveryError } from 'orthodict';
import { createRandom, identity, polar, randomOrthogonal } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { atLeast, mostly } from '../framework/claims.ts';
import { trend } from '../framework/curve-claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { PAPER, REACHED, singleThread } from '../l4/l4-runs.ts';
import { GROUP, powered } from './orthogonal-group.ts';

const SIZES = [2, 3, 5, 10];
const NORMS = [4, 10, 20, 50, 100, 200, 400];

async function trial({ n, norm }: Point, seed: number): Promise<Measured> {
  const { kernels } = await singleThread();
  const step = (W: ReturnType<typeof identity>) => polar(powered(W, norm - 1), kernels);
  const first = step(randomOrthogonal(n, createRandom(seed, 'theory one iteration')));
  const error = (W: typeof first) => recoveryError(W, identity(n));
  return { first: error(first), second: error(step(first)) };
}

export const oneIteration: Experiment = {
  name: `${GROUP}-one-iteration`,
  group: GROUP,
  title: 'One iteration of MSP with very high norms',
  source: `${PAPER}, section 4.4`,
  setting: [
    'The paper: "if 2k → ∞, the corresponding MSP algorithm converges with only one iteration for the deterministic case!" W ← polar(W∘^(2k−1)) from a random orthogonal W. Measured is 1 − ‖W‖₄⁴/n after one step, and after two.',
    'In the limit the largest entry dominates, then the largest in the other rows and columns, and so on: the polar factor is the signed permutation of these. How high 2k must be depends on how close the competitors come: in the median little is enough, but some starts still need a second step with 2k = 400.',
  ],
  parameters: ['n', 'norm'],
  measures: [
    { name: 'first', label: 'error after one step' },
    { name: 'second', label: 'after two' },
  ],
  full: { points: pointsOf({ n: SIZES, norm: NORMS }), trials: 101, words: 'The paper has no such experiment.' },
  quick: { points: pointsOf({ n: SIZES, norm: NORMS }), trials: 15, words: 'The paper has no such experiment.' },
  trial,
  charts: (summary) => [
    {
      caption: 'Error after one step of MSP against the norm, for four dimensions',
      spec: lineChart({
        title: 'Section 4.4: error after one step of MSP with the ℓ2k norm',
        subtitle: 'medians and the middle 80 % of the trials',
        along: 'norm',
        x: '2k',
        y: '1 − ‖W‖₄⁴/n',
        xLogarithmic: true,
        panels: [
          {
            logarithmic: true,
            lines: SIZES.map((n) => ({ colour: `n = ${n}`, cells: cellsOf(summary, 'first', { n }) })),
          },
        ],
      }),
    },
  ],
  claims: [
    trend('The error after one step falls with 2k.', 'first', 'norm', 'falls'),
    mostly(
      'With 2k = 400 one step is enough in at least half of the trials.',
      'first',
      REACHED,
      0.5,
      ({ norm }) => norm === 400,
    ),
    atLeast('With ℓ4 one step is not enough in nine of ten trials.', 'first', REACHED, 0.9, ({ norm }) => norm === 4),
  ],
  references: [],
  referenceWords: 'The paper states this without numbers.',
};
