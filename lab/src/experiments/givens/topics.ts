/** Topics by moment tensors against their truth, over the number of documents. */
import { generateTopics, learnTopics, metrics } from 'orthodict';
import { lineChart } from '../../charts/line-chart.ts';
import { powerLaw, trend } from '../framework/curve-claims.ts';
import { type Experiment, type Measured, type Point, pointsOf } from '../framework/experiment.ts';
import { cellsOf, type Summary } from '../framework/summary.ts';
import { singleThread } from '../l4/l4-runs.ts';
import { inverseRoot } from './inverse-root.ts';
import { GROUP, PAPER } from './paper.ts';

/** Vocabulary, words per document, topics that a document mixes (α₀). */
const MODEL = { words: 100, length: 50, alpha0: 1 };

async function trial({ topics, documents }: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const executor = await singleThread();
  const { counts, topics: truth } = generateTopics({ ...MODEL, topics, documents, seed });
  const errorOf = async (refine: 'auto' | 'none') => {
    const options = { topics, alpha0: MODEL.alpha0, refine, heldOut: 0, seed };
    const found = await learnTopics(counts, options, { executor, signal });
    return metrics.matchRows(found.topics, truth, 'l1').meanDistance;
  };
  return { moments: await errorOf('none'), refined: await errorOf('auto') };
}

const DRAWN = [
  { name: 'moments', label: 'moments alone' },
  { name: 'refined', label: 'with variational steps' },
];

const panelsOf = (summary: Summary) =>
  [...new Set(summary.points.map(({ topics }) => topics))].map((topics) => ({
    title: `${topics} topics`,
    lines: [
      {
        colour: '1/√documents',
        stroke: 'guide',
        cells: inverseRoot(cellsOf(summary, 'moments', { topics }), 'documents'),
      },
      ...DRAWN.map(({ name, label }) => ({
        colour: label,
        stroke: 'measured',
        cells: cellsOf(summary, name, { topics }),
      })),
    ],
    logarithmic: true,
  }));

export const givensTopics: Experiment = {
  name: 'givens-topics',
  group: GROUP,
  title: 'Topics of documents by moment tensors, against the truth',
  source: `${PAPER}, appendix D of the supplement`,
  setting: [
    `Documents of latent Dirichlet allocation with known topics: ${MODEL.words} words, ${MODEL.length} words per document, α₀ = ${MODEL.alpha0}, topics drawn from a Dirichlet distribution of parameter .1. learnTopics whitens the third moment of the words and decomposes it by rotations ("when applying the method to fit an LDA model", "d is typically […] the number
of latent variables such as latent topics in LDA"); then, unless told not to, makes variational steps where these can help (the measured pages are of five steps, always made). It is given the number of topics and α₀.`,
    'The error is the ℓ1 distance between a topic and its estimate, the mean over topics matched one to one; it is at most 2. Sampling errors of moments fall as 1/√documents, and so do estimates that are smooth functions of them.',
    'Variational steps take out most of the noise of the moments, but have an error of their own that more documents do not remove: the posterior is approximated. In the full grid they are ahead up to 10,000 documents and behind at 100,000, and with ten topics their exponent is −.34: the last claim fails there.',
  ],
  parameters: ['topics', 'documents'],
  measures: DRAWN,
  full: {
    points: pointsOf({ topics: [3, 5, 10], documents: [300, 1000, 3000, 10_000, 30_000, 100_000] }),
    trials: 10,
    words: 'The supplement has no experiment on this.',
  },
  quick: {
    points: pointsOf({ topics: [5], documents: [300, 1000, 3000, 10_000] }),
    trials: 2,
    words: 'The supplement has no experiment on this; five topics, up to 10,000 documents.',
  },
  trial,
  charts: (summary) => [
    {
      caption: 'Error of the topics against the number of documents, by moments alone and with variational steps',
      spec: lineChart({
        title: 'Topics against their truth',
        subtitle: 'mean ℓ1 distance of matched topics; medians and the middle 80 % of the trials',
        along: 'documents',
        x: 'number of documents',
        y: 'ℓ1 error of a topic',
        xLogarithmic: true,
        panels: panelsOf(summary),
      }),
    },
  ],
  claims: [
    trend('By moments alone the error falls with the number of documents.', 'moments', 'documents', 'falls'),
    trend('With variational steps it does, too.', 'refined', 'documents', 'falls'),
    powerLaw(
      'By moments alone it falls as 1/√documents: the exponent is −.5 within .15.',
      'moments',
      'documents',
      [-0.65, -0.35],
    ),
    powerLaw('With variational steps it is −.5 within .15, too.', 'refined', 'documents', [-0.65, -0.35]),
  ],
  references: [],
  referenceWords: 'The supplement prints no numbers.',
};
