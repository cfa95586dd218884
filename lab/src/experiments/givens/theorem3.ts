/** Theorem 3: every start ends at the factors of an orthogonally decomposable tensor, and other critical points are unstable. */
import { fromFactors, type Matrix64, metrics } from 'orthodict';
import {
  addScaled,
  createRandom,
  denseTensorObjective,
  determinantSign,
  geometricWeights,
  identity,
  type Kernels,
  normalMatrix,
  orthogonalTensor,
  polar,
  type Random,
  randomOrthogonal,
  rotateRows,
} from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { atLeast, mostly } from '../framework/claims.ts';
import { type Experiment, formatValue, type Measured, type Point, pointsOf, range } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { singleThread } from '../l4/l4-runs.ts';
import { GROUP, PAPER } from './paper.ts';
import { algorithm4, planesOf, squaredGradient } from './plane-by-plane.ts';
import { sum } from './sum.ts';

/** λ_max/λ_min: equal, nearly equal, unequal, some small, some tiny. */
const RATIOS = [1, 1.000001, 10, 1000, 1e6];
/** Starts per trial, half of them of either determinant. */
const STARTS = 6;
/** Deviation of the noise on every entry of a perturbed critical point. */
const PERTURBATION = 1e-8;
/** Largest distance between a factor and its estimate that counts as exact: rotations below 1e-12 are not made. */
const EXACT = 1e-9;

async function trial({ d, ratio }: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { kernels } = await singleThread();
  const random = createRandom(seed, 'a tensor and starts');
  const { T, V, weights } = orthogonalTensor(geometricWeights(d, ratio), random);
  const objective = denseTensorObjective(T, kernels);
  const ends: { error: number; missing: number; sweeps: number }[] = [];
  for (let k = 0; k < STARTS; k++) {
    signal.throwIfAborted();
    const start = withDeterminant(randomOrthogonal(d, random), k % 2 === 0 ? 1 : -1);
    const { A, value, visits } = await algorithm4(objective, start, k);
    const error = metrics.matchRows(A, V, 'l2').maxDistance;
    ends.push({ error, missing: Math.abs(1 - value / sum(weights)), sweeps: visits / planesOf(d) });
  }
  return {
    exact: ends.filter(({ error }) => error <= EXACT).length / STARTS,
    error: Math.max(...ends.map(({ error }) => error)),
    missing: Math.max(...ends.map(({ missing }) => missing)),
    sweeps: ends.reduce((total, { sweeps }) => total + sweeps, 0) / STARTS,
    ...(await saddles(weights, random, kernels)),
  };
}

/** A with its first row negated if its determinant has the other sign. */
function withDeterminant(A: Matrix64, sign: number): Matrix64 {
  if (determinantSign(A) !== sign) for (let k = 0; k < A.cols; k++) A.data[k] = -A.data[k];
  return A;
}

/** Critical points that are no permutations, with V = I: their gradients, and where runs from nearby end. */
async function saddles(weights: Float64Array, random: Random, kernels: Kernels): Promise<Measured> {
  const d = weights.length;
  const objective = denseTensorObjective(fromFactors(identity(d), weights), kernels);
  const equal = weights.every((weight) => weight === weights[0]);
  const most = sum(weights);
  let [saddleGradient, saddleMissing, stuck] = [0, 0, 0];
  for (const U of [tilted(weights), ...(equal ? [reflected(d, 1), reflected(d, -1)] : [])]) {
    await objective.restore(U);
    if (objective.value() > (1 - 1e-6) * most) continue; // a permutation after all: d = 2
    saddleGradient = Math.max(saddleGradient, Math.sqrt(squaredGradient(objective)) / most);
    stuck = Math.max(stuck, 1 - (await algorithm4(objective, U, 0)).value / most);
    const near = polar(addScaled(U, PERTURBATION, normalMatrix(d, d, random)), kernels);
    saddleMissing = Math.max(saddleMissing, Math.abs(1 - (await algorithm4(objective, near, 0)).value / most));
  }
  return { saddleGradient, saddleMissing, ...(equal && { stuck }) };
}

/** Pairs of factors turned to the other stationary angle of their plane: tan φ = (λ_i + λ_j)/(λ_j − λ_i). */
function tilted(weights: Float64Array): Matrix64 {
  const U = identity(weights.length);
  for (let i = 0; i + 1 < weights.length; i += 2) {
    const [a, b] = [weights[i], weights[i + 1]];
    const angle = Math.atan2(a + b, b - a);
    rotateRows(U, i, i + 1, Math.cos(angle), Math.sin(angle));
  }
  return U;
}

/** ±(I − (2/d) 11ᵀ): critical for equal weights, since exchanging two rows exchanges two columns. */
function reflected(d: number, sign: number): Matrix64 {
  const U = identity(d);
  for (let at = 0; at < U.data.length; at++) U.data[at] = sign * (U.data[at] - 2 / d);
  return U;
}

const linesOf = (summary: Summary, measure: string) =>
  RATIOS.map((ratio) => ({
    colour: `λ_max/λ_min = ${formatValue(ratio)}`,
    cells: cellsOf(summary, measure, { ratio }),
  }));

export const givensTheorem3: Experiment = {
  name: 'givens-theorem3',
  group: GROUP,
  title: 'Factors of an orthogonally decomposable tensor, from any start',
  source: `${PAPER}, theorem 3 of the supplement`,
  setting: [
    `T = Σ λ_k v_k ⊗ v_k ⊗ v_k with random orthonormal v_k and weights in geometric progression from 1 down to 1/ratio: equal (1), nearly equal (1.000001), unequal, small and tiny ones (1e6). Algorithm 4, rotations only, from ${STARTS} random starts per
trial, half of them with det U = 1 and half with −1, until no plane improves. The error is the largest distance between a factor and the column matched to it, signs included; a start is exact within ${EXACT}.`,
    `The proof shows that permutations of the factors attain the maximum and nothing else does. That no other critical point is stable, which the theorem also says, is tested: critical points that are no permutations, with V = I, are perturbed by normal
noise of ${PERTURBATION} in every entry. For all weights: pairs of factors turned within their planes. For equal weights also ±(I − (2/d) 11ᵀ).`,
    'Unperturbed, the last are worth a look: for d = 3 and from d = 7 on, no plane improves on I − (2/d) 11ᵀ (for d = 3: on its negative), so that Algorithm 4 stops there, although it is no local maximum: to second order f(U exp Ω) = f(U) − (3/2)‖Ω‖² + (3/2)(a + a²)‖Ω1‖², a = 2/d, which rises by up to (3/d)‖Ω‖². "Stays below Σλ by" has this for a start exactly there. From a perturbation a run leaves slowly, since 3/d is small: in about 8d sweeps from 1e-8.',
  ],
  parameters: ['d', 'ratio'],
  measures: [
    { name: 'exact', label: 'share of exact starts' },
    { name: 'error', label: 'largest error of a factor' },
    { name: 'missing', label: 'largest |1 − f/Σλ|' },
    { name: 'sweeps', label: 'sweeps' },
    { name: 'saddleGradient', label: 'critical points: ‖∇f‖/Σλ' },
    { name: 'saddleMissing', label: 'perturbed: |1 − f/Σλ| at the end' },
    { name: 'stuck', label: 'unperturbed: stays below Σλ by, relatively' },
  ],
  full: {
    points: pointsOf({ d: [...range(2, 20), 30, 40], ratio: RATIOS }),
    trials: 10,
    words: 'The paper proves it for all d; here d = 2 … 20, 30 and 40.',
  },
  quick: {
    points: pointsOf({ d: [2, 3, 5, 10, 20], ratio: RATIOS }),
    trials: 2,
    words: 'The paper proves it for all d; here d = 2, 3, 5, 10 and 20.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Largest error of a factor, and sweeps, against the dimension for five ratios of the weights',
      spec: lineChart({
        title: 'Theorem 3: factors of an orthogonally decomposable tensor',
        subtitle: `worst of ${STARTS} starts; medians and the middle 80 % of the trials`,
        along: 'd',
        x: 'dimension d',
        y: '',
        panels: [
          { title: 'error', y: 'largest error of a factor', lines: linesOf(summary, 'error'), logarithmic: true },
          { title: 'effort', y: 'sweeps of d(d−1)/2 planes', lines: linesOf(summary, 'sweeps'), logarithmic: false },
        ],
      }),
    },
  ],
  claims: [
    atLeast(
      'Theorem 3: the stable points are exactly the permutations of the factors. Every start of every trial ends at one, for all weights and both determinants.',
      'exact',
      1,
      1,
    ),
    mostly('Theorem 3: the value attained is Σλ, within 1e-12.', 'missing', 1e-12, 1),
    mostly(
      'Critical points that are no permutations are critical: ‖∇f‖ is at most 1e-12 Σλ.',
      'saddleGradient',
      1e-12,
      1,
    ),
    mostly(
      `Theorem 3: they are not stable. Perturbed by ${PERTURBATION}, every run leaves them and ends at Σλ, within 1e-12.`,
      'saddleMissing',
      1e-12,
      1,
    ),
  ],
  references: [],
  referenceWords: 'The paper prints no numbers.',
};
