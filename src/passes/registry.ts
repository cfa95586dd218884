/** Passes by name: what a worker needs to turn a message back into a computation. */
import { correlatePass } from './correlate.ts';
import { encodePass } from './encode.ts';
import { firstMomentsPass } from './first-moments.ts';
import { histogramPass } from './histogram.ts';
import { lassoMomentsPass } from './lasso-moments.ts';
import type { Pass } from './pass.ts';
import { pursuitMomentsPass } from './pursuit-moments.ts';
import { secondMomentsPass } from './second-moments.ts';
import { selectedCorrelationPass } from './selected-correlation.ts';
import { surveyPass } from './survey.ts';
import { tanhCorrelationPass } from './tanh-correlation.ts';
import { turnPlanesPass } from './turn-planes.ts';

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
