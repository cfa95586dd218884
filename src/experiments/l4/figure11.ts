/** Images from a few basis elements, of MSP and of PCA: digits, as in the paper, and clothes. */
import { fromRows, row, rowRange } from '../../core/matrix.ts';
import { atomGallery } from '../../images/gallery.ts';
import { lineChart } from '../charts/line-chart.ts';
import { below, trend } from '../framework/claims.ts';
import { type Experiment, type Gallery, type Point, range } from '../framework/experiment.ts';
import { cellsOf } from '../framework/summary.ts';
import { KEPT, reconstruct } from './basis-quality.ts';
import {
  DIGIT_WORDS,
  dataWords,
  digitBases,
  END_MEASURES,
  endOf,
  endWords,
  FULL,
  FULL_WORDS,
  QUICK,
  QUICK_WORDS,
  SIZES,
} from './digits.ts';
import { GROUP, PAPER } from './l4-runs.ts';
import { type LearnBases, sharedBases } from './picture-bases.ts';
import { fashion, mnist, type PictureSet } from './picture-sets.ts';

const SHOWN = 12;
const WHITE = 255;

const LINES = [
  { name: 'msp', colour: 'MSP', stroke: 'largest' },
  { name: 'mspLeading', colour: 'MSP', stroke: 'leading' },
  { name: 'pca', colour: 'PCA', stroke: 'largest' },
  { name: 'pcaLeading', colour: 'PCA', stroke: 'leading' },
  { name: 'centred', colour: 'PCA with mean', stroke: 'largest' },
  { name: 'centredLeading', colour: 'PCA with mean', stroke: 'leading' },
] as const;

const galleryOf = (learnBases: LearnBases): Gallery => ({
  suffix: '-images',
  caption: `The first ${SHOWN} images; below, for k = ${KEPT.join(', ')}, one row each of MSP (k largest codes), PCA (k largest) and PCA (k leading)`,
  async draw([{ point, seed }]) {
    const { pictures, msp, pca } = await learnBases(point, seed);
    const first = rowRange(pictures, 0, SHOWN);
    const rows = KEPT.flatMap((k) => [
      ...reconstruct(first, msp, k, 'largest'),
      ...reconstruct(first, pca, k, 'largest'),
      ...reconstruct(first, pca, k, 'leading'),
    ]);
    const originals = range(0, SHOWN - 1).map((j) => row(first, j));
    return atomGallery(fromRows([...originals, ...rows]), { columns: SHOWN, full: WHITE });
  },
});

const fewCodes = ({ k }: Point) => k <= 10;

interface Images {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly words: string;
  readonly set: PictureSet;
  readonly learnBases: LearnBases;
}

const fromFewElements = ({ name, title, source, words, set, learnBases }: Images): Experiment => ({
  name,
  group: GROUP,
  title,
  source,
  data: set.data,
  alone: true,
  setting: [
    words,
    'An image is composed of k elements of a basis: its own k largest codes, or the k leading elements, the same for all images. The paper does not say which it uses; its pictures from two elements of MSP show different digits, so it must be the largest codes. PCA is optimal for k leading elements, but it too needs fewer with its largest codes, so that is the fair comparison. A third basis is PCA with the mean subtracted; the mean is then part of every image and costs no code.',
    'The error is the relative squared error, Σ‖y − ŷ‖²/Σ‖y‖².',
  ],
  parameters: [...SIZES, 'k'],
  measures: [...LINES.map(({ name, colour, stroke }) => ({ name, label: `${colour}, ${stroke}` })), ...END_MEASURES],
  full: { points: KEPT.map((k) => ({ ...FULL, k })), trials: 1, words: FULL_WORDS, seconds: 160 },
  quick: { points: KEPT.map((k) => ({ ...QUICK, k })), trials: 1, words: QUICK_WORDS, seconds: 10 },
  async trial(point, seed, signal) {
    const bases = await learnBases(point, seed, signal);
    const { msp, pca, centred } = bases;
    const at = KEPT.indexOf(point.k);
    return {
      msp: msp.largest[at],
      mspLeading: msp.leading[at],
      pca: pca.largest[at],
      pcaLeading: pca.leading[at],
      centred: centred.largest[at],
      centredLeading: centred.leading[at],
      ...endOf(bases),
    };
  },
  charts: (summary) => [
    {
      caption: 'Error of the images against the number of elements kept, for three bases and two ways to choose them',
      spec: lineChart({
        title: 'Figure 11: error of images from k elements of a basis',
        subtitle: `${summary.points[0].images} images of ${set.title}`,
        along: 'k',
        x: 'elements kept k',
        y: 'relative squared error',
        panels: [
          {
            lines: LINES.map(({ name, colour, stroke }) => ({
              colour,
              stroke: stroke === 'leading' ? 'k leading elements' : 'k largest codes of each image',
              cells: cellsOf(summary, name),
            })).sort((a, b) => b.stroke.localeCompare(a.stroke)),
            logarithmic: false,
          },
        ],
      }),
    },
  ],
  galleries: [galleryOf(learnBases)],
  claims: [
    trend('With MSP, the images improve with the number of elements.', 'msp', 'k', 'falls'),
    trend('With PCA, the images improve with the number of elements.', 'pcaLeading', 'k', 'falls'),
    below(
      'With up to 10 elements MSP is better than the leading components, as in the paper.',
      'msp',
      ['pcaLeading'],
      fewCodes,
    ),
    below('With up to 10 elements MSP is better than PCA with the largest codes.', 'msp', ['pca'], fewCodes),
    below(
      'With 2 to 10 elements MSP is better than PCA with the mean, although the mean costs no code.',
      'msp',
      ['centred', 'centredLeading'],
      ({ k }) => k >= 2 && k <= 10,
    ),
    below('With 25 elements MSP is still better than PCA with the largest codes.', 'msp', ['pca'], ({ k }) => k === 25),
  ],
  references: [],
  referenceWords: 'The paper shows pictures and prints no numbers.',
  remark: endWords,
  rivals: {
    paper: 'pcaLeading',
    ours: 'msp',
    who: { paper: 'the leading components of PCA', ours: 'MSP with the largest codes' },
  },
});

export const figure11: Experiment = fromFewElements({
  name: 'figure11',
  title: 'Handwritten digits from a few elements of a basis',
  source: `${PAPER}, figure 11`,
  words: DIGIT_WORDS,
  set: mnist,
  learnBases: digitBases,
});

export const figure11Fashion: Experiment = fromFewElements({
  name: 'figure11-fashion',
  title: 'Pictures of clothes from a few elements of a basis',
  source: `${PAPER}, figure 11, on other images`,
  words: dataWords('images of Fashion-MNIST, from its ten classes in turn'),
  set: fashion,
  learnBases: sharedBases(fashion),
});
