/** Examples 1 and 2: the runs that the paper prints. */

import { recoveryError } from 'orthodict';
import { identity, maxDifference, polar } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { mostly } from '../framework/claims.ts';
import { type Experiment, type Point, pointsOf, range } from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { PAPER, REACHED, sharedAlong, singleThread } from '../l4/l4-runs.ts';
import { GROUP, powered } from './orthogonal-group.ts';
import { example1, example2 } from './printed-examples.ts';

const EXAMPLES = [example1, example2];
const LAST = 4;
/** Half a unit of the last decimal, and the same again because the start has four decimals too. */
const FOUR_DECIMALS = 1e-4;

const exampleAt = ({ example }: Point) => EXAMPLES[example - 1];

const runOf = sharedAlong('t', async (point) => {
  const { kernels } = await singleThread();
  const { norm, iterates } = exampleAt(point);
  const run = [iterates[0]];
  for (let t = 0; t < LAST; t++) run.push(polar(powered(run[t], norm - 1), kernels));
  return run;
});

const isFirst = ({ example }: Point) => example === 1;
const isSecond = ({ example }: Point) => example === 2;
const grid = { points: pointsOf({ example: [1, 2], t: range(0, LAST) }), trials: 1, words: "The paper's two starts." };

export const examples: Experiment = {
  name: `${GROUP}-examples`,
  group: GROUP,
  alone: true,
  title: 'The two runs of MSP that the paper prints',
  source: `${PAPER}, examples 1 and 2`,
  setting: [
    'A ← polar(A∘^(q−1)) on 3 × 3 matrices from the printed A₀: q = 4 in example 1, q = 10 in example 2. Measured is the largest difference of an entry from the printed one, in A_t and in the stretch A₀∘^(q−1).',
    'Example 2: the printed stretch of A₀ is right, but the printed A₁ is not its polar factor (−.1085 .1198 .9868; −.0184 .9923 −.1225; .9939 .0314 .1055), nor that of another power. The run ends where the paper says. The text after it counts six iterations for example 1; the example itself shows three.',
  ],
  parameters: ['example', 't'],
  measures: [
    { name: 'difference', label: 'largest difference of A_t from the printed' },
    { name: 'stretch', label: 'of the stretch of A₀' },
    { name: 'error', label: '1 − ‖A_t‖₄⁴/3' },
  ],
  full: grid,
  quick: grid,
  async trial(point, seed, signal) {
    const A = (await runOf(point, seed, signal))[point.t];
    const { iterates, stretch, norm } = exampleAt(point);
    const printed = iterates[point.t];
    return {
      difference: printed && maxDifference(A, printed),
      stretch: point.t === 0 ? maxDifference(powered(A, norm - 1), stretch) : undefined,
      error: recoveryError(A, identity(3)),
    };
  },
  charts: (summary) => [
    {
      caption: 'Error of the iterates of both examples',
      spec: lineChart({
        title: 'Examples 1 and 2: distance from a signed permutation',
        subtitle: 'q = 4 in example 1, q = 10 in example 2',
        along: 't',
        x: 'iterations t',
        y: '1 − ‖A_t‖₄⁴/3',
        panels: [
          {
            logarithmic: true,
            lines: [1, 2].map((example) => ({
              colour: `example ${example}`,
              cells: cellsOf(summary, 'error', { example }),
            })),
          },
        ],
      }),
    },
  ],
  claims: [
    mostly(
      'Example 1: A₁, A₂, A₃ are the printed ones to their four decimals.',
      'difference',
      FOUR_DECIMALS,
      1,
      isFirst,
    ),
    mostly('The printed stretches of both examples are right to their four decimals.', 'stretch', FOUR_DECIMALS, 1),
    mostly(
      'Example 2: A₁ is the printed one to its four decimals.',
      'difference',
      FOUR_DECIMALS,
      1,
      (point) => isSecond(point) && point.t === 1,
    ),
    mostly(
      'Example 2: A₂ is the printed signed permutation.',
      'difference',
      FOUR_DECIMALS,
      1,
      (point) => isSecond(point) && point.t === 2,
    ),
    mostly(
      'ℓ10 "finds a signed permutation matrix in only 2 iterations".',
      'error',
      REACHED,
      1,
      (point) => isSecond(point) && point.t === 2,
    ),
  ],
  references: [],
  referenceWords: 'The printed matrices have four decimals.',
};
