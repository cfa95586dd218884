/** The paper's conclusion: MSP "generalizes well to data with dense noise, outliers, and sparse corruptions". */
import { generate, recoveryError } from 'orthodict';
import { learn } from 'orthodict/node';
import { lineChart } from '../../charts/line-chart.ts';
import { formatFigure } from '../../report/numbers.ts';
import { markdownTable } from '../../report/table.ts';
import { below, mostly, NOT_MEASURED, near } from '../framework/claims.ts';
import { type Claim, describePoint, type Experiment, type Measured, type Point } from '../framework/experiment.ts';
import { type Cell, cellAt, cellsOf, meanOf, type Summary } from '../framework/summary.ts';
import { PAPER, PLAIN, singleThread } from '../l4/l4-runs.ts';
import { leastError } from './cramer-rao.ts';
import { GROUP } from './orthogonal-group.ts';
import { perturbedError } from './perturbed-error.ts';

const LEVELS = {
  noise: [0.1, 0.2, 0.3, 0.4, 0.5, 0.7],
  outliers: [0.1, 0.2, 0.3, 0.5],
  corruption: [0.05, 0.1, 0.2, 0.3],
} as const;
type Kind = keyof typeof LEVELS;
const KINDS: ReadonlyArray<{ readonly kind: Kind; readonly title: string; readonly x: string }> = [
  { kind: 'noise', title: 'dense noise', x: 'standard deviation σ' },
  { kind: 'outliers', title: 'outliers', x: 'share of the samples' },
  { kind: 'corruption', title: 'sparse corruptions', x: 'share of the numbers' },
];
const CLEAN = { noise: 0, outliers: 0, corruption: 0 };

async function trial(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { n, p, theta, noise, outliers, corruption } = point;
  const { samples, atoms } = generate({ features: n, samples: p, theta, noise, outliers, corruption, seed });
  const setup = { executor: await singleThread(), signal };
  const plain = await learn(samples, { ...PLAIN, seed }, setup);
  const refined = await learn(samples, { fallback: 'none', seed }, setup);
  const ours = await learn(samples, { seed }, setup);
  return {
    error: recoveryError(plain.dictionary.atoms, atoms),
    refined: recoveryError(refined.dictionary.atoms, atoms),
    ours: recoveryError(ours.dictionary.atoms, atoms),
    law: perturbedError(point),
    ...(isNoisy(point) && { least: leastError(point) }),
  };
}

/** The clean data, and each kind of perturbation by itself. */
function pointsAt(size: Point, levels: Readonly<Record<Kind, readonly number[]>>): Point[] {
  const perturbed = KINDS.flatMap(({ kind }) => levels[kind].map((level) => ({ ...CLEAN, [kind]: level })));
  return [CLEAN, ...perturbed].map((perturbation) => ({ ...size, ...perturbation }));
}

const MEASURES = [
  { name: 'error', label: "the paper's MSP" },
  { name: 'refined', label: 'orthodict, only ℓ4 and refinement' },
  { name: 'ours', label: 'orthodict' },
  { name: 'law', label: 'law of MSP' },
  { name: 'least', label: 'Cramér-Rao limit' },
];

const SMALL = { n: 25, p: 10_000, theta: 0.3 };
const LARGE = { n: 50, p: 20_000, theta: 0.3 };

/** Points where one kind of perturbation varies and the others are absent. */
const isOnly = (kind: Kind) => (point: Point) => KINDS.every((other) => other.kind === kind || point[other.kind] === 0);

const isNoisy = (point: Point): boolean => point.noise > 0 && isOnly('noise')(point);

function panelsOf(summary: Summary) {
  const n = Math.max(...summary.points.map((point) => point.n));
  const cells = (measure: string, kind: Kind) =>
    cellsOf(summary, measure, { n })
      .filter(({ point }) => isOnly(kind)(point) && (kind !== 'noise' || point.noise > 0)) // exact without noise
      .map((cell) => ({ ...cell, point: { ...cell.point, level: cell.point[kind] } }));
  return KINDS.map(({ kind, title, x }) => ({
    title: `${title}: ${x}`,
    logarithmic: kind === 'noise',
    lines: MEASURES.map(({ name, label }) => ({ colour: label, cells: cells(name, kind) })),
  }));
}

/** The mean over the trials is within a tenth of the least error possible. */
function byMean(words: string, where: (point: Point) => boolean): Claim {
  return {
    words,
    check(summary) {
      const ratios = cellsOf(summary, 'ours')
        .filter(({ point }) => where(point))
        .map((cell) => ({ point: cell.point, ratio: meanOf(cell) / leastError(cell.point) }));
      if (ratios.length === 0) return NOT_MEASURED;
      const worst = ratios.reduce((most, each) => (Math.abs(each.ratio - 1) > Math.abs(most.ratio - 1) ? each : most));
      return {
        holds: ratios.every(({ ratio }) => Math.abs(ratio - 1) <= 0.1),
        measured: `${ratios.length} points, farthest ${formatFigure(worst.ratio)} times the limit at ${describePoint(worst.point, summary.varying)}`,
      };
    },
  };
}

/** Errors below this are rounding. */
const EXACT = 1e-16;

const noWorse: Claim = {
  words: 'The mean error of orthodict is nowhere above that of ℓ4 and refinement alone by more than 1 %.',
  check(summary) {
    const mean = (cell: Cell) => Math.max(meanOf(cell), EXACT);
    const ratios = cellsOf(summary, 'ours').map((cell) => ({
      point: cell.point,
      ratio: mean(cell) / mean(cellAt(summary, 'refined', cell.point)!),
    }));
    const worst = ratios.reduce((most, each) => (each.ratio > most.ratio ? each : most));
    return {
      holds: worst.ratio <= 1.01,
      measured: `${ratios.filter(({ ratio }) => ratio > 1.01).length} of ${ratios.length} points; largest ratio ${formatFigure(worst.ratio)} at ${describePoint(worst.point, summary.varying)}`,
    };
  },
};

/** Mean errors under noise over the least possible. */
function overLimit(summary: Summary): string {
  const methods = MEASURES.slice(0, 3);
  const points = summary.points.filter(isNoisy);
  const rows = points.map((point) => {
    const least = leastError(point);
    const ratios = methods.map(({ name }) => (meanOf(cellAt(summary, name, point)!) / least).toFixed(2));
    return [String(point.n), String(point.noise), least.toExponential(1), ...ratios];
  });
  return [
    'Mean errors under noise, as multiples of the Cramér-Rao limit:',
    markdownTable(['n', 'σ', 'limit', ...methods.map(({ label }) => label)], rows),
  ].join('\n\n');
}

const fullPoints = [LARGE, SMALL].flatMap((size) => pointsAt(size, LEVELS));
const laws = fullPoints
  .filter(({ corruption }) => corruption === 0)
  .map((point) => ({ point, measure: 'error', value: perturbedError(point) }))
  .filter(({ value }) => value < 0.02);

export const robust: Experiment = {
  name: `${GROUP}-robust`,
  group: GROUP,
  title: 'Noise, outliers and corruptions',
  source: `${PAPER}, section 6`,
  setting: [
    'The paper: "the proposed algorithm actually generalizes well to data with dense noise, outliers, and sparse corruptions". Samples Y = X D, X Bernoulli(.3) × normal, perturbed in one way: normal noise of standard deviation σ on every number (the codes have a root mean square of .55); a share of the samples replaced by dense normal ones of the same energy; ±1 added to a share of the numbers. The error is |1 − ‖A Dᵀ‖₄⁴/n|.',
    'The law of MSP is the error that ℓ4 maximisation must have for many samples, from the sixth moments of the perturbed codes: 2(n − 1)·16v/(c²p) with v = 2(E z_i⁶z_j² − E z_i⁴z_j⁴) and c = 8E z⁴ − 24E z_i²z_j². Noise leaves c as it is, 24θ(1 − θ), because a normal has no kurtosis: it does not move the maximum, it only adds variance. For corruptions the law takes them as noise of variance equal to their share.',
    'The Cramér-Rao limit is the least error that any unbiased estimate can have under noise: (n − 1)/(p(Jv − 1)), v the mean square of a noisy code and J the Fisher information of its density, by numeric quadrature.',
    'orthodict runs with its default options. Its refinement uses zeros of the codes where there are some: outliers leave them; under strong noise and corruptions it finds none that it can trust. There it looks further, by maximum likelihood of codes that are nearly zero or not. Without that search (`--fallback none`) it is "only ℓ4 and refinement".',
  ],
  parameters: ['n', 'p', 'theta', 'noise', 'outliers', 'corruption'],
  measures: MEASURES,
  full: {
    points: fullPoints,
    trials: 5,
    words: 'n = 50 and p = 20,000 as in figure 5, and n = 25. The paper shows no such data.',
  },
  quick: {
    points: pointsAt(SMALL, { noise: [0.2, 0.5, 0.7], outliers: [0.1, 0.5], corruption: [0.05, 0.1, 0.3] }),
    trials: 2,
    words: 'n = 25, fewer levels. The paper shows no such data.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Recovery error against the level of noise, outliers and corruptions, for MSP and orthodict',
      spec: lineChart({
        title: 'Section 6: recovery error from perturbed samples',
        subtitle: `n = ${Math.max(...summary.points.map(({ n }) => n))}, p = 400n, θ = .3; medians and the middle 80 % of the trials`,
        along: 'level',
        x: 'level of the perturbation',
        y: '|1 − g|',
        panels: panelsOf(summary),
      }),
    },
  ],
  overview: overLimit,
  claims: [
    mostly(
      'Dense noise up to σ = .5, about the size of the codes: MSP recovers the dictionary, error at most .03.',
      'error',
      0.03,
      1,
      (point) => isOnly('noise')(point) && point.noise <= 0.5,
    ),
    mostly('Outliers up to half of the samples: error at most .03.', 'error', 0.03, 1, isOnly('outliers')),
    mostly('Corruptions of up to 3 of 10 numbers: error at most .05.', 'error', 0.05, 1, isOnly('corruption')),
    near(
      'With noise and outliers the error of MSP is that of the law, within a third, while the law is below .02.',
      laws,
      1 / 3,
    ),
    byMean(
      'With noise from σ = .2 to .5 the mean error of orthodict is within 10 % of the Cramér-Rao limit.',
      (point) => isNoisy(point) && point.noise >= 0.2 && point.noise <= 0.5,
    ),
    byMean('So it is with σ = .7.', (point) => isNoisy(point) && point.noise === 0.7),
    noWorse,
    mostly(
      'With 5 % of the numbers corrupted, orthodict is exact, error at most 1e-9, in at least half of the trials.',
      'ours',
      1e-9,
      0.5,
      (point) => point.corruption === 0.05,
    ),
    below('orthodict is nowhere worse than MSP by more than 1 %.', 'ours', ['error'], () => true, 1.01),
    below(
      'With noise up to σ = .2 orthodict has less than half the error of MSP.',
      'ours',
      ['error'],
      (point) => isOnly('noise')(point) && point.noise <= 0.2,
      0.5,
    ),
    mostly('With outliers orthodict is exact, error at most 1e-9.', 'ours', 1e-9, 1, isOnly('outliers')),
  ],
  references: [],
  referenceWords: 'The paper states this without numbers.',
  compared: { paper: 'error', ours: 'ours' },
};
