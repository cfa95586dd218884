/** Lemma 4 and proposition 11: how far the objective and its gradient are from their expectations, at worst. */
import { norm } from 'orthodict/extend';
import { lineChart, type Panel } from '../../charts/line-chart.ts';
import { mostly } from '../framework/claims.ts';
import { powerLaw, trend } from '../framework/curve-claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { PAPER } from '../l4/l4-runs.ts';
import { randomAtoms, sampled, supremum } from './deviations.ts';
import { GROUP } from './orthogonal-group.ts';
import { provenDeviation } from './proven-deviation.ts';

/** What both suprema stay below in units of √(θ n² ln n/p): a constant for lemma 4's Ω. */
const CONSTANT = 1;
/** Exponents of p: those of the two terms of Bernstein's inequality, with some scatter. */
const FALL = [-1.1, -0.4] as const;
const FULL_STEPS = 60;
const QUICK_STEPS = 20;

async function trial(point: Point, seed: number): Promise<Measured> {
  const { n, p, theta, limit } = point;
  const samples = await sampled(point, seed);
  const random = randomAtoms(n, seed);
  const truth = samples.data.atoms;
  const [atRandom, atTruth] = [random, truth].map((A) => samples.at(A));
  const worst = supremum(samples, [truth, random], limit);
  const unit = Math.sqrt((theta * n ** 2 * Math.log(n)) / p);
  return {
    random: Math.abs(atRandom.objective),
    truth: Math.abs(atTruth.objective),
    worst: worst.objective,
    constant: worst.objective / unit,
    gradientRandom: norm(atRandom.gradient.data),
    gradientTruth: norm(atTruth.gradient.data),
    gradientWorst: worst.gradient,
    gradientConstant: worst.gradient / unit,
    unit,
    proven: provenDeviation(n, p, theta),
  };
}

const measures = [
  { name: 'random', label: 'δ at a random A' },
  { name: 'truth', label: 'δ at A = D' },
  { name: 'worst', label: 'δ, worst A found' },
  { name: 'constant', label: 'δ/√(θn² ln n/p), worst A' },
  { name: 'gradientRandom', label: 'gradient at a random A' },
  { name: 'gradientTruth', label: 'gradient at A = D' },
  { name: 'gradientWorst', label: 'gradient, worst A found' },
  { name: 'gradientConstant', label: 'gradient/√(θn² ln n/p), worst A' },
  { name: 'unit', label: '√(θn² ln n/p)' },
  { name: 'proven', label: "δ of the proof's (47)" },
];

function againstSamples(summary: Summary, theta: number): Panel[] {
  const n = Math.min(...summary.points.map((point) => point.n));
  const panel = (title: string, lines: ReadonlyArray<readonly [colour: string, measure: string]>): Panel => ({
    title,
    logarithmic: true,
    lines: lines.map(([colour, measure]) => ({ colour, cells: cellsOf(summary, measure, { n, theta }) })),
  });
  return [
    panel(`objective, n = ${n}, θ = ${theta}`, [
      ['random A', 'random'],
      ['A = D', 'truth'],
      ['worst A found', 'worst'],
      ['√(θn² ln n/p)', 'unit'],
      ['(47) of the proof', 'proven'],
    ]),
    panel(`gradient, n = ${n}, θ = ${theta}`, [
      ['random A', 'gradientRandom'],
      ['A = D', 'gradientTruth'],
      ['worst A found', 'gradientWorst'],
      ['√(θn² ln n/p)', 'unit'],
    ]),
  ];
}

function collapsed(summary: Summary): Panel[] {
  const values = (name: string) => [...new Set(summary.points.map((point) => point[name]))];
  return ['constant', 'gradientConstant'].map((measure) => ({
    title: measure === 'constant' ? 'objective' : 'gradient',
    logarithmic: false,
    lines: values('n').flatMap((n) =>
      values('theta').map((theta) => ({
        colour: `n = ${n}`,
        stroke: `θ = ${theta}`,
        cells: cellsOf(summary, measure, { n, theta }),
      })),
    ),
  }));
}

export const concentration: Experiment = {
  name: `${GROUP}-concentration`,
  group: GROUP,
  title: 'Concentration of the ℓ4 objective and its gradient over the orthogonal group',
  source: `${PAPER}, lemma 4 and proposition 11`,
  setting: [
    'Lemma 4: with probability 1 − 1/p, sup |f̂ − f|/(np) over all orthogonal A is less than δ if p = Ω(θn² ln n/δ²). Proposition 11 says the same of ‖∇f̂ − ∇f‖_F/(4np). So both suprema are at most a constant times √(θn² ln n/p). The paper does not give the constant.',
    'The worst A found is a lower bound of the supremum: f̂ − f is a polynomial in A, which is raised and lowered by ascent over O(n) from the true dictionary and from a random one; then ‖∇f̂ − ∇f‖ is raised from there. More steps find up to a third more.',
    "The proof's own bound, inequality (47) with its constants c₁ = 10⁴ and c₂ = 3360, solved for the δ at which its right side is 1/p, is in the table and in the chart. It is far above the objective itself, 3θ, up to p = 10⁹ at n = 10; and it has ln p where the lemma has ln n.",
  ],
  parameters: ['limit', 'n', 'theta', 'p'],
  measures,
  full: {
    points: pointsOf({ limit: [FULL_STEPS], n: [10, 20, 40], theta: [0.1, 0.5], p: [1000, 4000, 16_000, 64_000] }),
    trials: 5,
    words: `${FULL_STEPS} steps of ascent. The paper has no such experiment.`,
  },
  quick: {
    points: pointsOf({ limit: [QUICK_STEPS], n: [10, 20], theta: [0.1, 0.5], p: [1000, 4000, 16_000] }),
    trials: 2,
    words: `${QUICK_STEPS} steps of ascent instead of ${FULL_STEPS}, smaller n and p. The paper has no such experiment.`,
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Deviation of the objective and the gradient against p, at three dictionaries, with the bounds',
      spec: lineChart({
        title: 'Lemma 4 and proposition 11: deviation from the expectation',
        subtitle: 'medians and the middle 80 % of the trials',
        along: 'p',
        x: 'samples p',
        y: 'deviation δ',
        xLogarithmic: true,
        panels: againstSamples(summary, 0.5),
      }),
    },
    {
      suffix: '-constant',
      caption: 'The worst deviations found in units of √(θn² ln n/p) against p',
      spec: lineChart({
        title: 'The constant of lemma 4 and proposition 11',
        subtitle: 'worst deviation found, divided by √(θn² ln n/p)',
        along: 'p',
        x: 'samples p',
        y: 'constant',
        xLogarithmic: true,
        panels: collapsed(summary),
      }),
    },
  ],
  claims: [
    mostly(
      `Lemma 4: p = Ω(θn² ln n/δ²) samples suffice for the objective: the worst δ found is at most ${CONSTANT}·√(θn² ln n/p) in every trial, from n = 10 on.`,
      'constant',
      CONSTANT,
      1,
    ),
    mostly(
      `Proposition 11: they suffice for the gradient: its worst deviation found is at most ${CONSTANT}·√(θn² ln n/p) in every trial, from n = 10 on.`,
      'gradientConstant',
      CONSTANT,
      1,
    ),
    powerLaw(
      'The worst δ of the objective falls with p as 1/√p or, where a few large samples decide, up to 1/p (exponents between −1.1 and −.4).',
      'worst',
      'p',
      FALL,
    ),
    powerLaw('The same for the gradient.', 'gradientWorst', 'p', FALL),
    trend('The factor n² ln n is more than is needed: the constant falls with n.', 'constant', 'n', 'falls'),
    trend('The constant of the gradient falls with n.', 'gradientConstant', 'n', 'falls'),
  ],
  references: [],
  referenceWords: 'The paper proves the statements and measures nothing.',
};
