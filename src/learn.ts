/** The main job, source to dictionary: prepare, explore with a solver, refine with the zeros of the codes, finish. */
import {
  type Checkpoint,
  type CheckpointStore,
  type Explored,
  type Identity,
  requireSameIdentity,
} from './checkpoint.ts';
import type { Dictionary } from './dictionaries/dictionary.ts';
import { inputError } from './errors.ts';
import type { Executor } from './executors/executor.ts';
import { inlineExecutor } from './executors/inline.ts';
import { completeDictionary, orthogonalDictionary, rotationDictionary } from './finish.ts';
import { selectKernels } from './kernels/select.ts';
import type { Matrix, Matrix64, Precision } from './matrix.ts';
import { type LearnOptions, type LearnSettings, settleOptions } from './options.ts';
import { hashNumbers, prepare } from './prepare.ts';
import { gTransform } from './solvers/gtransform.ts';
import { iterate, type Position } from './solvers/iterate.ts';
import type { RefineState } from './solvers/masked-refinement.ts';
import { msp } from './solvers/msp.ts';
import { pga } from './solvers/pga.ts';
import type { Problem } from './solvers/problem.ts';
import { procrustesAlternation } from './solvers/procrustes.ts';
import { type RefinementOutcome, refinement } from './solvers/refinement.ts';
import type { Solver, SolverState } from './solvers/solver.ts';
import { startingAtoms } from './solvers/start.ts';
import {
  type Progress,
  type Status,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
  stopWhenObjectiveStalls,
} from './solvers/stop.ts';
import { memorySource } from './sources/memory.ts';
import type { Source } from './sources/source.ts';

/** How a run is carried out; none of it changes the result. */
export interface RunOptions {
  /** Default: the calling thread with the fastest kernels there are. */
  readonly executor?: Executor | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly checkpoint?: CheckpointStore | undefined;
  /** Go on from the stored checkpoint, if there is one. */
  readonly resume?: boolean | undefined;
}

export interface LearnResult {
  readonly dictionary: Dictionary;
  readonly settings: LearnSettings;
  readonly status: Status;
  /** Why it ended, in words. */
  readonly reason: string;
  readonly iterations: number;
  /** Passes over the data, preparation and refinement included. */
  readonly passes: number;
  /** ‖X‖_q^q of the samples in their own units (of the whitened samples with `zca`), when exploring ended. */
  readonly objective: number;
  readonly refined: boolean;
  /** What the refinement did or why it did nothing. */
  readonly refinement: string;
  readonly samples: number;
  readonly features: number;
  readonly seconds: number;
  readonly backend: string;
  readonly threads: number;
}

export async function learn(
  samples: Matrix | Source,
  options: LearnOptions = {},
  run: RunOptions = {},
): Promise<LearnResult> {
  const steps = learnSteps(samples, options, run);
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
    run.onProgress?.(value);
  }
}

/** The same as a generator of progress, for callers that want to hold the loop. */
export async function* learnSteps(
  samples: Matrix | Source,
  options: LearnOptions = {},
  run: RunOptions = {},
): AsyncGenerator<Progress, LearnResult> {
  const started = performance.now();
  const settings = settleOptions(options);
  const source = 'data' in samples ? memorySource(requireMatrix(samples)) : samples;
  const executor = run.executor ?? inlineExecutor(await selectKernels('auto'));
  const { problem, fingerprint } = await prepare(source, executor, settings, run.signal);
  const saver = await openCheckpoint(run, problem, {
    data: fingerprint,
    backend: executor.kernels.name,
    options: { ...describeOptions(settings), start: describeStart(settings) },
  });

  const explored = saver.explored ?? (yield* explore(problem, settings, saver));
  const outcome = yield* refineIfWanted(problem, explored, settings, saver);
  const dictionary = explored.rotations
    ? rotationDictionary(problem, outcome.atoms, explored.rotations)
    : settings.whiten === 'none'
      ? orthogonalDictionary(problem, outcome.atoms)
      : completeDictionary(problem, outcome.atoms);
  return {
    dictionary,
    settings,
    status: outcome.aborted ? 'aborted' : explored.status,
    reason: outcome.aborted ? 'aborted' : explored.reason,
    iterations: explored.iterations + outcome.iterations,
    passes: problem.passes,
    objective: explored.objective,
    refined: outcome.refined,
    refinement: outcome.note,
    samples: source.rows,
    features: source.cols,
    seconds: (performance.now() - started) / 1000,
    backend: executor.kernels.name,
    threads: executor.threads,
  };
}

async function* explore(problem: Problem, settings: LearnSettings, saver: Saver): AsyncGenerator<Progress, Explored> {
  const solver = exploringSolver(problem, settings);
  const outcome = yield* iterate(solver, {
    stop: [
      stopWhenChangeBelow(settings.tolerance),
      stopWhenObjectiveStalls(settings.objectiveTolerance),
      stopAfterIterations(settings.maxIterations),
      stopAfterSeconds(settings.maxSeconds),
    ],
    signal: problem.input.signal,
    samplesPerStep: problem.samples,
    resume: saver.position,
    onStep: saver.saveWhenDue,
  });
  const { state, iterations, status, reason } = outcome;
  const explored: Explored = {
    atoms: solver.atoms(state, status === 'converged'),
    rotations: solver.rotations?.(state),
    objective: solver.report(state).objective,
    iterations,
    status,
    reason,
  };
  if (status === 'aborted') await saver.saveNow();
  else await saver.enterRefinement(explored);
  return explored;
}

function exploringSolver(problem: Problem, settings: LearnSettings): Solver<SolverState> {
  const { method, norm, shift, momentum, step, rotations, keep, threshold, seed } = settings;
  const selection = { keep, threshold };
  const precision = exploringPrecision(settings);
  const start = startingAtoms(problem, settings.start, seed);
  const solvers = {
    msp: () => msp(problem, { norm, shift, momentum, precision, start }),
    pga: () => pga(problem, { norm, step, precision, start }),
    procrustes: () => procrustesAlternation(problem, { selection, precision, start }),
    gtransform: () => gTransform(problem, { selection, rotations, precision, start }),
  };
  const solver: unknown = solvers[method]();
  return solver as Solver<SolverState>; // states differ between solvers; the loop hands each its own back
}

const exploringPrecision = ({ precision }: LearnSettings): Precision => (precision === 'f64' ? 'f64' : 'f32');

async function* refineIfWanted(
  problem: Problem,
  explored: Explored,
  settings: LearnSettings,
  saver: Saver,
): AsyncGenerator<Progress, RefinementOutcome> {
  const atoms: Matrix64 = explored.atoms;
  const aborted = explored.status === 'aborted';
  if (aborted || settings.refine === 'none' || explored.rotations) {
    const kept = explored.rotations ? 'a product of rotations stays one' : 'not asked for';
    return { atoms, refined: false, iterations: 0, note: aborted ? 'aborted' : kept, aborted };
  }
  try {
    const outcome = yield* refinement(problem, atoms, {
      kind: settings.whiten === 'none' ? 'orthogonal' : 'complete',
      precision: settings.precision,
      resume: saver.position as Position<RefineState> | undefined,
      onStep: saver.saveWhenDue,
    });
    if (outcome.aborted) await saver.saveNow();
    return outcome;
  } catch (error) {
    if (!problem.input.signal?.aborted) throw error; // an abort in a pass before or after the steps
    await saver.saveNow();
    return { atoms, refined: false, iterations: saver.position?.iteration ?? 0, note: 'aborted', aborted: true };
  }
}

interface Saver {
  readonly explored: Explored | undefined;
  readonly position: Position<SolverState> | undefined;
  saveWhenDue(position: Position<SolverState>): Promise<void>;
  saveNow(): Promise<void>;
  enterRefinement(explored: Explored): Promise<void>;
}

/** Loads the checkpoint if the run resumes, and saves from then on; without a store it does nothing. */
async function openCheckpoint(run: RunOptions, problem: Problem, identity: Identity): Promise<Saver> {
  const store = run.checkpoint;
  const loaded = run.resume ? await store?.load() : undefined;
  if (loaded) {
    requireSameIdentity(loaded.identity, identity);
    problem.passes = loaded.passes;
  }
  // passes are those of the position: an abort may come after passes that will be made again
  let current: Omit<Checkpoint, 'identity'> = {
    explored: loaded?.explored,
    position: loaded?.position,
    passes: problem.passes,
  };
  let lastSave = performance.now();
  const saveNow = async () => {
    await store?.save({ ...current, identity });
    lastSave = performance.now();
  };
  return {
    get explored() {
      return current.explored;
    },
    get position() {
      return current.position;
    },
    saveNow,
    async saveWhenDue(position) {
      current = { ...current, position, passes: problem.passes };
      if (store && performance.now() - lastSave >= store.interval * 1000) await saveNow();
    },
    async enterRefinement(explored) {
      current = { explored, passes: problem.passes };
      await saveNow();
    },
  };
}

/** Options as a checkpoint and a model remember them: without the start, which the state already contains. */
export function describeOptions({ start, ...settings }: LearnSettings): Record<string, unknown> {
  const entries = Object.entries({ ...settings, start: start ? 'given' : 'random' });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== Number.POSITIVE_INFINITY));
}

/** Other than a model, a checkpoint must tell one given start from another. */
function describeStart({ start }: LearnSettings): string {
  return start ? `given, ${hashNumbers([Float64Array.from(start.data)])}` : 'random';
}

function requireMatrix(matrix: Matrix): Matrix {
  const { rows, cols, data } = matrix;
  if (!(rows > 0 && cols > 0))
    throw inputError('learn', 'samples', 'at least one row and one column', `${rows}×${cols}`);
  if (!(data instanceof Float32Array || data instanceof Float64Array)) {
    throw inputError('learn', 'samples.data', 'a Float32Array or Float64Array', Object.prototype.toString.call(data));
  }
  if (data.length !== rows * cols) {
    throw inputError('learn', 'samples.data', `of length ${rows * cols} (${rows}×${cols})`, data.length);
  }
  return matrix;
}
