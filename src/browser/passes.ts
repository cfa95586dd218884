/**
 * Every pass of the package. A web worker knows them from the start, because in a bundle the module that a pass names is part
 * of the page and must not be loaded in a worker. A test compares this list with the passes that the library registers.
 */
import type { AnyPass } from '../engine/pass.ts';
import { coresetPass, scoresPass } from '../learn/coreset.ts';
import { contrastCorrelationPass } from '../learn/methods/fastica/contrast-correlation.ts';
import { scoreCorrelationPass } from '../learn/methods/ica/score-correlation.ts';
import { pursuitMomentsPass } from '../learn/methods/ksvd/pursuit-moments.ts';
import { lassoMomentsPass } from '../learn/methods/online/lasso-moments.ts';
import { gradientVariancePass } from '../learn/methods/sampling-error.ts';
import { firstMomentsPass } from '../models/householder/first-moments.ts';
import { expectationPass, labelPass } from '../models/mixtures/expectation-pass.ts';
import { thirdMomentPass } from '../models/mixtures/moments.ts';
import { sampledRowsPass } from '../models/mixtures/sampled-rows.ts';
import { turnMomentPlanes } from '../models/tensor/moment-objective.ts';
import { correlatePass } from '../passes/correlate.ts';
import { decodePass } from '../passes/decode.ts';
import { encodePass } from '../passes/encode.ts';
import { histogramPass } from '../passes/histogram.ts';
import { keptEnergiesPass } from '../passes/kept-energies.ts';
import { measurePass } from '../passes/measure.ts';
import { secondMomentsPass } from '../passes/second-moments.ts';
import { selectedCorrelationPass } from '../passes/selected-correlation.ts';
import { surveyPass } from '../passes/survey.ts';
import { writeCodesPass } from '../passes/write-codes.ts';
import { shrinkPass } from '../pictures/shrink-pass.ts';
import { turnL4Planes } from '../rotations/l4-objective.ts';

export const packagePasses = [
  contrastCorrelationPass,
  coresetPass,
  correlatePass,
  decodePass,
  encodePass,
  expectationPass,
  firstMomentsPass,
  gradientVariancePass,
  histogramPass,
  keptEnergiesPass,
  labelPass,
  lassoMomentsPass,
  measurePass,
  pursuitMomentsPass,
  sampledRowsPass,
  scoreCorrelationPass,
  scoresPass,
  secondMomentsPass,
  selectedCorrelationPass,
  shrinkPass,
  surveyPass,
  thirdMomentPass,
  turnL4Planes,
  turnMomentPlanes,
  writeCodesPass,
] as readonly unknown[] as readonly AnyPass[];
