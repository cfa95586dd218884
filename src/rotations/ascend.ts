/** Runs coordinate ascent by plane rotations (coordinate-ascent.ts): sweeps until a stopping rule ends it. */
import { requireObject } from '../core/require-matrix.ts';
import { Run, type RunOptions } from '../engine/run.ts';
import {
  type Progress,
  type Status,
  type StopRule,
  stopAfterIterations,
  stopWhenChangeBelow,
  stopWhenObjectiveStalls,
} from '../engine/stop.ts';
import {
  type GivensOptions,
  type GivensState,
  givensDefaults,
  givensSolver,
  type RotationObjective,
} from './coordinate-ascent.ts';
import { isExhaustive } from './pairs.ts';

/** Where an ascent starts and when it stops. */
export interface AscentOptions extends Omit<GivensOptions, 'kernels' | 'signal'> {
  /** Largest number of sweeps. */
  readonly maxIterations?: number | undefined;
  /** Stop when a sweep moves the rows by no more than this (root mean square). */
  readonly tolerance?: number | undefined;
  /** Stop when three sweeps together raise the objective by no more than this, relatively. */
  readonly objectiveTolerance?: number | undefined;
  /** Stop when the gradient's norm is at most this share of the objective. */
  readonly gradientTolerance?: number | undefined;
  /** Further rules, which are checked first. */
  readonly stop?: readonly StopRule<GivensState>[] | undefined;
}

/** The defaults of `ascend`. */
export const ascentDefaults = Object.freeze({
  maxIterations: 200,
  tolerance: 1e-13,
  objectiveTolerance: 0,
  gradientTolerance: 0,
} as const satisfies Partial<AscentOptions>);

/** Where an ascent ended, and why. */
export interface Ascent {
  readonly state: GivensState;
  readonly status: Status;
  readonly reason: string;
  /** Number of sweeps. */
  readonly iterations: number;
}

/** Maximises f(A) over orthogonal A by plane rotations, each by the exact best angle, in sweeps over all planes. */
export async function ascend(
  objective: RotationObjective,
  options: AscentOptions,
  run: RunOptions = {},
): Promise<Ascent> {
  requireObject('ascend', 'objective', objective, 'an objective, such as l4Objective gives');
  requireObject('ascend', 'options', options, 'an object with start', ['start']);
  const started = await Run.start('ascend', run);
  await started.open({ data: '', options: {} }); // an objective has no hash: a resumed run must be given the same one
  return ascendIn(started, objective, options);
}

/** `ascend` inside a run. `translate` changes the progress on its way to the caller. */
export async function ascendIn(
  run: Run,
  objective: RotationObjective,
  options: AscentOptions,
  translate?: (progress: Progress) => Progress,
): Promise<Ascent> {
  const solver = givensSolver(objective, { ...options, kernels: run.kernels, signal: run.signal });
  const samplesPerStep = (objective.size * (objective.size - 1)) / 2;
  return run.drive(solver, { stop: rulesOf(options), samplesPerStep }, translate);
}

function rulesOf(options: AscentOptions): StopRule<GivensState>[] {
  const { maxIterations = ascentDefaults.maxIterations, tolerance = ascentDefaults.tolerance } = options;
  const { objectiveTolerance = ascentDefaults.objectiveTolerance } = options;
  const { gradientTolerance = ascentDefaults.gradientTolerance } = options;
  return [
    ...(options.stop ?? []),
    ...(isExhaustive(options.pairs ?? givensDefaults.pairs) ? [stopWhenIdle] : []),
    ...(gradientTolerance > 0 ? [stopWhenFlat(gradientTolerance)] : []),
    stopWhenChangeBelow(tolerance),
    ...(objectiveTolerance > 0 ? [stopWhenObjectiveStalls(objectiveTolerance)] : []),
    stopAfterIterations(maxIterations),
  ];
}

/** Stops when a sweep over all planes rotated none. */
const stopWhenIdle: StopRule<GivensState> = (_, { moves }) =>
  moves === 0 ? { status: 'converged', code: 'no gain', reason: 'a sweep without gain' } : undefined;

function stopWhenFlat(tolerance: number): StopRule<GivensState> {
  return (_, { gradient, objective }) =>
    gradient <= tolerance * Math.abs(objective)
      ? { status: 'converged', code: 'gradient', reason: `gradient ≤ ${tolerance} of the objective` }
      : undefined;
}
