/** Both objectives at the start and end of many runs of MSP on data. */
import { recoveryError } from 'orthodict';
import { learn } from 'orthodict/node';
import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { atLeast, mostly } from '../framework/claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellAt, cellsOf, rankedCells, type Summary } from '../framework/summary.ts';
import { bernoulliGaussian, follow, GROUP, PAPER, PLAIN, SHORT, singleThread } from './l4-runs.ts';

const THETA = 0.3;
const DRAWN = [
  { name: 'initialG', label: '‖A Dᵀ‖₄⁴/n at the start' },
  { name: 'g', label: '‖A Dᵀ‖₄⁴/n at the end' },
  { name: 'initialF', label: '‖Y Aᵀ‖₄⁴/(3npθ) at the start' },
  { name: 'f', label: '‖Y Aᵀ‖₄⁴/(3npθ) at the end' },
];
/** A run counts as converged once g is within this of its final value. */
const ARRIVED = 1e-3;

async function trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { samples, atoms: truth } = bernoulliGaussian(point, seed);
  const setup = { executor: await singleThread(), signal };
  const { atoms, objectives } = await follow(samples, { ...PLAIN, seed }, setup);
  const ours = await learn(samples, { seed }, setup);
  const errors = atoms.map((A) => recoveryError(A, truth));
  const error = errors.at(-1)!;
  const full = 3 * samples.rows * samples.cols * point.theta;
  return {
    initialG: 1 - errors[0],
    g: 1 - error,
    initialF: objectives[0] / full,
    f: objectives.at(-1)! / full,
    iterations: errors.findIndex((value) => value <= error + ARRIVED),
    error,
    ours: recoveryError(ours.dictionary.atoms, truth),
    passes: ours.passes,
  };
}

function gain(summary: Summary): string {
  const words = summary.points.map((point) => {
    const [error, ours, iterations, passes] = ['error', 'ours', 'iterations', 'passes'].map((measure) =>
      formatFigure(cellAt(summary, measure, point)!.median),
    );
    return `n = ${point.n}: error ${error} after ${iterations} iterations of MSP, ${ours} after ${passes} passes of orthodict`;
  });
  return `${words.join('; ')} (medians).`;
}

export const figure6: Experiment = {
  name: 'figure6',
  group: GROUP,
  aliases: [SHORT, `${SHORT}-figure2`],
  title: 'Many runs of MSP on data',
  source: `${PAPER}, figure 6; n = 100 is figure 2 of the short version`,
  setting: [
    'Data and objectives as in figure 5, with new data and a new start in every trial. Iterations count until ‖A Dᵀ‖₄⁴/n is within .001 of its final value. Errors are 1 − ‖A Dᵀ‖₄⁴/n at the end.',
    'orthodict runs with its default options on the same data; its passes are all passes over the data, from the first inspection to the end of the refinement. Partial passes count by their share, and the total is rounded up.',
  ],
  parameters: ['n', 'p', 'theta'],
  measures: [
    ...DRAWN,
    { name: 'iterations', label: 'iterations of MSP' },
    { name: 'error', label: 'error of MSP' },
    { name: 'ours', label: 'error of orthodict' },
    { name: 'passes', label: 'passes of orthodict' },
  ],
  full: {
    points: [
      { n: 50, p: 20_000, theta: THETA },
      { n: 100, p: 40_000, theta: THETA },
    ],
    trials: 100,
    words: "The paper's sizes and number of trials.",
  },
  quick: {
    points: pointsOf({ n: [50], p: [20_000], theta: [THETA] }),
    trials: 6,
    words: "The smaller of the paper's sizes, fewer trials than its 100.",
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Both normalised objectives at the start and end of every trial',
      spec: lineChart({
        title: 'Figure 6: runs of MSP on data',
        subtitle: `θ = ${THETA}; one point per trial, each curve in ascending order; 1 is the global maximum`,
        along: 'rank',
        x: 'trial',
        y: 'normalised objective',
        panels: summary.points.map(({ n, p }) => ({
          title: `n = ${n}, p = ${p}`,
          lines: DRAWN.map(({ name, label }) => ({
            colour: label,
            cells: cellsOf(summary, name, { n }).flatMap(rankedCells),
          })),
          logarithmic: false,
        })),
      }),
    },
  ],
  claims: [
    atLeast('In all trials ‖A Dᵀ‖₄⁴/n reaches its global maximum 1 within .005.', 'g', 0.995, 1),
    atLeast('In all trials ‖Y Aᵀ‖₄⁴/(3npθ) reaches 1 within .03.', 'f', 0.97, 1),
    mostly('All trials take fewer than 30 iterations, as in the paper.', 'iterations', 29, 1),
    mostly('orthodict is exact, to 1e-12, in all trials.', 'ours', 1e-12, 1),
    mostly(
      'orthodict needs at most 15 passes over the data, its refinement included, in at least 95 of 100 trials.',
      'passes',
      15,
      0.95,
    ),
  ],
  references: [],
  referenceWords: 'The paper draws its trials and prints no numbers.',
  gain,
};
