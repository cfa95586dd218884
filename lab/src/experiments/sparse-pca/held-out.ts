/** What sparse components explain against their non-zeros, on both halves of four data sets, for our methods and others. */
import type { Matrix64 } from 'orthodict';
import { lineChart } from '../../charts/line-chart.ts';
import { STEPS } from '../../contenders/sklearn-sparse-pca.ts';
import type { DataPackage } from '../../data-package.ts';
import { below } from '../framework/claims.ts';
import { describePoint, type Experiment, type Measure, pointsOf } from '../framework/experiment.ts';
import { cellAt, cellsOf, type Summary } from '../framework/summary.ts';
import { DIGITS, drawDigits, PIXELS } from './digits.ts';
import { ARRAYS, drawArrays, GENES, golub } from './golub.ts';
import { compareOnHalves, METHODS } from './halves.ts';
import { cancer, readTable, wine } from './tables.ts';

const COLUMNS = [
  { name: 'Adjusted', label: 'adjusted variance' },
  { name: 'Held', label: 'adjusted variance, held out' },
  { name: 'Span', label: 'variance in the span' },
  { name: 'SpanHeld', label: 'in the span, held out' },
  { name: 'Nonzeros', label: 'non-zeros per component' },
  { name: 'Seconds', label: 'seconds' },
];

const measures: readonly Measure[] = METHODS.flatMap(({ name, label }) =>
  COLUMNS.map((column) => ({
    name: `${name}${column.name}`,
    label: `${label}: ${column.label}`,
    method: label,
    column: column.label,
  })),
);

const SETTING = [
  `Components are learned from one random half of the samples and judged on both halves. m components have K non-zeros each; \`variance, shared\` (\`totalNonzeros\`) and SparsePCA of scikit-learn have m K in all, and divide them among the components. SparsePCA (coordinate descent, at most \`limit\` iterations, a column of the raw trials) has a penalty instead:
of a path of ${STEPS} penalties the fit counts that has most non-zeros, but at most m K. Its seconds are those of that fit alone. Thresholded PCA keeps the K largest entries of every principal component. Without scikit-learn for /usr/bin/python3 or python3 (Debian: python3-sklearn) SparsePCA takes no part.`,
  `Two scores for all, as shares of the total variance: the adjusted variance of the scores (Zou, Hastie & Tibshirani 2006), and the variance in the span of the loadings, 1 − ‖Y − Y Z⁺ Z‖²/‖Y‖².`,
];

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Who explains most at every K. */
function winners(summary: Summary): string {
  const ranks = summary.points.map((point) => {
    const ranked = METHODS.flatMap(({ name, label }) => {
      const cell = cellAt(summary, `${name}Adjusted`, point);
      return cell ? [{ label, median: cell.median }] : [];
    }).sort((a, b) => b.median - a.median);
    const places = ranked.slice(0, 3).map(({ label, median }) => `${label} (${percent(median)})`);
    return `${describePoint(point, ['K'])}: ${places.join(', ')}`;
  });
  return `Most adjusted variance on the half that was learned from: ${ranks.join('; ')}.`;
}

interface Set {
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly data?: DataPackage;
  readonly load: () => Promise<Matrix64>;
  readonly m: number;
  readonly limits: readonly [full: number, quick: number];
  readonly full: readonly number[];
  readonly quick: readonly number[];
}

function heldOutExperiment({ name, title, words, data, load, m, limits, full, quick }: Set): Experiment {
  const panel = (column: string, heading: string) => (summary: Summary) => ({
    title: heading,
    lines: METHODS.map(({ name: who, label }) => ({ colour: label, cells: cellsOf(summary, `${who}${column}`) })),
    logarithmic: false,
  });
  const panels = [
    panel('Adjusted', 'adjusted variance, learned half'),
    panel('Held', 'adjusted variance, held-out half'),
    panel('Span', 'in the span, learned half'),
  ];
  return {
    name,
    group: 'sparse-pca',
    alone: true, // a path of scikit-learn serves all K
    title: `Sparse components of ${title}`,
    source: 'no paper: orthodict and its peers',
    setting: [words, ...SETTING],
    parameters: ['m', 'limit', 'K'],
    measures,
    ...(data && { data }),
    full: { points: pointsOf({ m: [m], limit: [limits[0]], K: full }), trials: 5, words: 'Five random halves.' },
    quick: {
      points: pointsOf({ m: [m], limit: [limits[1]], K: quick }),
      trials: 1,
      words: `One random half, and ${limits[1]} iterations of scikit-learn.`,
    },
    trial: compareOnHalves(load),
    charts: (summary) => [
      {
        caption: `Variance explained by sparse components of ${title} against their non-zeros, for seven methods`,
        spec: lineChart({
          title: `Sparse components of ${title}`,
          subtitle: `${describePoint(summary.points[0], ['m'])}; medians and the middle 80 % of the trials`,
          along: 'K',
          x: 'non-zeros per component',
          xLogarithmic: true,
          y: 'share of the variance',
          panels: panels.map((draw) => draw(summary)),
        }),
      },
    ],
    claims: [
      ...(['thresholded', 'gpower', 'deflation'] as const).map((other) =>
        below(
          `Method variance has at least the adjusted variance of ${labelOf(other)} at every K.`,
          `${other}Adjusted`,
          ['varianceAdjusted'],
          undefined,
          1 + 1e-9,
        ),
      ),
      below(
        'With m K non-zeros shared, method variance has more adjusted variance than SparsePCA at every K.',
        'sklearnAdjusted',
        ['sharedAdjusted'],
      ),
      below('The same holds on the held-out half.', 'sklearnHeld', ['sharedHeld']),
    ],
    references: [],
    referenceWords: 'There is no paper to compare with.',
    gain: winners,
  };
}

const labelOf = (wanted: string): string => METHODS.find(({ name }) => name === wanted)!.label;

export const sparsePcaDigits = heldOutExperiment({
  name: 'sparse-pca-digits',
  title: 'handwritten digits',
  words: `${DIGITS} pictures of handwritten digits, 8×8 pixels (n = ${PIXELS}), which ship with orthodict.`,
  load: () => drawDigits(DIGITS, 0),
  m: 12,
  limits: [200, 5],
  full: [2, 4, 8, 16, 32],
  quick: [4, 16],
});

export const sparsePcaCancer = heldOutExperiment({
  name: 'sparse-pca-cancer',
  title: 'breast cancer',
  words:
    '569 tumours, 30 features of cell nuclei (Wolberg et al., as in scikit-learn), each divided by its standard deviation.',
  data: cancer,
  load: () => readTable(cancer),
  m: 5,
  limits: [1000, 100],
  full: [2, 4, 6, 12, 20],
  quick: [4, 12],
});

export const sparsePcaWine = heldOutExperiment({
  name: 'sparse-pca-wine',
  title: 'wine',
  words: '178 wines, 13 chemical features (Forina et al., as in scikit-learn), each divided by its standard deviation.',
  data: wine,
  load: () => readTable(wine),
  m: 4,
  limits: [1000, 100],
  full: [2, 3, 4, 6, 9],
  quick: [3, 6],
});

export const sparsePcaGenes = heldOutExperiment({
  name: 'sparse-pca-genes',
  title: 'gene expression in leukaemia',
  words: `Expression of ${GENES} genes in bone marrow of ${ARRAYS} leukaemia patients (Golub et al. 1999, as in Bioconductor's multtest).`,
  data: golub,
  load: () => drawArrays(ARRAYS, 0),
  m: 5,
  limits: [100, 2],
  full: [10, 30, 100, 300],
  quick: [30],
});
