/** Both objectives along one run of MSP on data. */
import { recoveryError } from 'orthodict';
import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { atLeast, mostly } from '../framework/claims.ts';
import { type Experiment, type Point, pointsOf, range } from '../framework/experiment.ts';
import { cellAt, cellsOf, type Summary } from '../framework/summary.ts';
import { allCores, bernoulliGaussian, follow, GROUP, PAPER, PLAIN, SHORT, sharedAlong } from './l4-runs.ts';

const THETA = 0.3;
/** ‖A Dᵀ‖₄⁴/n counts as converged within this of 1: the rest is the bias of few samples at these sizes. */
const ARRIVED = 0.01;
const LAST = 80;
const CURVES = [
  { name: 'g', label: '‖A Dᵀ‖₄⁴/n' },
  { name: 'f', label: '‖Y Aᵀ‖₄⁴/(3npθ)' },
];
const ERRORS = [
  { name: 'error', label: "the paper's MSP" },
  { name: 'ours', label: 'orthodict' },
];

interface Traces {
  readonly errors: readonly number[];
  readonly values: readonly number[];
  /** Until ‖A Dᵀ‖₄⁴/n arrives, and until ‖Y Aᵀ‖₄⁴/(3npθ) does. */
  readonly iterations: number;
  readonly fIterations: number;
  readonly ours: readonly number[];
  readonly passes: readonly number[];
}

const tracesOf = sharedAlong('t', async (point, seed, signal): Promise<Traces> => {
  const { samples, atoms: truth } = bernoulliGaussian(point, seed);
  const setup = { executor: await allCores(), signal };
  const plain = await follow(samples, { ...PLAIN, seed }, setup);
  const ours = await follow(samples, { seed }, setup);
  const errors = plain.atoms.map((A) => recoveryError(A, truth));
  const full = 3 * samples.rows * samples.cols * point.theta;
  const values = plain.objectives.map((objective) => objective / full);
  return {
    errors,
    values,
    iterations: firstOrNever(errors, (error) => error <= ARRIVED),
    fIterations: firstOrNever(values, (value) => value >= values.at(-1)! - ARRIVED),
    ours: ours.atoms.map((A) => recoveryError(A, truth)),
    passes: ours.passes,
  };
});

const firstOrNever = (values: readonly number[], isIt: (value: number) => boolean): number => {
  const first = values.findIndex(isIt);
  return first < 0 ? Number.POSITIVE_INFINITY : first;
};

/** The value after t passes over the data, or the last one. */
const at = (values: readonly number[], t: number): number => values[t] ?? values.at(-1)!;

const pointsFor = (sizes: ReadonlyArray<readonly [n: number, p: number, last: number]>): Point[] =>
  sizes.flatMap(([n, p, last]) => pointsOf({ n: [n], p: [p], theta: [THETA], t: range(0, last) }));

function gain(summary: Summary): string {
  const words = summary.points.filter(isLast).map((point) => {
    const [error, ours, iterations, passes] = ['error', 'ours', 'iterations', 'passes'].map((measure) =>
      formatFigure(cellAt(summary, measure, point)!.median),
    );
    return `n = ${point.n}: an error of ${ARRIVED} after ${iterations} iterations of MSP or ${passes} passes of orthodict; final errors ${error} and ${ours}`;
  });
  return `${words.join('. ')}.`;
}

export const figure5: Experiment = {
  name: 'figure5',
  group: GROUP,
  aliases: [SHORT, `${SHORT}-figure1`],
  alone: true,
  title: 'One run of MSP on data',
  source: `${PAPER}, figure 5; n = 100 and 400 are figure 1 of the short version`,
  setting: [
    `Samples Y = X D, D orthogonal, X Bernoulli(θ) × normal. Algorithm 2, A ← polar((Y Aᵀ)∘³ᵀ Y), from a random orthogonal A. The measures after t iterations are ‖Y Aᵀ‖₄⁴/(3npθ), which the algorithm maximises, and ‖A Dᵀ‖₄⁴/n, which it does not know and which is 1 if the dictionary is recovered.`,
    `For comparison, orthodict runs with its default options on the same data from the same start, measured after t passes over the data. Passes over part of the samples count by their share; the first pass, which inspects the data, counts too. Errors are 1 − ‖A Dᵀ‖₄⁴/n.`,
  ],
  parameters: ['n', 'p', 'theta', 't'],
  measures: [
    ...CURVES,
    { name: 'error', label: "error of the paper's MSP" },
    { name: 'ours', label: 'error of orthodict' },
    { name: 'iterations', label: `iterations of MSP to an error of ${ARRIVED}` },
    { name: 'apart', label: 'iterations between the arrivals of both objectives' },
    { name: 'passes', label: `passes of orthodict to an error of ${ARRIVED}` },
  ],
  full: {
    points: pointsFor([
      [50, 20_000, 40],
      [100, 40_000, 40],
      [400, 160_000, LAST],
    ]),
    trials: 1,
    words: "The papers' sizes.",
  },
  quick: { points: pointsFor([[50, 20_000, 40]]), trials: 1, words: 'The smallest size of the paper.' },
  async trial(point, seed, signal) {
    const { t } = point;
    const { errors, values, iterations, fIterations, ours, passes } = await tracesOf(point, seed, signal);
    const reached = firstOrNever(ours, (error) => error <= ARRIVED);
    return {
      g: 1 - at(errors, t),
      f: at(values, t),
      error: at(errors, t),
      ours: ours[passes.findLastIndex((count) => count <= t)],
      iterations,
      apart: Math.abs(iterations - fIterations),
      passes: passes[reached] ?? Number.POSITIVE_INFINITY,
    };
  },
  charts: (summary) => {
    const sizes = [...new Map(summary.points.map(({ n, p }) => [n, p])).entries()];
    const panel = (n: number, p: number, measures: typeof CURVES, logarithmic: boolean) => ({
      title: `n = ${n}, p = ${p}`,
      lines: measures.map(({ name, label }) => ({ colour: label, cells: cellsOf(summary, name, { n }) })),
      logarithmic,
    });
    const common = { along: 't', subtitle: `θ = ${THETA}` };
    return [
      {
        caption: 'Both normalised objectives against the iterations',
        spec: lineChart({
          ...common,
          title: 'Figure 5: one run of MSP on data',
          x: 'iterations',
          y: 'normalised objective',
          panels: sizes.map(([n, p]) => panel(n, p, CURVES, false)),
        }),
      },
      {
        suffix: '-orthodict',
        caption: 'The error of the dictionary against the passes over the data, for MSP and for orthodict',
        spec: lineChart({
          ...common,
          title: 'Figure 5, and orthodict: error against passes over the data',
          x: 'passes over the data',
          y: '1 − ‖A Dᵀ‖₄⁴/n',
          panels: sizes.map(([n, p]) => panel(n, p, ERRORS, true)),
        }),
      },
    ];
  },
  claims: [
    atLeast('MSP recovers the dictionary: ‖A Dᵀ‖₄⁴/n ends within .01 of 1.', 'g', 1 - ARRIVED, 1, isLast),
    atLeast('Its own objective also ends at its maximum, within .03.', 'f', 0.97, 1, isLast),
    mostly(
      `Both reach their maximum at the same time, as the paper says: they come within ${ARRIVED} of it at most 2 iterations apart.`,
      'apart',
      2,
      1,
      isLast,
    ),
    mostly(
      'It takes at most 30 iterations for n ≤ 100 (the paper: around 20).',
      'iterations',
      30,
      1,
      ({ n }) => n <= 100,
    ),
    mostly(
      'It takes at most 70 iterations for n = 400 (the paper: around 50).',
      'iterations',
      70,
      1,
      ({ n }) => n === 400,
    ),
    mostly('orthodict ends with the exact dictionary, to 1e-12.', 'ours', 1e-12, 1, isLast),
    mostly('orthodict needs at most 15 passes over the data to an error of .01.', 'passes', 15, 1),
  ],
  references: [],
  referenceWords: 'The papers draw their curves and print no numbers.',
  gain,
};

function isLast({ n, t }: Point): boolean {
  return t === (n === 400 ? LAST : 40);
}
