/** Images from a few basis elements, of MSP and of PCA: digits, as in the paper, and clothes. */
import { atomGallery, fromRows } from 'orthodict';
import { row, rowRange } from 'orthodict/extend';
import { lineChart } from '../../charts/line-chart.ts';
import { below } from '../framework/claims.ts';
import { trend } from '../framework/curve-claims.ts';
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
import { cifar10, fashion, mnist, type PictureSet, pixelsOf } from './picture-sets.ts';

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
  /** What is to be seen, if it is not what the paper says of digits. */
  readonly remark?: string;
}

const fromFewElements = ({ name, title, source, words, set, learnBases, remark }: Images): Experiment => ({
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
    ...(remark ? [remark] : []),
  ],
  parameters: [...SIZES, 'k'],
  measures: [...LINES.map(({ name, colour, stroke }) => ({ name, label: `${colour}, ${stroke}` })), ...END_MEASURES],
  full: { points: KEPT.map((k) => ({ ...FULL, components: pixelsOf(set), k })), trials: 1, words: FULL_WORDS },
  quick: { points: KEPT.map((k) => ({ ...QUICK, k })), trials: 1, words: QUICK_WORDS },
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
      `With up to 10 elements MSP is better than the leading components${remark ? '' : ', as in the paper'}.`,
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
  compared: {
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

export const figure11Cifar10: Experiment = fromFewElements({
  name: 'figure11-cifar10',
  title: 'Grey photographs of objects from a few elements of a basis',
  source: `${PAPER}, end of section 5.6: "can be extend to other large scale visual dataset such as CIFAR10"`,
  words: dataWords('the first images of the CIFAR-10 training set, in grey', cifar10.side),
  set: cifar10,
  learnBases: sharedBases(cifar10),
  remark:
    'The paper names CIFAR-10 as a larger set to which MSP can be extended, and shows nothing of it. MSP runs as on digits, and from 2 elements on it is better than the leading components. But photographs are smooth, and PCA finds waves, of which the largest codes are hard to beat: with them PCA is as good as MSP up to 5 elements and better from 10 on.',
});
