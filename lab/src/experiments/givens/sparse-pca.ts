/** Sparse PCA by rotations, GPower, scikit-learn and thresholded PCA: variance explained against non-zeros. */

import { lineChart } from '../../charts/line-chart.ts';
import { STEPS } from '../../contenders/sklearn-sparse-pca.ts';
import type { DataPackage } from '../../data-package.ts';
import { atLeast, below } from '../framework/claims.ts';
import { describePoint, type Experiment, type Measure, type Point, pointsOf } from '../framework/experiment.ts';
import { cellAt, cellsOf, type Summary } from '../framework/summary.ts';
import { DIGITS, drawDigits, PIXELS } from '../sparse-pca/digits.ts';
import { ARRAYS, drawArrays, GENES, golub } from '../sparse-pca/golub.ts';
import { GROUP, PAPER } from './paper.ts';
import { compareMethods, type Load, METHODS } from './sparse-pca-runs.ts';

const COLUMNS = [
  { name: 'Explained', label: 'variance explained' },
  { name: 'Nonzeros', label: 'non-zeros per component' },
  { name: 'Seconds', label: 'seconds' },
];
const BOUND = 'dense PCA';

const measures: readonly Measure[] = [
  ...METHODS.flatMap(({ name, label }) =>
    COLUMNS.map((column) => ({
      name: `${name}${column.name}`,
      label: `${label}: ${column.label}`,
      method: label,
      column: column.label,
    })),
  ),
  { name: 'principalExplained', label: BOUND, method: BOUND, column: COLUMNS[0].label },
  {
    name: 'objectiveRatio',
    label: 'F of rotations by F of GPower',
    method: 'rotations',
    column: 'F by F of GPower, same start',
  },
];

const SETTING = [
  `m components with K non-zeros each. Rotations (\`givens\`), GPower for all components at once and one at a time are orthodict's, with default options. Thresholded PCA keeps the K largest entries of every principal component. SparsePCA of scikit-learn (coordinate descent, at most \`limit\` iterations, a column of the raw trials) has a penalty
instead of K: of a path of ${STEPS} penalties the fit counts that has most non-zeros, but at most m K in total. Without scikit-learn for /usr/bin/python3 or python3 (Debian: python3-sklearn) it takes no part.`,
  `One score for all: the adjusted variance of the loadings (Zou, Hastie & Tibshirani 2006), by one function, as a share of the total. The m leading principal components, dense, are a bound: no m directions have more. The ratio of F is that of rotations and of GPower, both from the principal components, for one γ: the mean of the thresholds that GPower needs for K non-zeros.`,
  `The main text of the paper, with its figures on sparse PCA, was not at hand: the claims are ours, in its spirit. Who explains most at equal non-zeros is told below, not claimed. F is not what is scored: it adds up the variances of components whose scores are correlated, so with many non-zeros a higher F may come with less adjusted variance.`,
];

/** Who explains most at every K. */
function winners(summary: Summary): string {
  const ranks = summary.points.map((point) => {
    const ranked = METHODS.flatMap(({ name, label }) => {
      const cell = cellAt(summary, `${name}Explained`, point);
      return cell ? [{ label, median: cell.median }] : [];
    }).sort((a, b) => b.median - a.median);
    const share = ({ label, median }: { label: string; median: number }) => `${label} (${(100 * median).toFixed(1)} %)`;
    return `${describePoint(point, ['K'])}: ${share(ranked[0])}, then ${share(ranked[1])}`;
  });
  return `Most variance at equal non-zeros: ${ranks.join('; ')}.`;
}

interface Set {
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly data?: DataPackage;
  readonly load: Load;
  readonly full: Readonly<Record<string, readonly number[]>>;
  readonly quick: Readonly<Record<string, readonly number[]>>;
  readonly trials: readonly [full: number, quick: number];
}

const sizes = (points: readonly Point[]) =>
  `${describePoint(points[0], ['p', 'm'])}, K = ${points.map(({ K }) => K).join(', ')}.`;

function sparsePcaExperiment({ name, title, words, data, load, full, quick, trials }: Set): Experiment {
  const [long, short] = [full, quick].map(pointsOf);
  return {
    name,
    group: GROUP,
    alone: true, // a path of scikit-learn serves all K
    title: `Sparse PCA against peers: ${title}`,
    source: `${PAPER}, section 4 (objective and method)`,
    setting: [words, ...SETTING],
    parameters: ['p', 'm', 'limit', 'K'],
    measures,
    ...(data && { data }),
    full: { points: long, trials: trials[0], words: sizes(long) },
    quick: {
      points: short,
      trials: trials[1],
      words: `${sizes(short)} ${short[0].limit} iterations of scikit-learn instead of ${long[0].limit}.`,
    },
    trial: compareMethods(load),
    charts: (summary) => [
      {
        caption: `Adjusted variance of sparse components of ${title} against their non-zeros, for five methods`,
        spec: lineChart({
          title: `Sparse PCA of ${title}`,
          subtitle: `${describePoint(summary.points[0], ['p', 'm'])}; medians and the middle 80 % of the trials`,
          along: 'K',
          x: 'non-zeros per component',
          xLogarithmic: true,
          y: 'adjusted variance, share of the total',
          panels: [
            {
              lines: [...METHODS, { name: 'principal', label: BOUND }].map(({ name: method, label }) => ({
                colour: label,
                cells: cellsOf(summary, `${method}Explained`),
              })),
              logarithmic: false,
            },
          ],
        }),
      },
    ],
    claims: [
      atLeast(
        'From the same start, rotations end no lower in F than GPower (to 1e-6) in every trial.',
        'objectiveRatio',
        1 - 1e-6,
        1,
      ),
      atLeast(
        'From the same start, rotations end no lower in F than GPower (to 1e-6) in half of the trials or more.',
        'objectiveRatio',
        1 - 1e-6,
        0.5,
      ),
      below('Rotations explain more than thresholded PCA at every number of non-zeros.', 'thresholdedExplained', [
        'rotationsExplained',
      ]),
    ],
    references: [],
    referenceWords: 'The paper’s figures on sparse PCA are in its main text, which was not at hand.',
    gain: winners,
  };
}

export const givensSparsePca: Experiment = sparsePcaExperiment({
  name: 'givens-sparse-pca',
  title: 'handwritten digits',
  words: `Pictures of handwritten digits, 8×8 pixels, drawn at random from the ${DIGITS} that ship with orthodict (n = ${PIXELS}).`,
  load: drawDigits,
  full: { p: [600], m: [6], limit: [1000], K: [2, 4, 8, 16, 32] },
  quick: { p: [600], m: [6], limit: [10], K: [2, 8, 32] },
  trials: [10, 1],
});

export const givensSparsePcaGenes: Experiment = sparsePcaExperiment({
  name: 'givens-sparse-pca-genes',
  title: 'gene expression in leukaemia',
  words: `Expression of ${GENES} genes in bone marrow of leukaemia patients (Golub et al. 1999, as in Bioconductor's multtest), of ${ARRAYS} of whom p are drawn at random.`,
  data: golub,
  load: drawArrays,
  full: { p: [34], m: [5], limit: [200], K: [10, 30, 100, 300] },
  quick: { p: [34], m: [5], limit: [5], K: [30, 100] },
  trials: [5, 1],
});
