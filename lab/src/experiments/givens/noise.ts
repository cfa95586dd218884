/**
 * Factors of a tensor with noise: rotations against the tensor power method with deflation.
 *
 * To first order in the noise E, in the coordinates of the factors:
 *
 *     rotations      v_i + Σ_j φ_ij v_j,  φ_ij = (E_iij − E_ijj)/(λ_i + λ_j)     3(E_iij − E_ijj) is the slope, 3(λ_i + λ_j) the curvature
 *     power method   v_i + Σ_j (E_iij/λ_i) v_j                                  T(I, u, u) = λ u; deflation is of second order
 *
 * With noise of deviation σ on entries like E_iij the root mean squares are σ √(2 Σ_j (λ_i + λ_j)⁻²) and σ √(d−1)/λ_i.
 */
import { learnTensor, type Matrix64, metrics } from 'orthodict';
import { createRandom, orthogonalTensor, uniformWeights, withNoise } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { powerMethod } from '../../methods/power-method.ts';
import { below, type Where } from '../framework/claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { singleThread } from '../l4/l4-runs.ts';
import { GROUP, PAPER } from './paper.ts';
import { sum } from './sum.ts';

/** Random starts of both methods; of the power method, per factor. */
const STARTS = 10;
/** Noise that is small enough for a first-order prediction, and by how much it may be missed. */
const SMALL = 0.01;
const SLACK = 1.25;

async function trial({ d, sigma }: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const executor = await singleThread();
  const random = createRandom(seed, 'a tensor with noise');
  const { T, V, weights } = orthogonalTensor(uniformWeights(d, random), random);
  const noisy = withNoise(T, sigma, random);
  const one = await learnTensor(noisy, { seed }, { executor, signal });
  const several = await learnTensor(noisy, { seed, starts: STARTS }, { executor, signal });
  const power = powerMethod(noisy, { seed, starts: STARTS });
  const errorOf = ({ factors }: { factors: Matrix64 }) =>
    rootMean(metrics.matchRows(factors, V, 'l2').pairs.map(({ distance }) => distance ** 2));
  const others = (i: number) => sum(weights.map((weight, j) => (j === i ? 0 : (weights[i] + weight) ** -2)));
  return {
    one: errorOf(one),
    several: errorOf(several),
    power: errorOf(power),
    predicted: sigma * rootMean(Array.from(weights, (_, i) => 2 * others(i))),
    predictedPower: sigma * rootMean(Array.from(weights, (weight) => (d - 1) / weight ** 2)),
  };
}

const rootMean = (squares: readonly number[]): number =>
  Math.sqrt(squares.reduce((total, square) => total + square, 0) / squares.length);

const MEASURES = [
  { name: 'one', label: 'rotations, one start' },
  { name: 'several', label: `rotations, best of ${STARTS} starts` },
  { name: 'power', label: 'power method with deflation' },
  { name: 'predicted', label: 'first order: rotations' },
  { name: 'predictedPower', label: 'first order: power method' },
];

/** Predictions first: the first stroke is dashed. */
const LINES = [
  { name: 'predicted', colour: 'rotations', stroke: 'first order' },
  { name: 'predictedPower', colour: 'power method with deflation', stroke: 'first order' },
  { name: 'one', colour: 'rotations', stroke: 'measured' },
  { name: 'power', colour: 'power method with deflation', stroke: 'measured' },
];

const panelsOf = (summary: Summary) =>
  [...new Set(summary.points.map(({ d }) => d))].map((d) => ({
    title: `d = ${d}`,
    lines: LINES.map(({ name, ...look }) => ({
      ...look,
      cells: cellsOf(summary, name, { d }).filter(({ point }) => point.sigma > 0),
    })),
    logarithmic: true,
  }));

const isSmall: Where = ({ sigma }) => sigma > 0 && sigma <= SMALL;
const SMALL_WORDS = `For σ up to ${SMALL}`;

export const givensNoise: Experiment = {
  name: 'givens-noise',
  group: GROUP,
  title: 'Factors of a tensor with noise, against the power method',
  source: `${PAPER}, the problem of theorem 3 with noise`,
  setting: [
    `T = Σ λ_k v_k ⊗ v_k ⊗ v_k with weights uniform in [1, 2], and symmetric normal noise whose distribution is the same in every orthonormal basis, of deviation σ on entries like T_iij (√3 σ on T_iii, σ/√2 on T_ijk). learnTensor (rotations; one start, and the best of ${STARTS}) and the tensor power method with deflation (${STARTS} starts per factor).
The error is the root mean square distance between a factor and the row matched to it, signs included.`,
    'To first order rotations make the root mean square error σ √(2 Σ_j (λ_i + λ_j)⁻²) in factor i, the power method σ √(d−1)/λ_i: with equal weights √2 times as much, because rotations use that factors are orthogonal. The table has the root mean squares of both over the factors. The supplement does not compare the two under noise: the claims test the prediction, not the paper.',
    'With much noise the best start of the objective no longer is at the factors: f itself has larger values elsewhere, and both methods fail together.',
  ],
  parameters: ['d', 'sigma'],
  measures: MEASURES,
  full: {
    points: pointsOf({ d: [5, 10, 20], sigma: [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5] }),
    trials: 10,
    words: 'The supplement has no experiment on this.',
  },
  quick: {
    points: pointsOf({ d: [10], sigma: [0, 0.001, 0.01, 0.03, 0.1, 0.2, 0.3] }),
    trials: 5,
    words: 'The supplement has no experiment on this; d = 10 only.',
  },
  trial,
  charts: (summary) => [
    {
      caption:
        'Error of the factors against the noise, for rotations and for the power method, with first-order predictions',
      spec: lineChart({
        title: 'Factors of a tensor with noise',
        subtitle: 'root mean square distance of matched factors; medians and the middle 80 % of the trials',
        along: 'sigma',
        x: 'noise σ of an entry',
        y: 'error of a factor',
        xLogarithmic: true,
        panels: panelsOf(summary),
      }),
    },
  ],
  claims: [
    below(
      `${SMALL_WORDS} rotations err by at most ${SLACK} times the first-order prediction.`,
      'one',
      ['predicted'],
      isSmall,
      SLACK,
    ),
    below(
      `${SMALL_WORDS} the prediction is at most ${SLACK} times the error of rotations.`,
      'predicted',
      ['one'],
      isSmall,
      SLACK,
    ),
    below(
      `${SMALL_WORDS} the power method errs by at most ${SLACK} times its own.`,
      'power',
      ['predictedPower'],
      isSmall,
      SLACK,
    ),
    below(
      `${SMALL_WORDS} its prediction is at most ${SLACK} times its error.`,
      'predictedPower',
      ['power'],
      isSmall,
      SLACK,
    ),
  ],
  references: [],
  referenceWords: 'The supplement prints no numbers.',
};
