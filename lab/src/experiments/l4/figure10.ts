/** The principal components of handwritten digits, compared with the basis of MSP. */
import { below } from '../framework/claims.ts';
import type { Experiment } from '../framework/experiment.ts';
import { KEPT, TOP } from './basis-quality.ts';
import {
  basisGalleries,
  DIGIT_WORDS,
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
import { mnist } from './picture-sets.ts';

const AT_TOP = KEPT.indexOf(TOP);

export const figure10: Experiment = {
  name: 'figure10',
  group: GROUP,
  title: 'The principal components of handwritten digits',
  source: `${PAPER}, figure 10`,
  data: mnist.data,
  alone: true,
  setting: [
    DIGIT_WORDS,
    `The measures are how much the ${TOP} atoms with the most energy look like digits, as in figure 9, and their share of the total energy. No basis has a larger share than PCA, but what PCA gains for all images together it loses for each single image: see figure 11.`,
  ],
  parameters: SIZES,
  measures: [
    { name: 'likeness', label: '|cos| with a digit, PCA' },
    { name: 'mspLikeness', label: '|cos| with a digit, MSP' },
    { name: 'energy', label: `energy in ${TOP} atoms, PCA` },
    { name: 'mspEnergy', label: `energy in ${TOP} atoms, MSP` },
    ...END_MEASURES,
  ],
  full: { points: [FULL], trials: 1, words: FULL_WORDS },
  quick: { points: [QUICK], trials: 1, words: QUICK_WORDS },
  async trial(point, seed, signal) {
    const bases = await digitBases(point, seed, signal);
    const { msp, pca } = bases;
    return {
      likeness: pca.likeness,
      mspLikeness: msp.likeness,
      energy: 1 - pca.leading[AT_TOP],
      mspEnergy: 1 - msp.leading[AT_TOP],
      ...endOf(bases),
    };
  },
  charts: () => [],
  galleries: basisGalleries('PCA', ({ pca }) => pca),
  claims: [
    below('The top atoms of PCA mix digits: they look less like a single digit than those of MSP.', 'likeness', [
      'mspLikeness',
    ]),
    below('No basis has more energy in its top atoms than PCA.', 'mspEnergy', ['energy']),
  ],
  references: [],
  referenceWords: 'The paper shows pictures and prints no numbers.',
  remark: endWords,
};
