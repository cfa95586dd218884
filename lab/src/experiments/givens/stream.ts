/** Algorithm 5, streaming sparse PCA, against orthodict's stream and against the batch method. */
import { generateSparseComponents } from 'orthodict';
import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { atLeast, below } from '../framework/claims.ts';
import { holdsUp, trend } from '../framework/curve-claims.ts';
import {
  type Chart,
  type Claim,
  describePoint,
  type Experiment,
  type Measure,
  type Point,
  pointsOf,
} from '../framework/experiment.ts';
import { cellAt, cellsOf, type Summary } from '../framework/summary.ts';
import { DIGITS, drawDigits, PIXELS } from '../sparse-pca/digits.ts';
import { centre } from '../sparse-pca/explained.ts';
import { GROUP, PAPER } from './paper.ts';
import { FIXED, runStreams, STREAMS, type StreamData } from './stream-runs.ts';

const COLUMNS = [
  { name: 'Worth', label: 'explained, of batch' },
  { name: 'Nonzeros', label: 'non-zeros per component' },
  { name: 'Exact', label: 'supports found' },
  { name: 'Kept', label: 'variance kept' },
  { name: 'Time', label: 'µs per sample' },
];
const BOUND = 'm principal components';

const measuresOf = (columns: typeof COLUMNS): Measure[] => [
  ...STREAMS.flatMap(({ name, label }) =>
    columns.map((column) => ({
      name: `${name}${column.name}`,
      label: `${label}: ${column.label}`,
      method: label,
      column: column.label,
    })),
  ),
  { name: 'principalKept', label: BOUND, method: BOUND, column: 'variance kept' },
];

const M = 5;
const K = 8;
const LS = [M, 2 * M, 10 * M];
const fewest = ({ L, m }: Point): boolean => L === m;

function chartsOf(summary: Summary, title: string): Chart[] {
  const last = Math.max(...summary.points.map(({ p }) => p));
  const lines = (column: string, where: Point) =>
    STREAMS.map(({ name, label }) => ({ colour: label, cells: cellsOf(summary, `${name}${column}`, where) }));
  const bound = (where: Point) => ({ colour: BOUND, cells: cellsOf(summary, 'principalKept', where) });
  const { m } = summary.points[0];
  const medians = 'medians and the middle 80 % of the trials';
  return [
    {
      caption: `What streams explain and keep of ${title}, against the rotations per sample`,
      spec: lineChart({
        title: `Algorithm 5 and the rotations per sample: ${title}`,
        subtitle: `after ${last} samples, m = ${m}; ${medians}`,
        along: 'L',
        x: 'rotations L per sample',
        xLogarithmic: true,
        y: '',
        panels: [
          { title: 'adjusted variance, of batch', y: 'share', lines: lines('Worth', { p: last }), logarithmic: false },
          {
            title: 'variance kept in memory',
            y: 'share of the total',
            lines: [...lines('Kept', { p: last }), bound({ p: last })],
            logarithmic: false,
          },
        ],
      }),
    },
    {
      suffix: '-samples',
      caption: `Non-zeros of streams and what they explain of ${title}, against the number of samples`,
      spec: lineChart({
        title: `Algorithm 5 and the number of samples: ${title}`,
        subtitle: `L = m = ${m} rotations per sample; ${medians}`,
        along: 'p',
        x: 'samples seen',
        xLogarithmic: true,
        y: '',
        panels: [
          { title: 'non-zeros per component', y: 'non-zeros', lines: lines('Nonzeros', { L: m }), logarithmic: false },
          { title: 'adjusted variance, of batch', y: 'share', lines: lines('Worth', { L: m }), logarithmic: false },
        ],
      }),
    },
  ];
}

const CLAIMS: readonly Claim[] = [
  holdsUp(
    '"Order m steps after each new sample are enough for good results": at its best γ, Algorithm 5 explains with L = m at least 90 % of what it explains with L = 10 m.',
    'bestWorth',
    { along: 'L', few: M, many: 10 * M },
    0.9,
  ),
  atLeast(
    'The results are good in comparison with the batch method: with L = m and its best γ, Algorithm 5 explains at least 90 % of what that does, in half of the trials or more.',
    'bestWorth',
    0.9,
    0.5,
    fewest,
  ),
  holdsUp(
    '"There is no need for it to converge in the inner iterations": with L = m, AU keeps at least 95 % of the variance that it keeps with L = 10 m.',
    'bestKept',
    { along: 'L', few: M, many: 10 * M },
    0.95,
  ),
  below(
    '"It then chooses the column with the least l2 and replaces it with a new data sample": that column is lost, so with L = 10 m a column more lets AU keep more of the variance.',
    'bestKept',
    ['spareKept'],
    ({ L, m }) => L === 10 * m,
  ),
  trend(
    'With its fixed γ, Algorithm 5 has more non-zeros at the end of the stream than at its beginning.',
    'givenNonzeros',
    'p',
    'rises',
  ),
  atLeast(
    "orthodict's stream explains at least 97 % of what the batch method does at every point, in half of the trials or more.",
    'oursWorth',
    0.97,
    0.5,
  ),
  below("Algorithm 5 at its best γ explains less than orthodict's stream.", 'bestWorth', ['oursWorth']),
];

const SETTING = [
  `Every sample is seen once, in one of five ways: orthodict's stream with its defaults (a reserve of 16 rows) and ${K} non-zeros per component; the same without a reserve; and Algorithm 5 of the paper to the letter
(lab/src/methods/sparse-pca), with γ of the batch method at ${K} non-zeros (where L = m only), and with the best of γ = ${FIXED.join(', ')} times the root mean square of the data, chosen in hindsight by what it explains; and Algorithm 5 with that γ and m + 1 columns, of which the m strongest count. Samples have no mean. L counts rotations of components;
orthodict makes up to 15 cheaper ones besides, with the rows of its reserve. Time is that of one thread on a shared machine.`,
  `*Explained* is the adjusted variance of all samples, divided by that of the batch power method (\`gpower\`) with as many non-zeros, at least ${K} per component. *Kept* is the share of the variance that the rows in memory still have; no m rows have more than the m leading principal components.`,
  `What is seen: one of the m rows of AU always makes room for the next sample, so as a rule no more than m − 1 components last; with many rotations a column more makes up for it. More is lost with every sample if rotations are few, because L = m random pairs do not move the variance out of the row that is replaced: the variance kept shows it.
A fixed γ means something else after every number of samples. The entries of AU that belong to a component grow with the square root of that number, while noise in AU stays as large as in one sample: a γ above the noise keeps its zeros on planted data, whereas the γ that is right for the covariance, as in the batch method, is below it and leaves most entries.
In digits every pixel belongs to some component, and no fixed γ of the grid leaves as few as ${K}. A γ above all numbers of every sample leaves F = 0 at every angle: nothing is ever rotated, and AU is only the largest samples. γ = 0 ends there too, as F is then the same at every angle. orthodict lets γ grow with the rows.`,
];

/** How long a sample takes, where L = m. */
function times(summary: Summary): string {
  const { m } = summary.points[0];
  const p = Math.max(...summary.points.map((point) => point.p));
  const times = STREAMS.map(({ name, label }) => {
    const { median } = cellAt(summary, `${name}Time`, { p, L: m })!;
    return `${label} ${formatFigure(median)} µs`;
  });
  return `Time per sample at ${describePoint({ p, L: m })}: ${times.join(', ')}.`;
}

interface Set {
  readonly name: string;
  readonly title: string;
  readonly words: string;
  /** Features. */
  readonly n: number;
  /** Samples, of the full grid. */
  readonly ps: readonly number[];
  load(point: Point, seed: number): Promise<StreamData>;
  readonly columns: typeof COLUMNS;
  readonly claims: readonly Claim[];
}

const SHORT = [50, 200];

function streamExperiment({ name, title, words, n, ps, load, columns, claims }: Set): Experiment {
  const shape = { n: [n], m: [M], K: [K] };
  return {
    name,
    group: GROUP,
    title: `Streaming sparse PCA: ${title}`,
    source: `${PAPER}, supplement, section C and algorithm 5`,
    setting: [words, ...SETTING],
    parameters: ['n', 'm', 'K', 'p', 'L'],
    measures: measuresOf(columns),
    full: {
      points: pointsOf({ ...shape, p: [...SHORT, ...ps], L: LS }),
      trials: 10,
      words: `m = ${M} components, up to ${Math.max(...ps)} samples; the supplement gives no sizes.`,
    },
    quick: {
      points: [...pointsOf({ ...shape, p: [SHORT[0]], L: [M] }), ...pointsOf({ ...shape, p: [SHORT[1]], L: LS })],
      trials: 2,
      words: `m = ${M} components, ${SHORT.join(' and ')} samples; the supplement gives no sizes.`,
    },
    trial: async (point, seed, signal) => runStreams(await load(point, seed), point, seed, signal),
    charts: (summary) => chartsOf(summary, title),
    claims: [...CLAIMS, ...claims],
    references: [],
    referenceWords: 'The supplement describes the algorithm and has no figures of it.',
    gain: times,
  };
}

const FEATURES = 60;

export const givensStream: Experiment = streamExperiment({
  name: 'givens-stream',
  title: 'planted components',
  words: `Samples of ${FEATURES} features with ${M} planted components of ${K} non-zeros each on disjoint supports, of standard deviations 10 to 6 (3.5 to 2.1 per feature), and normal noise of 1.`,
  n: FEATURES,
  ps: [800, 3200],
  columns: COLUMNS,
  async load({ n, m, K: nonzeros, p }, seed) {
    const { samples, loadings } = generateSparseComponents({ samples: p, features: n, components: m, nonzeros, seed });
    return { samples: centre(samples), truth: loadings };
  },
  claims: [
    atLeast(
      `orthodict's stream finds all ${M} supports to the last feature in at least 9 of 10 trials.`,
      'oursExact',
      M,
      0.9,
    ),
    atLeast(`Algorithm 5 at its best γ finds all ${M} supports in half of the trials.`, 'bestExact', M, 0.5),
  ],
});

export const givensStreamDigits: Experiment = streamExperiment({
  name: 'givens-stream-digits',
  title: 'handwritten digits',
  words: `The 8×8 pictures of handwritten digits that ship with orthodict, in random order.`,
  n: PIXELS,
  ps: [800, DIGITS],
  columns: COLUMNS.filter(({ name }) => name !== 'Exact'),
  load: async ({ p }, seed) => ({ samples: centre(await drawDigits(p, seed)) }),
  claims: [],
});
