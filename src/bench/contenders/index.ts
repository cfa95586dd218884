/** All contenders, in the order of their turns. */
import type { Contender } from '../contender.ts';
import { mlMatrixMsp } from './ml-matrix-msp.ts';
import { numpyMsp } from './numpy-msp.ts';
import { orthodict } from './orthodict.ts';
import { sklearnFastIca } from './sklearn-fastica.ts';
import { sklearnMiniBatch } from './sklearn-minibatch.ts';

export const contenders: readonly Contender[] = [
  orthodict('native'),
  numpyMsp,
  orthodict('wasm'),
  sklearnFastIca,
  orthodict('js'),
  sklearnMiniBatch,
  mlMatrixMsp,
];
