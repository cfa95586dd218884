/** Lemmas 5 and 6: the range of g = ‖W‖₄⁴ on the orthogonal group, and how near W is to a signed permutation if g is large. */

import { type Matrix64, recoveryError } from 'orthodict';
import { createRandom, identity, type Kernels, type Random, randomOrthogonal } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { atLeast, mostly } from '../framework/claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { PAPER, singleThread } from '../l4/l4-runs.ts';
import {
  distanceToPermutations,
  GROUP,
  hadamard,
  quartic,
  randomSkew,
  rotationAt,
  signedPermutation,
} from './orthogonal-group.ts';

/** The mean of (1/n)‖W − P‖² for a random W and any P. */
const RANDOM = 2;
const DISTANCES = [1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.6, 1, RANDOM];
const SIZES = [2, 4, 16, 64];
/** Values of bounds are exact to rounding. */
const ROUNDING = 1e-9;

/** A signed permutation turned in a random direction so that (1/n)‖W − P‖² = d; a random W for d = 2. */
function matrixAt({ n, d }: Point, random: Random, kernels: Kernels): Matrix64 {
  if (d === RANDOM) return randomOrthogonal(n, random);
  const R = rotationAt(randomSkew(n, random), n * d, kernels);
  return kernels.multiply(R, signedPermutation(n, random), 'nn');
}

/** 1 − ‖W‖₃³/n. */
const cubicGap = ({ rows: n, data }: Matrix64): number => 1 - data.reduce((sum, w) => sum + Math.abs(w) ** 3, 0) / n;

/** (1/n)‖W − P‖² of the nearest P, and its bounds 2(1 − g/n) and 2(1 − ‖W‖₃³/n). */
function boundsAt(W: Matrix64) {
  return { near: distanceToPermutations(W), bound: 2 * recoveryError(W, identity(W.rows)), sharper: 2 * cubicGap(W) };
}

async function trial(point: Point, seed: number): Promise<Measured> {
  const { kernels } = await singleThread();
  const W = matrixAt(point, createRandom(seed, 'theory extrema'), kernels);
  const { near, bound, sharper } = boundsAt(W);
  const worst = boundsAt(hadamard(point.n));
  return {
    least: quartic(W),
    most: quartic(W) / point.n,
    near,
    bound,
    ratio: near / bound,
    sharperRatio: near / sharper,
    hadamard: worst.near / worst.bound,
    hadamardSharper: worst.near / worst.sharper,
  };
}

export const extrema: Experiment = {
  name: `${GROUP}-extrema`,
  group: GROUP,
  title: 'Range of the ℓ4 norm on the orthogonal group, and distance from signed permutations',
  source: `${PAPER}, lemmas 5 and 6`,
  setting: [
    'Lemma 5: g(W) = ‖W‖₄⁴ is between 1 and n, and n only for signed permutations. Lemma 6: if g/n ≥ 1 − ε, there is a signed permutation P with (1/n)‖W − P‖² ≤ 2ε. W is a signed permutation turned in a random direction to (1/n)‖W − P‖² = d, or a random orthogonal matrix (d = 2, which is its mean). The nearest P comes from optimal assignment, so it need not be the one that was turned.',
    'Near a signed permutation 1 − g/n is 2d, so the distance is a quarter of the bound. Hadamard matrices, (1/n)‖W − P‖² = 2 − 2/√n with 2ε = 2 − 2/n, come as close to it as one likes for large n: the constant 2 cannot be improved.',
    'The proof of lemma 6 takes the largest entry of every column and says that they are in different rows, which need not be so. A proof without this gap: W∘² is doubly stochastic, hence a mean of permutations, so some permutation has Σ|w_iπ(i)| ≥ Σ w²·|w| = ‖W‖₃³ ≥ ‖W‖₄⁴. It gives more: (1/n)‖W − P‖² ≤ 2(1 − ‖W‖₃³/n).',
  ],
  parameters: ['n', 'd'],
  measures: [
    { name: 'least', label: 'g' },
    { name: 'most', label: 'g/n' },
    { name: 'near', label: '(1/n)‖W − P‖²' },
    { name: 'bound', label: 'bound 2(1 − g/n)' },
    { name: 'ratio', label: 'distance/bound' },
    { name: 'sharperRatio', label: 'distance/(2(1 − ‖W‖₃³/n))' },
    { name: 'hadamard', label: 'distance/bound, Hadamard' },
    { name: 'hadamardSharper', label: 'distance/(2(1 − ‖W‖₃³/n)), Hadamard' },
  ],
  full: { points: pointsOf({ n: SIZES, d: DISTANCES }), trials: 100, words: 'The paper has no such experiment.' },
  quick: { points: pointsOf({ n: SIZES, d: DISTANCES }), trials: 5, words: 'The paper has no such experiment.' },
  trial,
  charts: (summary) => [
    {
      caption: 'Distance from the nearest signed permutation divided by the bound of lemma 6, against the distance d',
      spec: lineChart({
        title: 'Lemma 6: (1/n)‖W − P‖² divided by its bound 2(1 − g/n)',
        subtitle: 'at most 1; d = 2 is a random orthogonal matrix; medians and the middle 80 % of the trials',
        along: 'd',
        x: 'distance d from the signed permutation that was turned',
        y: 'distance/bound',
        xLogarithmic: true,
        panels: [
          {
            logarithmic: false,
            lines: SIZES.flatMap((n) => [
              { colour: `n = ${n}`, stroke: 'Hadamard matrix', cells: cellsOf(summary, 'hadamard', { n }) },
              { colour: `n = ${n}`, stroke: 'turned signed permutation', cells: cellsOf(summary, 'ratio', { n }) },
            ]),
          },
        ],
      }),
    },
  ],
  claims: [
    atLeast('Lemma 5: g is at least 1.', 'least', 1 - ROUNDING, 1),
    mostly('Lemma 5: g is at most n.', 'most', 1 + ROUNDING, 1),
    mostly('Lemma 6: (1/n)‖W − P‖² ≤ 2(1 − g/n) everywhere; so g = n only at signed permutations.', 'ratio', 1, 1),
    mostly('It holds for Hadamard matrices, too.', 'hadamard', 1, 1),
    atLeast(
      'It is tight for large n: Hadamard matrices reach 85 % of the bound at n = 64.',
      'hadamard',
      0.85,
      1,
      ({ n }) => n === 64,
    ),
    mostly('The sharper bound 2(1 − ‖W‖₃³/n) holds.', 'sharperRatio', 1 + ROUNDING, 1),
    atLeast('Hadamard matrices attain it.', 'hadamardSharper', 1 - ROUNDING, 1),
  ],
  references: [],
  referenceWords: 'The paper proves the statements and measures nothing.',
};
