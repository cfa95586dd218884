/** Shared by the parts of figure 8: the range of θ, n and p in which each method recovers the dictionary. */
import type { Executor } from '../../engine/executor.ts';
import { recoveryError } from '../../metrics/recovery-error.ts';
import { learn } from '../../node/learn.ts';
import { formatFigure } from '../charts/figures.ts';
import { heatMap } from '../charts/heat-map.ts';
import { NOT_MEASURED } from '../framework/claims.ts';
import { type Chart, type Claim, describePoint, type Measured, type Point } from '../framework/experiment.ts';
import { type Cell, cellAt, cellsOf, meanOf, quantile, type Summary } from '../framework/summary.ts';
import { bernoulliGaussian, GROUP, PLAIN } from './l4-runs.ts';

const CONTENDERS = [
  { name: 'error', label: "the paper's MSP", options: PLAIN },
  { name: 'ours', label: 'orthodict', options: {} },
  { name: 'oursL3', label: 'orthodict, norm 3', options: { norm: 3 } },
] as const;

/** A dictionary counts as recovered up to this mean error. */
const RECOVERED = 0.1;

const SETTING = [
  'Samples Y = X D, D orthogonal, X Bernoulli(θ) × normal. The error is |1 − ‖A Dᵀ‖₄⁴/n|, and the colour of a cell is its mean over the trials: red is large, blue is small, as in the paper.',
  `A dot marks a cell whose mean error is at most ${RECOVERED}: there the dictionary counts as recovered. The parameter limit caps the iterations of every method. orthodict runs with its default options, and again with norm 3 instead of 4.`,
];

const REFERENCE_WORDS = 'The paper draws maps and prints no numbers.';

/** Point: n, p, theta, limit (of iterations). */
export async function recoveryErrors(
  point: Point,
  seed: number,
  signal: AbortSignal,
  executor: Executor,
): Promise<Measured> {
  const { samples, atoms } = bernoulliGaussian(point, seed);
  const measured: Record<string, number> = {};
  for (const { name, options } of CONTENDERS) {
    const { dictionary } = await learn(samples, { ...options, maxIterations: point.limit, seed }, { executor, signal });
    measured[name] = recoveryError(dictionary.atoms, atoms);
  }
  return measured;
}

export function phaseMap(
  summary: Summary,
  title: string,
  subtitle: string,
  across: { name: string; words: string },
): Chart {
  return {
    caption: `${title}: for the paper's method and for orthodict`,
    spec: heatMap({
      title,
      subtitle: `${subtitle}; dots mark mean errors up to ${RECOVERED}`,
      across: across.name,
      x: across.words,
      up: 'p',
      y: 'number of samples p',
      colour: 'mean error',
      dotted: RECOVERED,
      panels: CONTENDERS.map(({ name, label }) => ({ title: label, cells: cellsOf(summary, name) })),
    }),
  };
}

const recovers = (cell: Cell): boolean => meanOf(cell) <= RECOVERED;

/** The paper's method recovers the dictionary at all of these points, or at none. */
export function boundary(words: string, expected: boolean, where: (point: Point) => boolean): Claim {
  return {
    words,
    check(summary) {
      const cells = cellsOf(summary, 'error').filter(({ point }) => where(point));
      if (cells.length === 0) return NOT_MEASURED;
      const sign = expected ? 1 : -1;
      const worst = cells.reduce((most, cell) => (sign * meanOf(cell) > sign * meanOf(most) ? cell : most));
      return {
        holds: cells.every((cell) => recovers(cell) === expected),
        measured: `${cells.length} cells, ${expected ? 'largest' : 'smallest'} mean error ${formatFigure(meanOf(worst))} at ${describePoint(worst.point, summary.varying)}`,
      };
    },
  };
}

/** Another method recovers the dictionary wherever the paper's does. */
export function atLeastAsWide(words: string, measure: string): Claim {
  return {
    words,
    check(summary) {
      const others = cellsOf(summary, 'error')
        .filter(recovers)
        .map(({ point }) => cellAt(summary, measure, point)!);
      if (others.length === 0) return NOT_MEASURED;
      const worst = others.reduce((most, cell) => (meanOf(cell) > meanOf(most) ? cell : most));
      return {
        holds: recovers(worst),
        measured: `in ${others.filter(recovers).length} of ${others.length} cells, largest mean error ${formatFigure(meanOf(worst))} at ${describePoint(worst.point, summary.varying)}`,
      };
    },
  };
}

/** How many cells each method recovers, and the errors in the cells of the paper's method. */
function rangeGain(summary: Summary): string {
  const cellsWon = CONTENDERS.map(({ name }) => cellsOf(summary, name).filter(recovers));
  const [paper, ours, oursL3] = cellsWon.map(({ length }) => length);
  const beyond = cellsWon[1].filter(({ point }) => !recovers(cellAt(summary, 'error', point)!));
  const examples = beyond.slice(0, EXAMPLES).map(({ point }) => describePoint(point, summary.varying));
  return [
    `The dictionary is recovered in ${paper} of ${summary.points.length} cells by the paper's method, in ${ours} by orthodict and in ${oursL3} by orthodict with norm 3.`,
    ...(paper > 0
      ? [
          `In the cells that the paper's method recovers, its median error is ${['error', 'ours'].map((name) => middleError(summary, name, cellsWon[0])).join(', that of orthodict ')}.`,
        ]
      : []),
    ...(examples.length > 0
      ? [`Recovered by orthodict but not by MSP: ${examples.join('; ')}${beyond.length > EXAMPLES ? '; …' : ''}.`]
      : []),
  ].join(' ');
}

const EXAMPLES = 6;

function middleError(summary: Summary, measure: string, where: readonly Cell[]): string {
  const medians = Float64Array.from(where, ({ point }) => cellAt(summary, measure, point)!.median).sort();
  return formatFigure(quantile(medians, 0.5));
}

/** The fields common to the parts of figure 8. */
export const PART = {
  group: GROUP,
  setting: SETTING,
  measures: CONTENDERS,
  references: [],
  referenceWords: REFERENCE_WORDS,
  gain: rangeGain,
} as const;
