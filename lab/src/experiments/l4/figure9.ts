/** The basis that MSP learns from handwritten digits. */
import { below } from '../framework/claims.ts';
import type { Experiment } from '../framework/experiment.ts';
import { TOP } from './basis-quality.ts';
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

export const figure9: Experiment = {
  name: 'figure9',
  group: GROUP,
  title: 'A basis of handwritten digits, learned by MSP',
  source: `${PAPER}, figure 9`,
  data: mnist.data,
  alone: true,
  setting: [
    DIGIT_WORDS,
    `The measures are Σx⁴/Σ‖y‖⁴, which MSP maximises and which is 1 if every image is a multiple of an atom, and how much the atoms look like digits: the largest |cos| between an atom and any image, averaged over the ${TOP} atoms with the most energy. Both are also given for PCA.`,
  ],
  parameters: SIZES,
  measures: [
    { name: 'fourth', label: 'Σx⁴/Σ‖y‖⁴ of MSP' },
    { name: 'pcaFourth', label: 'Σx⁴/Σ‖y‖⁴ of PCA' },
    { name: 'likeness', label: '|cos| with a digit, MSP' },
    { name: 'pcaLikeness', label: '|cos| with a digit, PCA' },
    ...END_MEASURES,
  ],
  full: { points: [FULL], trials: 1, words: FULL_WORDS },
  quick: { points: [QUICK], trials: 1, words: QUICK_WORDS },
  async trial(point, seed, signal) {
    const bases = await digitBases(point, seed, signal);
    const { msp, pca } = bases;
    return {
      fourth: msp.fourthPowers,
      pcaFourth: pca.fourthPowers,
      likeness: msp.likeness,
      pcaLikeness: pca.likeness,
      ...endOf(bases),
    };
  },
  charts: () => [],
  galleries: basisGalleries('MSP', ({ msp }) => msp),
  claims: [
    below('The codes of MSP have larger fourth powers than those of PCA.', 'pcaFourth', ['fourth']),
    below('The top atoms of MSP look more like digits than those of PCA.', 'pcaLikeness', ['likeness']),
  ],
  references: [],
  referenceWords: 'The paper shows pictures and prints no numbers.',
  remark: endWords,
};
