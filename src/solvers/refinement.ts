/**
 * Whether and how a learned dictionary is refined, and the promise that it is never made worse.
 *
 * The codes must prefer a spike and a slab over a single shape, more so at the end than at the start, and be likelier under it
 * than before. Where the data is not white, atoms of different energies can feign a small gain: there the zeros must collapse,
 * which is worth a nat a code and more. Otherwise the input is kept and the reason told.
 */
import type { Matrix64 } from '../matrix.ts';
import { assessSparsity } from './code-distribution.ts';
import { isWhite } from './coordinates.ts';
import { iterate, type Position } from './iterate.ts';
import type { RefineState, RefiningPrecision } from './masked-refinement.ts';
import { msp } from './msp.ts';
import type { Problem } from './problem.ts';
import { refineComplete } from './refine-complete.ts';
import { refineOrthogonal } from './refine-orthogonal.ts';
import { type Progress, type StopRule, stopAfterIterations, stopWhenChangeBelow } from './stop.ts';

export interface RefinementOptions {
  /** `orthogonal`: A stays orthogonal in working coordinates; `complete`: it need not. */
  readonly kind: 'orthogonal' | 'complete';
  readonly precision: RefiningPrecision;
  readonly resume?: Position<RefineState> | undefined;
  readonly onStep?: ((position: Position<RefineState>) => Promise<void>) | undefined;
}

export interface RefinementOutcome {
  readonly atoms: Matrix64;
  readonly refined: boolean;
  readonly iterations: number;
  /** Why it was kept or refused, in words for a person. */
  readonly note: string;
  readonly aborted: boolean;
}

const MAX_ITERATIONS = 60;
const ENOUGH_SAMPLES_PER_ATOM = 200;
const APPROACH_CHANGE = 1e-3;
/** Least advantage of the spike and slab over a single shape, in nats a code: to start, and to be believed. */
const HOPEFUL_ADVANTAGE = 0.01;
const CREDIBLE_ADVANTAGE = 0.012;
/** Least gain in likelihood, in nats a code, on data that is not white. */
const COLLAPSE = 1;
/** Where a pass leaves a tenth of the movement as error at the most, this is exact for every purpose; float32 ends earlier. */
const EXACT_CHANGE = { f32: 1e-6, mixed: 1e-10, f64: 1e-10 } as const;
/** A movement below this fraction of the statistical error of an atom's entry is of no use. */
const USEFUL_FRACTION = 0.02;

export async function* refinement(
  problem: Problem,
  start: Matrix64,
  { kind, precision, resume, onStep }: RefinementOptions,
): AsyncGenerator<Progress, RefinementOutcome> {
  const kept = (note: string, iterations = 0, aborted = false): RefinementOutcome => {
    return { atoms: start, refined: false, iterations, note, aborted };
  };
  const passes = problem.passes;
  const counts = await problem.histogram(start);
  const before = assessSparsity(counts);
  if (!(before.advantage >= HOPEFUL_ADVANTAGE)) return kept('the codes show no zeros to refine with');

  const nearer = yield* approach(problem, start, precision);
  const startCounts = nearer.iterations === 0 ? counts : await problem.histogram(nearer.atoms);
  if (resume) problem.passes = passes; // the passes up to here were counted before the interruption
  const solver = (kind === 'orthogonal' ? refineOrthogonal : refineComplete)(problem, {
    start: nearer.atoms,
    counts: startCounts,
    precision,
  });
  const outcome = yield* iterate(solver, {
    stop: [
      stopWhenMaskFails,
      stopWhenChangeBelow(EXACT_CHANGE[precision]),
      stopAtStatisticalError(problem.samples),
      stopAfterIterations(MAX_ITERATIONS),
    ],
    samplesPerStep: problem.samples,
    signal: problem.input.signal,
    resume,
    onStep,
  });
  const iterations = nearer.iterations + outcome.iterations;
  if (outcome.status === 'aborted') return kept('aborted', iterations, true);
  if (!Number.isFinite(outcome.state.change)) return kept('zeros and non-zeros could not be told apart', iterations);
  const after = assessSparsity(await problem.histogram(outcome.state.atoms));
  const gain = after.likelihood - before.likelihood;
  if (!(gain > (isWhite(problem.input.coordinates) ? 0 : COLLAPSE)))
    return kept('the zeros of the codes did not get clearer', iterations);
  if (!(after.advantage >= Math.max(CREDIBLE_ADVANTAGE, before.advantage))) {
    return kept('the zeros of the codes are not credible', iterations);
  }
  return {
    atoms: outcome.state.atoms,
    refined: true,
    iterations,
    note: outcome.reason,
    aborted: false,
  };
}

/**
 * Where samples are few, the ℓ3 norm errs less than the ℓ4 norm: a few of its steps bring the refinement into the reach of the
 * right zeros. Where they are many, or the data is not white, the atoms are good as they are.
 */
async function* approach(
  problem: Problem,
  start: Matrix64,
  precision: RefiningPrecision,
): AsyncGenerator<Progress, { atoms: Matrix64; iterations: number }> {
  if (problem.samples >= ENOUGH_SAMPLES_PER_ATOM * problem.size || !isWhite(problem.input.coordinates)) {
    return { atoms: start, iterations: 0 };
  }
  const exploring = precision === 'f64' ? 'f64' : 'f32';
  const solver = { ...msp(problem, { norm: 3, shift: 'auto', precision: exploring, start }), name: 'approach' };
  const { state, iterations } = yield* iterate(solver, {
    stop: [stopWhenChangeBelow(APPROACH_CHANGE), stopAfterIterations(MAX_ITERATIONS)],
    samplesPerStep: problem.samples,
    signal: problem.input.signal,
  });
  problem.input.signal?.throwIfAborted();
  return { atoms: solver.atoms(state, true), iterations };
}

const stopWhenMaskFails: StopRule = ({ change }) =>
  Number.isFinite(change) ? undefined : { status: 'exhausted', reason: 'the mask failed' };

/** The reported objective is minus the level of the zeros relative to the signal, which limits how well atoms can be known. */
function stopAtStatisticalError(samples: number): StopRule {
  return ({ objective, change }) =>
    change <= (USEFUL_FRACTION * -objective) / Math.sqrt(samples)
      ? { status: 'converged', reason: 'the noise of the data allows no better' }
      : undefined;
}
