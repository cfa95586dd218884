/** Means of Gaussian mixtures by moment tensors against their truth, over the number of samples. */
import { type GeneratedMixture, generateMixture, InputError, learnMixture, type Matrix64, metrics } from 'orthodict';
import { row, zeros } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { below } from '../framework/claims.ts';
import { powerLaw, trend } from '../framework/curve-claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { singleThread } from '../l4/l4-runs.ts';
import { inverseRoot } from './inverse-root.ts';
import { GROUP, PAPER } from './paper.ts';

/** Deviation of the means' entries; the samples' deviation is 1, so errors are in deviations. */
const MODEL = { features: 10, spread: 1, deviation: 1 };

async function trial({ clusters, p }: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const executor = await singleThread();
  const data = generateMixture({ ...MODEL, samples: p, clusters, seed });
  const found = await learnMixture(data.samples, { clusters, seed }, { executor, signal });
  const options = { clusters, seed, refine: 'none' } as const;
  const byMoments = await learnMixture(data.samples, options, { executor, signal }).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error; // the moments of so few samples put clusters outside them
  });
  const errorOf = (means: Matrix64) => metrics.matchRows(means, data.means, 'l2').meanDistance / MODEL.deviation;
  return {
    moments: byMoments ? errorOf(byMoments.means) : Number.NaN,
    refined: errorOf(found.means),
    known: errorOf(labelledMeans(data)),
  };
}

/** Means of the samples of every cluster, as if the labels were known. */
function labelledMeans({ samples, labels, means }: GeneratedMixture): Matrix64 {
  const sums = zeros(means.rows, means.cols);
  const counts = new Float64Array(means.rows);
  labels.forEach((label, l) => {
    counts[label]++;
    row(samples, l).forEach((value, c) => {
      sums.data[label * means.cols + c] += value;
    });
  });
  return { ...sums, data: sums.data.map((value, at) => value / counts[Math.floor(at / means.cols)]) };
}

const DRAWN = [
  { name: 'moments', label: 'moments alone' },
  { name: 'refined', label: 'with maximum likelihood' },
  { name: 'known', label: 'labels known' },
];

const panelsOf = (summary: Summary) =>
  [...new Set(summary.points.map(({ clusters }) => clusters))].map((clusters) => ({
    title: `${clusters} clusters`,
    lines: [
      { colour: '1/√p', stroke: 'guide', cells: inverseRoot(cellsOf(summary, 'moments', { clusters }), 'p') },
      ...DRAWN.map(({ name, label }) => ({
        colour: label,
        stroke: 'measured',
        cells: cellsOf(summary, name, { clusters }),
      })),
    ],
    logarithmic: true,
  }));

export const givensMixtures: Experiment = {
  name: 'givens-mixtures',
  group: GROUP,
  title: 'Means of Gaussian mixtures by moment tensors, against the truth',
  source: `${PAPER}, appendix D of the supplement`,
  setting: [
    `Samples of spherical Gaussians of deviation 1 in ${MODEL.features} dimensions, whose means have normal entries of deviation ${MODEL.spread}. learnMixture whitens the third moment and decomposes it by rotations ("mixture components in a GMM"); then it maximises the likelihood from there. It is given the number of clusters. "Labels known" takes
the mean of the samples of every cluster: no estimate can be expected to do better.`,
    'The error is the distance between a mean and its estimate, in deviations: the mean over clusters matched one to one. Sampling errors of moments fall as 1/√samples, and so do estimates that are smooth functions of them.',
  ],
  parameters: ['clusters', 'p'],
  measures: DRAWN,
  full: {
    points: pointsOf({ clusters: [3, 5, 8], p: [1000, 3000, 10_000, 30_000, 100_000] }),
    trials: 10,
    words: 'The supplement has no experiment on this.',
  },
  quick: {
    points: pointsOf({ clusters: [3, 5], p: [1000, 3000, 10_000] }),
    trials: 3,
    words: 'The supplement has no experiment on this; up to 10,000 samples.',
  },
  trial,
  charts: (summary) => [
    {
      caption:
        'Error of the means against the number of samples, by moments alone, with maximum likelihood, and with known labels',
      spec: lineChart({
        title: 'Means of Gaussian mixtures against their truth',
        subtitle: 'mean distance of matched means, in deviations; medians and the middle 80 % of the trials',
        along: 'p',
        x: 'number of samples p',
        y: 'error of a mean',
        xLogarithmic: true,
        panels: panelsOf(summary),
      }),
    },
  ],
  claims: [
    trend('By moments alone the error falls with the number of samples.', 'moments', 'p', 'falls'),
    trend('With maximum likelihood it does, too.', 'refined', 'p', 'falls'),
    powerLaw('By moments alone it falls as 1/√p: the exponent is −.5 within .15.', 'moments', 'p', [-0.65, -0.35]),
    powerLaw('With maximum likelihood it is −.5 within .15, too.', 'refined', 'p', [-0.65, -0.35]),
    below('With maximum likelihood it is less than twice that of known labels.', 'refined', ['known'], undefined, 2),
  ],
  references: [],
  referenceWords: 'The supplement prints no numbers.',
};
