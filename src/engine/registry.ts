/** Passes by name: what a worker needs to turn a message back into a computation. */
import { tanhCorrelationPass } from '../learn/methods/fastica/tanh-correlation.ts';
import { pursuitMomentsPass } from '../learn/methods/ksvd/pursuit-moments.ts';
import { lassoMomentsPass } from '../learn/methods/online/lasso-moments.ts';
import { firstMomentsPass } from '../models/householder/first-moments.ts';
import { correlatePass } from '../passes/correlate.ts';
import { encodePass } from '../passes/encode.ts';
import { histogramPass } from '../passes/histogram.ts';
import { secondMomentsPass } from '../passes/second-moments.ts';
import { selectedCorrelationPass } from '../passes/selected-correlation.ts';
import { surveyPass } from '../passes/survey.ts';
import { turnPlanesPass } from '../rotations/turn-planes.ts';
import type { Pass } from './pass.ts';

type AnyPass = Pass<unknown, unknown>;

const all = [
  surveyPass,
  firstMomentsPass,
  secondMomentsPass,
  correlatePass,
  selectedCorrelationPass,
  tanhCorrelationPass,
  lassoMomentsPass,
  pursuitMomentsPass,
  histogramPass,
  encodePass,
  turnPlanesPass,
];
const passes = new Map<string, AnyPass>(all.map((pass) => [pass.name, pass as AnyPass]));

export function passNamed(name: string): AnyPass {
  const pass = passes.get(name);
  if (!pass) throw new Error(`passes: no pass is called "${name}"; known: ${[...passes.keys()].join(', ')}.`);
  return pass;
}
