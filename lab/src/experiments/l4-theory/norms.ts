/** Remark 8: higher norms need more samples for their objective to concentrate. */

import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { NOT_MEASURED } from '../framework/claims.ts';
import { powerLaw, trend } from '../framework/curve-claims.ts';
import { type Claim, type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellAt, cellsOf } from '../framework/summary.ts';
import { PAPER } from '../l4/l4-runs.ts';
import { randomAtoms, sampled, supremum } from './deviations.ts';
import { GROUP } from './orthogonal-group.ts';

const NORMS = [4, 6, 8];
/** E N(0, 1)^k for even k. */
const normalMoment = (k: number): number => (k <= 1 ? 1 : (k - 1) * normalMoment(k - 2));
/** The median of |N(0, 1)|. */
const MEDIAN = 0.6745;

async function trial(point: Point, seed: number): Promise<Measured> {
  const { n, p, theta, norm: q, limit } = point;
  const samples = await sampled(point, seed);
  const [random, truth] = [randomAtoms(n, seed), samples.data.atoms];
  const relative = (A: typeof truth) => Math.abs(samples.at(A).objective) / samples.at(A).expected;
  const worst = supremum(samples, [truth, random], limit).objective / samples.at(truth).expected;
  const variance = normalMoment(2 * q) / (theta * normalMoment(q) ** 2) - 1;
  return {
    random: relative(random),
    truth: relative(truth),
    worst,
    law: MEDIAN * Math.sqrt(variance / (n * p)),
    needed: (variance / n) * 100 ** 2,
  };
}

/** Samples for the same deviation, from the worst deviation found at the largest p. */
const needsMore: Claim = {
  words:
    'Remark 8: for the same error bound a higher norm needs a much larger number of samples: at least three times as many with every step of 2 in the norm, for the worst dictionary found.',
  check(summary) {
    const p = Math.max(...summary.points.map((point) => point.p));
    const medians = NORMS.map((norm) => cellAt(summary, 'worst', { norm, p })?.median);
    if (medians.includes(undefined)) return NOT_MEASURED;
    const factors = [1, 2].map((k) => (medians[k]! / medians[k - 1]!) ** 2);
    const words = factors.map((factor, k) => `ℓ${NORMS[k + 1]} ${formatFigure(factor)} times those of ℓ${NORMS[k]}`);
    return { holds: factors.every((factor) => factor >= 3), measured: `${words.join(', ')}, at p = ${p}` };
  },
};

export const norms: Experiment = {
  name: `${GROUP}-norms`,
  group: GROUP,
  title: 'Concentration of the objectives of higher norms',
  source: `${PAPER}, remark 8`,
  setting: [
    'Remark 8: maximising ℓ2k instead of ℓ4 would need "much larger number p of samples for the (random) objective function to concentrate on its (deterministic) expectation". Measured is |f̂ − f| with f̂ = ‖Y Aᵀ‖_2k^2k: at a random dictionary and at the true one relative to f there, and at the worst dictionary found over O(n), by ascent from these two, relative to f at the true one.',
    'f is exact for every norm: given the support of x, w·x is normal, so E(w·x)^2k = (2k − 1)!! E s^k with s = Σ b_j w_j², b Bernoulli(θ).',
    'The law at A = D is the median of a normal deviation, .6745·√(v/(np)), v = (4k − 1)!!/(θ((2k − 1)!!)²) − 1: with θ = .3 it is 38 for ℓ4, 153 for ℓ6 and 612 for ℓ8, four times as many samples with each step. The samples at which the standard deviation there is 1 % are v/n·10⁴.',
  ],
  parameters: ['limit', 'n', 'theta', 'norm', 'p'],
  measures: [
    { name: 'random', label: '|f̂ − f|/f at a random A' },
    { name: 'truth', label: '|f̂ − f|/f at A = D' },
    { name: 'law', label: 'law at A = D' },
    { name: 'worst', label: '|f̂ − f|/f(D), worst A found' },
    { name: 'needed', label: 'samples for 1 % at A = D, by the law' },
  ],
  full: {
    points: pointsOf({ limit: [60], n: [10], theta: [0.3], norm: NORMS, p: [1000, 4000, 16_000, 64_000] }),
    trials: 20,
    words: '60 steps of ascent. The paper draws figure 7(b) for this, the error of MSP.',
  },
  quick: {
    points: pointsOf({ limit: [20], n: [10], theta: [0.3], norm: NORMS, p: [1000, 4000, 16_000] }),
    trials: 3,
    words: '20 steps of ascent instead of 60. The paper draws figure 7(b) for this, the error of MSP.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Deviation of the objective of three norms against p, at the true dictionary and at the worst one found',
      spec: lineChart({
        title: 'Remark 8: deviation of the ℓ2k objective',
        subtitle: `n = ${summary.points[0].n}, θ = ${summary.points[0].theta}; medians and the middle 80 % of the trials`,
        along: 'p',
        x: 'samples p',
        y: '|f̂ − f|/f(D)',
        xLogarithmic: true,
        panels: [
          { title: 'A = D', stroke: 'measured', measure: 'truth' },
          { title: 'worst A found', stroke: 'measured', measure: 'worst' },
        ].map(({ title, stroke, measure }) => ({
          title,
          logarithmic: true,
          lines: NORMS.flatMap((norm) => [
            { colour: `2k = ${norm}`, stroke: 'law at A = D', cells: cellsOf(summary, 'law', { norm }) },
            { colour: `2k = ${norm}`, stroke, cells: cellsOf(summary, measure, { norm }) },
          ]),
        })),
      }),
    },
  ],
  claims: [
    needsMore,
    trend('The worst deviation found grows with the norm at every p.', 'worst', 'norm', 'rises'),
    powerLaw('With every norm it falls with p (exponents between −1.1 and −.2).', 'worst', 'p', [-1.1, -0.2]),
  ],
  references: [],
  referenceWords: 'The paper states this without numbers.',
};
