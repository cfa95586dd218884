/** Algorithm 3 from I and from arbitrary reflectors, as listed, as derived, and as orthodict has it. */
import { type Matrix64, metrics } from 'orthodict';
import { createRandom, normalMatrix, type Random, unitRows, zeros } from 'orthodict/extend';
import { lineChart, type Panel } from '../../charts/line-chart.ts';
import { below, ratioBetween } from '../framework/claims.ts';
import { type Experiment, type Measured, type Point, pointsOf, range } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { type Listing, listedAlgorithm3 } from './listed-algorithm.ts';
import { GROUP, householderData, learn, MEAN, PAPER } from './problem.ts';

const STARTS = [
  { name: 'Identity', label: 'from I' },
  { name: 'Normal', label: 'from normal entries' },
  { name: 'Uniform', label: 'from uniform entries' },
] as const;

/** The listing, with the text's Z[i+1], and orthodict, which normalises u and keeps what the mean does not contradict. */
const VARIANTS = [
  { name: 'listed', label: 'the listing', listing: { image: 'listing', normalise: false } },
  { name: 'text', label: 'with Z[i+1]', listing: { image: 'text', normalise: false } },
  { name: 'own', label: 'orthodict', listing: undefined },
] as const;

const measures = [
  { name: 'none', label: 'V̂ = I' },
  ...VARIANTS.flatMap((variant) =>
    STARTS.map((start) => ({ name: `${variant.name}${start.name}`, label: `${variant.label} ${start.label}` })),
  ),
  { name: 'deviationNormal', label: 'start with normal entries to I' },
  { name: 'deviationUniform', label: 'start with uniform entries to I' },
];

async function trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const data = householderData(point, seed);
  const { n, m, theta } = point;
  const random = createRandom(seed, 'start reflectors');
  const starts = {
    Identity: zeros(m, n),
    Normal: unitRows(normalMatrix(m, n, random)),
    Uniform: uniform(m, n, random),
  };
  const distance = (reflectors: Matrix64) => bounded(metrics.productDistance(reflectors, data.reflectors));
  const measured: Record<string, number> = { none: distance(zeros(0, n)) };
  const run = async (start: Matrix64, isGiven: boolean, listing?: Listing) => {
    if (listing) return listedAlgorithm3(data.samples, theta * MEAN, start, listing);
    const options = { reflectors: m, refine: 'none', theta, mean: MEAN } as const;
    return learn(data, { ...options, ...(isGiven && { start }) }, signal);
  };
  for (const { name: variant, listing } of VARIANTS) {
    for (const { name } of STARTS) {
      signal.throwIfAborted();
      measured[`${variant}${name}`] = distance(await run(starts[name], name !== 'Identity', listing));
    }
  }
  measured.deviationNormal = metrics.productDistance(starts.Normal, zeros(0, n));
  measured.deviationUniform = metrics.productDistance(starts.Uniform, zeros(0, n));
  return measured;
}

/** Errors can leave the range of numbers where u grows from step to step. */
const MOST = 1e6;
const bounded = (error: number) => (Number.isNaN(error) ? MOST : Math.min(error, MOST));

function uniform(m: number, n: number, random: Random): Matrix64 {
  const entries = zeros(m, n);
  for (let at = 0; at < entries.data.length; at++) entries.data[at] = random.uniform();
  return unitRows(entries);
}

const panelsOf = (summary: Summary, where: Point): Panel[] =>
  VARIANTS.map((variant) => ({
    title: variant.label,
    lines: [
      ...STARTS.map((start) => ({
        colour: start.label,
        cells: cellsOf(summary, `${variant.name}${start.name}`, where),
      })),
      { colour: 'V̂ = I', cells: cellsOf(summary, 'none', where) },
    ],
  }));

/** The sizes of figure 1, and those of figure 2 with more samples. */
const few = ({ p, n }: Point) => n === 1000 && p === 20;
const many = ({ p }: Point) => p >= 200;
const figure1 = { n: [1000], p: [20], theta: [0.3] };
const figure2 = { n: [200], p: [20, 200, 2000], theta: [0.3], m: [10] };
const WELL = 1.25;

const worksWell = (who: string, variant: string, start: string, where: (point: Point) => boolean) =>
  ratioBetween(
    `"Works well even if we initialize the matrices as arbitrary Householder matrices", ${who}: at most ${WELL} times the error from I.`,
    `${variant}${start}`,
    `${variant}Identity`,
    [0, WELL],
    where,
  );

export const householderStart: Experiment = {
  name: 'householder-start',
  group: GROUP,
  title: 'Algorithm 3 from arbitrary reflectors',
  source: `${PAPER}, section 6.3 and Algorithm 3`,
  setting: [
    `The paper starts all H_i as I and adds: "The algorithm works well even if we initialize the matrices as arbitrary Householder matrices, since their deviation from the identity matrix is not too large, considering the multiple cases of choosing the vector u." We read "works well" as an error of at most ${WELL} times that from I, and below that of V̂ = I; "arbitrary" as unit vectors u with normal entries, and as vectors drawn like those of the truth, with uniform entries: the two cases of the paper.`,
    'Samples as in figures 1 and 2; θ and μ are given; the error is ‖V − V̂‖_F. The listing of Algorithm 3 takes Z[i] for Q1 and u as it comes, which is not quite a unit vector; the derivation has Z[i+1], without the H_i that the step is about to replace. Neither has a rule for k·s ≤ 0, where u has no real value: here H_i = I. orthodict takes Z[i+1], normalises u, and keeps a reflector of the start unless the mean of the samples contradicts it.',
    'First moments determine V1, and the first step fits it, so the mean holds nothing new for the later ones. With exact moments each of them would find the reflector it was started with, and a wrong start would stay wrong: that is what orthodict does. With few samples and normal entries the listing forgets its start: noise makes the mean longer than it should be, k·s negative, and H_i = I. So the sentence holds there for a reason other than the one given, and fails where the start counts: with uniform entries, and with more samples. Then k·s can come near 0, and u, as it comes, grows without bound (errors above 1e6 count as that).',
    'With two reflectors even the start from I is worse than V̂ = I: one reflector has determinant −1, the product of two has 1, and orthogonal matrices of different determinants are at least 2 apart.',
  ],
  parameters: ['n', 'theta', 'm', 'p'],
  measures,
  full: {
    points: [...pointsOf({ ...figure1, m: range(1, 10) }), ...pointsOf(figure2)],
    trials: 20,
    words: 'The sizes of figure 1, n = 1000, p = 20; and n = 200, m = 10 as in figure 2, with up to 2000 samples.',
  },
  quick: {
    points: [...pointsOf({ ...figure1, m: [1, 2, 10] }), ...pointsOf(figure2)],
    trials: 3,
    words: 'n = 1000, p = 20 as in figure 1, fewer m; n = 200, m = 10 as in figure 2, with up to 2000 samples.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Error of Algorithm 3 from three starts against the number of reflectors, for three variants',
      spec: lineChart({
        title: 'Algorithm 3 from arbitrary reflectors, few samples',
        subtitle: 'n = 1000, p = 20, θ = 0.3; medians and the middle 80 % of the trials',
        along: 'm',
        x: 'number of reflectors m',
        y: '‖V − V̂‖ (Frobenius)',
        panels: panelsOf(summary, { n: 1000, p: 20 }),
      }),
    },
    {
      suffix: '-samples',
      caption: 'Error of Algorithm 3 from three starts against the number of samples, for three variants',
      spec: lineChart({
        title: 'Algorithm 3 from arbitrary reflectors, more samples',
        subtitle: 'n = 200, m = 10, θ = 0.3; medians and the middle 80 % of the trials',
        along: 'p',
        x: 'number of samples p',
        xLogarithmic: true,
        y: '‖V − V̂‖ (Frobenius)',
        panels: panelsOf(summary, { n: 200 }),
      }),
    },
  ],
  claims: [
    worksWell('the listing, normal entries, n = 1000, p = 20', 'listed', 'Normal', few),
    worksWell('the listing, uniform entries, n = 1000, p = 20', 'listed', 'Uniform', few),
    worksWell('the listing, normal entries, p ≥ 200', 'listed', 'Normal', many),
    worksWell('orthodict, normal entries, n = 1000, p = 20', 'own', 'Normal', few),
    worksWell('orthodict, uniform entries, n = 1000, p = 20', 'own', 'Uniform', few),
    below('"Works well" from I, n = 1000, p = 20: the listing is better than V̂ = I.', 'listedIdentity', ['none'], few),
    below(
      '"Works well" from normal entries, n = 1000, p = 20: the listing is better than V̂ = I.',
      'listedNormal',
      ['none'],
      few,
    ),
    ratioBetween(
      '"Their deviation from the identity matrix is not too large": with normal entries at most that of V.',
      'deviationNormal',
      'none',
      [0, 1],
    ),
    ratioBetween(
      '"Their deviation from the identity matrix is not too large": with uniform entries that of V, up to 10 %.',
      'deviationUniform',
      'none',
      [0, 1.1],
    ),
    below(
      "For m = 1, where nothing of the start should stay, the text's Z[i+1] is better than the listing's Z[i] from uniform entries.",
      'textUniform',
      ['listedUniform'],
      ({ m }) => m === 1,
    ),
    ratioBetween(
      'A normalised u has a lower error than u as it comes, by less than a tenth: from I, n = 1000, p = 20.',
      'listedIdentity',
      'ownIdentity',
      [1, 1.1],
      few,
    ),
  ],
  references: [],
  referenceWords: 'The paper has no numbers for this.',
};
