/** Hadamard matrices of all sizes: fixed points of MSP that a small perturbation leaves, threefold farther with each step. */

import { type Matrix64, recoveryError } from 'orthodict';
import { createRandom, identity } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { mostly, near } from '../framework/claims.ts';
import { type Experiment, type Point, pointsOf, range } from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { PAPER, sharedAlong, singleThread } from '../l4/l4-runs.ts';
import { distance, GROUP, hadamard, mspStep, quartic, randomSkew, rotationAt } from './orthogonal-group.ts';

const SIZES = [2, 4, 8, 16];
const LAST = 40;
/** ‖W_0 − H‖_F. */
const PERTURBATION = 1e-6;
/** While the perturbation is small against 1. */
const SMALL_UNTIL = 9;
const ROUNDING = 1e-12;

const grown = ({ t }: Point): number => PERTURBATION * 3 ** t;
const isSmall = ({ t }: Point) => t <= SMALL_UNTIL;

interface Run {
  readonly start: Matrix64;
  readonly steps: readonly Matrix64[];
  /** ‖polar(H∘³) − H‖ without perturbation. */
  readonly moved: number;
}

const runOf = sharedAlong('t', async ({ n }, seed): Promise<Run> => {
  const { kernels } = await singleThread();
  const H = hadamard(n);
  const turn = rotationAt(randomSkew(n, createRandom(seed, 'theory Hadamard')), PERTURBATION ** 2, kernels);
  const steps = [kernels.multiply(H, turn, 'nn')];
  for (let t = 0; t < LAST; t++) steps.push(mspStep(steps[t], kernels));
  return { start: H, steps, moved: distance(mspStep(H, kernels), H) };
});

const grid = {
  points: pointsOf({ n: SIZES, t: [...range(0, 20), 30, LAST] }),
  words: 'The paper draws n = 2, figure 2.',
};
const points = grid.points.filter(isSmall);

export const hadamardGrowth: Experiment = {
  name: `${GROUP}-hadamard`,
  group: GROUP,
  alone: true,
  title: 'Hadamard matrices are unstable fixed points of MSP',
  source: `${PAPER}, section 4.3`,
  setting: [
    '"Hadamard matrices are fixed point of the MSP iteration, but they are unstable and can be avoided with small random perturbation." The paper shows it for n = 2 (proposition 17). Here H is the Hadamard matrix of Sylvester of size n = 2, 4, 8, 16, entries ±1/√n, and MSP starts from it turned by a random rotation to a distance of 1e-6.',
    'Near H a step is W = H(I + K) → polar(H(I + 3K)/n) = H(I + 3K): a perturbation in any direction grows threefold with each step, for every n.',
  ],
  parameters: ['n', 't'],
  measures: [
    { name: 'far', label: '‖W_t − H‖' },
    { name: 'law', label: '1e-6 · 3^t' },
    { name: 'error', label: '1 − ‖W_t‖₄⁴/n' },
    { name: 'moved', label: 'H moved by a step' },
    { name: 'least', label: '‖H‖₄⁴' },
  ],
  full: { ...grid, trials: 20 },
  quick: { ...grid, trials: 3 },
  async trial(point, seed, signal) {
    const { start, steps, moved } = await runOf(point, seed, signal);
    const W = steps[point.t];
    return {
      far: distance(W, start),
      law: grown(point),
      error: recoveryError(W, identity(point.n)),
      moved,
      least: quartic(start),
    };
  },
  charts: (summary) => [
    {
      caption: 'Distance from the Hadamard matrix, and from signed permutations, against the steps of MSP',
      spec: lineChart({
        title: 'MSP from perturbed Hadamard matrices',
        subtitle: 'medians and the middle 80 % of the trials',
        along: 't',
        x: 'steps t',
        y: '‖W_t − H‖',
        panels: [
          { title: 'distance from H', measure: 'far', logarithmic: true },
          { title: 'error', measure: 'error', y: '1 − ‖W_t‖₄⁴/n', logarithmic: false },
        ].map(({ measure, ...panel }) => ({
          ...panel,
          lines: [
            ...SIZES.map((n) => ({ colour: `n = ${n}`, cells: cellsOf(summary, measure, { n }) })),
            ...(measure === 'far'
              ? [{ colour: '1e-6 · 3^t', cells: cellsOf(summary, 'law', { n: 2 }).filter(({ median }) => median < 10) }]
              : []),
          ],
        })),
      }),
    },
  ],
  claims: [
    mostly('Hadamard matrices are fixed points of MSP, for n = 2, 4, 8, 16.', 'moved', ROUNDING, 1),
    mostly('There ‖H‖₄⁴ is 1, the least value of lemma 5.', 'least', 1 + ROUNDING, 1),
    near(
      `They are unstable: the distance grows threefold with every step, to within 1 % for ${SMALL_UNTIL} steps.`,
      points.map((point) => ({ point, measure: 'far', value: grown(point) })),
      0.01,
    ),
    mostly(
      'They can be avoided with a small random perturbation: every run ends in a signed permutation.',
      'error',
      ROUNDING,
      1,
      ({ t }) => t === LAST,
    ),
  ],
  references: [],
  referenceWords: 'The paper prints no numbers.',
};
