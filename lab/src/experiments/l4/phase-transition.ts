/** Shared by the parts of figure 8: the range of θ, n and p in which each method recovers the dictionary. */
import { type Executor, type LearnOptions, recoveryError } from 'orthodict';
import { learn } from 'orthodict/node';
import { heatMap } from '../../charts/heat-map.ts';
import { formatFigure } from '../../report/numbers.ts';
import { NOT_MEASURED } from '../framework/claims.ts';
import { type Chart, type Claim, describePoint, type Measured, type Point } from '../framework/experiment.ts';
import { type Cell, cellAt, cellsOf, meanOf, quantile, type Summary } from '../framework/summary.ts';
import { bernoulliGaussian, GROUP, PLAIN } from './l4-runs.ts';

export interface Contender {
  readonly name: string;
  readonly label: string;
  readonly options: Extract<LearnOptions, { readonly method?: 'msp' | undefined }>;
}

/** Without the look further by maximum likelihood: a norm, and the refinement by the zeros of the codes. */
const NORM_ALONE = { fallback: 'none' } as const;

export const MSP: Contender = { name: 'error', label: "the paper's MSP", options: PLAIN };
const REFINED: Contender = { name: 'refined', label: 'orthodict, only ℓ4 and refinement', options: NORM_ALONE };
export const DEFAULT: Contender = { name: 'ours', label: 'orthodict', options: {} };
export const NORM3: Contender = {
  name: 'oursL3',
  label: 'orthodict, only ℓ3 and refinement',
  options: { ...NORM_ALONE, norm: 3 },
};

const METHODS = [MSP, REFINED, DEFAULT, NORM3];

/** A dictionary counts as recovered up to this mean error. */
const RECOVERED = 0.1;

const SETTING = [
  'Samples Y = X D, D orthogonal, X Bernoulli(θ) × normal. The error is |1 − ‖A Dᵀ‖₄⁴/n|, and the colour of a cell is its mean over the trials: red is large, blue is small, as in the paper.',
  `A dot marks a cell whose mean error is at most ${RECOVERED}: there the dictionary counts as recovered. orthodict runs with its default options: ℓ4, the refinement by the zeros of the codes, and where these do not certify the atoms, a search by maximum likelihood. Without that search (\`--fallback none\`) it is "only ℓ4 and refinement", and with norm 3 instead of 4 "only ℓ3 and refinement".`,
  'The parameter limit caps the iterations of all but the default, which has no other options than the seed.',
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
  for (const { name, options } of METHODS) {
    const limits = name === DEFAULT.name ? {} : { maxIterations: point.limit };
    const { dictionary } = await learn(samples, { ...options, ...limits, seed }, { executor, signal });
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
      panels: METHODS.map(({ name, label }) => ({ title: label, cells: cellsOf(summary, name) })),
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

/** A method recovers the dictionary wherever another does, the paper's by default. */
export function atLeastAsWide(words: string, measure: string, other: string = MSP.name): Claim {
  return {
    words,
    check(summary) {
      const won = cellsOf(summary, other)
        .filter(recovers)
        .map(({ point }) => cellAt(summary, measure, point)!);
      if (won.length === 0) return NOT_MEASURED;
      const worst = won.reduce((most, cell) => (meanOf(cell) > meanOf(most) ? cell : most));
      return {
        holds: recovers(worst),
        measured: `in ${won.filter(recovers).length} of ${won.length} cells, largest mean error ${formatFigure(meanOf(worst))} at ${describePoint(worst.point, summary.varying)}`,
      };
    },
  };
}

/** What the parts of figure 8 claim of orthodict. */
export const RANGE_CLAIMS = [
  atLeastAsWide('There is no cell where MSP recovers the dictionary and orthodict does not.', DEFAULT.name),
  atLeastAsWide('orthodict recovers the dictionary wherever ℓ3 and refinement do.', DEFAULT.name, NORM3.name),
  atLeastAsWide('ℓ4 and refinement alone recover it wherever MSP does.', REFINED.name),
  atLeastAsWide('ℓ3 and refinement alone recover it wherever MSP does.', NORM3.name),
];

/** How many cells each method recovers, and the errors in the cells of the paper's method. */
function rangeGain(summary: Summary): string {
  const wonBy = ({ name }: Contender) => cellsOf(summary, name).filter(recovers);
  const counts = METHODS.map((method) => `${wonBy(method).length} by ${method.label}`);
  const won = wonBy(MSP);
  const beyond = wonBy(DEFAULT).filter(({ point }) => !recovers(cellAt(summary, MSP.name, point)!));
  const examples = beyond.slice(0, EXAMPLES).map(({ point }) => describePoint(point, summary.varying));
  return [
    `Of ${summary.points.length} cells the dictionary is recovered in ${counts.join('; ')}.`,
    ...(won.length > 0
      ? [
          `In the cells that the paper's method recovers, its median error is ${[MSP, DEFAULT].map(({ name }) => middleError(summary, name, won)).join(', that of orthodict ')}.`,
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
  measures: METHODS,
  references: [],
  referenceWords: REFERENCE_WORDS,
  gain: rangeGain,
} as const;
