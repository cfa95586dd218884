/** All contenders, in the order of their turns. */

import type { Contender } from './contender.ts';
import { mlMatrixMsp } from './ml-matrix-msp.ts';
import { numpyMsp, numpyMspOnRealData } from './numpy-msp.ts';
import { orthodict, orthodictOnRealData } from './orthodict.ts';
import { PCA, PLAIN } from './our-options.ts';
import { sklearnFastIca, sklearnFastIcaOnRealData } from './sklearn-fastica.ts';
import { sklearnMiniBatch, sklearnMiniBatchOnRealData } from './sklearn-minibatch.ts';

export const contenders: readonly Contender[] = [
  orthodict('native'),
  numpyMsp,
  orthodict('wasm'),
  sklearnFastIca,
  orthodict('js'),
  sklearnMiniBatch,
  mlMatrixMsp,
];

/** The contender that the figures on real data are about. */
export const OURS_ON_REAL_DATA = 'orthodict default';

export const realContenders: readonly Contender[] = [
  orthodictOnRealData(OURS_ON_REAL_DATA, {}, true),
  numpyMspOnRealData,
  orthodictOnRealData('orthodict plain', PLAIN, true),
  sklearnFastIcaOnRealData,
  orthodictOnRealData('orthodict PCA', PCA, false),
  sklearnMiniBatchOnRealData,
];
