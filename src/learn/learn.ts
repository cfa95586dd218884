/** The main job, source to dictionary: prepare, explore with a solver, refine with the zeros of the codes, finish. */
import { inputError } from '../core/errors.ts';
import type { Matrix, Matrix64, Precision } from '../core/matrix.ts';
import { dctOfShape } from '../dictionaries/dct.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import { type Checkpoint, type CheckpointStore, type Identity, requireSameIdentity } from '../engine/checkpoint.ts';
import type { Executor } from '../engine/executor.ts';
import { inlineExecutor } from '../engine/inline.ts';
import { iterate, type Position } from '../engine/iterate.ts';
import { memorySource } from '../engine/memory.ts';
import type { Solver, SolverState } from '../engine/solver.ts';
import type { Source } from '../engine/source.ts';
import {
  type Progress,
  type Status,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
  stopWhenObjectiveStalls,
} from '../engine/stop.ts';
import { selectKernels } from '../kernels/select.ts';
import {
  completeDictionary,
  fixedDictionary,
  freeDictionary,
  orthogonalDictionary,
  rotationDictionary,
} from './finish.ts';
import { fixedBasis } from './methods/dct.ts';
import { fastIca } from './methods/fastica/fastica.ts';
import { givensL4 } from './methods/givens.ts';
import { gTransform } from './methods/gtransform.ts';
import { ksvd, pursuitLimits } from './methods/ksvd/ksvd.ts';
import { msp } from './methods/msp.ts';
import { onlineLearning } from './methods/online/online.ts';
import { principalDirections } from './methods/pca.ts';
import { pga } from './methods/pga.ts';
import { procrustesAlternation } from './methods/procrustes.ts';
import { subgradientAtoms } from './methods/subgradient/subgradient-atoms.ts';
import { subgradientWhole } from './methods/subgradient/subgradient-whole.ts';
import { isFree, type LearnOptions, type LearnSettings, settleOptions } from './options.ts';
import { hashNumbers, prepare } from './prepare.ts';
import type { Problem } from './problem.ts';
import type { RefineState } from './refinement/masked-refinement.ts';
import { refinement } from './refinement/refinement.ts';
import { type Finished, nextStage, type Stage, scoutingTolerance, stopWhenCrawling } from './stages.ts';

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
  /** Passes over the data, preparation and refinement included, those over a part by its share; rounded up. */
  readonly passes: number;
  /**
   * ‖X‖_q^q of the samples in their own units (of the whitened samples with `zca`): when exploring ended, or of the refined
   * dictionary where exploring saw a part of the samples only.
   */
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
  const working = isFree(settings.method) ? { ...settings, components: undefined } : settings;
  const { problem, fingerprint } = await prepare(source, executor, working, run.signal);
  const saver = await openCheckpoint(run, problem, {
    data: fingerprint,
    backend: executor.kernels.name,
    options: { ...describeOptions(settings), start: describeStart(settings) },
  });

  const outcome = yield* runStages(problem, settings, saver);
  return {
    dictionary: finish(problem, settings, outcome),
    settings,
    status: outcome.status,
    reason: outcome.reason,
    iterations: outcome.iterations,
    objective: outcome.objective,
    passes: Math.ceil(problem.effort.samples / source.rows - 1e-9),
    refined: outcome.refined,
    refinement: outcome.note,
    samples: source.rows,
    features: source.cols,
    seconds: (performance.now() - started) / 1000,
    backend: executor.kernels.name,
    threads: executor.threads,
  };
}

function finish(problem: Problem, settings: LearnSettings, { atoms, rotations }: Finished): Dictionary {
  if (settings.method === 'dct') return fixedDictionary(problem, atoms);
  if (isFree(settings.method)) return freeDictionary(problem, atoms, pursuitLimits(settings, atoms.cols));
  if (rotations) return rotationDictionary(problem, atoms, rotations);
  return settings.whiten === 'none' ? orthogonalDictionary(problem, atoms) : completeDictionary(problem, atoms);
}

async function* runStages(problem: Problem, settings: LearnSettings, saver: Saver): AsyncGenerator<Progress, Finished> {
  const started = performance.now();
  let last = saver.finished;
  for (;;) {
    const spent = { iterations: last?.iterations ?? 0, seconds: (performance.now() - started) / 1000 };
    const mayExplore = spent.iterations < settings.maxIterations && spent.seconds < settings.maxSeconds;
    const stage = nextStage(problem, settings, last, mayExplore);
    try {
      if (!stage) return last!.scouting ? { ...last!, objective: await objectiveOf(problem, last!, settings) } : last!;
      const part = await problem.part(stage.rows);
      if (stage.partial && stage.kind === 'explore' && !saver.position) problem.effort.samples += stage.rows;
      last = yield* last && stage.kind === 'refine'
        ? refine(part, stage, settings, saver, last)
        : explore(part, stage, settings, saver, { ...spent, allSamples: problem.samples });
    } catch (error) {
      if (!(problem.input.signal?.aborted && last)) throw error; // an abort in a pass before or after the steps
      last = { ...last, iterations: last.iterations + (saver.position?.iteration ?? 0), status: 'aborted' };
    }
    if (last.status === 'aborted') {
      await saver.saveNow();
      return { ...last, reason: 'aborted', note: 'aborted' };
    }
    await saver.finish(last);
  }
}

async function* explore(
  problem: Problem,
  { kind, rows, partial, scouting, start }: Stage,
  settings: LearnSettings,
  saver: Saver,
  { allSamples, iterations: earlier, seconds }: { allSamples: number; iterations: number; seconds: number },
): AsyncGenerator<Progress, Finished> {
  const solver = exploringSolver(problem, settings, start);
  const { state, iterations, status, reason } = yield* iterate(solver, {
    stop: [
      stopWhenChangeBelow(
        scouting ? Math.max(scoutingTolerance(problem.size), settings.tolerance) : settings.tolerance,
      ),
      stopWhenObjectiveStalls(settings.objectiveTolerance),
      ...(partial ? [stopWhenCrawling] : []),
      stopAfterIterations(settings.maxIterations - earlier),
      stopAfterSeconds(settings.maxSeconds, seconds),
    ],
    signal: problem.input.signal,
    samplesPerStep: rows,
    resume: saver.position,
    onStep: saver.saveWhenDue,
  });
  return {
    kind,
    rows,
    atoms: solver.atoms(state, status === 'converged'),
    rotations: solver.rotations?.(state),
    objective: (solver.report(state).objective * allSamples) / rows,
    iterations: earlier + iterations,
    status,
    reason,
    refined: false,
    note: solver.rotations ? 'a product of rotations stays one' : 'not asked for',
    scouting,
  };
}

function exploringSolver(problem: Problem, settings: LearnSettings, start: Matrix64): Solver<SolverState> {
  const { method, norm, shift, momentum, step, rotations, keep, threshold, nonlinearity } = settings;
  const { search, tolerance, seed, lambda, batch, residual, dctShape, components } = settings;
  const selection = { keep, threshold };
  const precision = exploringPrecision(settings);
  const solvers = {
    msp: () => msp(problem, { norm, shift, momentum, precision, start }),
    pga: () => pga(problem, { norm, step, precision, start }),
    givens: () => givensL4(problem, { start, seed: settings.seed }),
    procrustes: () => procrustesAlternation(problem, { selection, precision, start }),
    gtransform: () => gTransform(problem, { selection, rotations, precision, start }),
    fastica: () => fastIca(problem, { nonlinearity, precision, start }),
    pca: () => principalDirections(problem, start),
    dct: () => fixedBasis(problem, 'dct', dctOfShape(problem.input.source.cols, dctShape), components),
    subgradient: () =>
      search === 'whole'
        ? subgradientWhole(problem, { precision, tolerance, start })
        : subgradientAtoms(problem, { precision, tolerance, start, seed }),
    online: () => onlineLearning(problem, { lambda, batch, start, seed }),
    ksvd: () => ksvd(problem, { limits: { keep, residual }, start }),
  };
  const solver: unknown = solvers[method]();
  return solver as Solver<SolverState>; // states differ between solvers; the loop hands each its own back
}

const exploringPrecision = ({ precision }: LearnSettings): Precision => (precision === 'f64' ? 'f64' : 'f32');

async function* refine(
  problem: Problem,
  { kind, rows, scouting, start, from }: Stage,
  settings: LearnSettings,
  saver: Saver,
  before: Finished,
): AsyncGenerator<Progress, Finished> {
  const { atoms, refined, state, iterations, note, aborted } = yield* refinement(problem, start, {
    kind: settings.whiten === 'none' ? 'orthogonal' : 'complete',
    precision: settings.precision,
    scouting,
    from,
    resume: saver.position as Position<RefineState> | undefined,
    onStep: saver.saveWhenDue,
  });
  return {
    ...before,
    ...(scouting && refined && { reason: note }),
    ...(aborted && { status: 'aborted' as const }),
    kind,
    rows,
    atoms,
    iterations: before.iterations + iterations,
    refined,
    note,
    state,
  };
}

/** Of all samples, where scouting saw a part of them or stopped early. */
async function objectiveOf(problem: Problem, { atoms }: Finished, settings: LearnSettings): Promise<number> {
  const response = { kind: 'power', norm: settings.norm } as const;
  const { values } = await problem.correlate(atoms, response, exploringPrecision(settings));
  return values.reduce((sum, value) => sum + value, 0) / problem.input.unit ** settings.norm;
}

interface Saver {
  readonly finished: Finished | undefined;
  readonly position: Position<SolverState> | undefined;
  saveWhenDue(position: Position<SolverState>): Promise<void>;
  saveNow(): Promise<void>;
  finish(stage: Finished): Promise<void>;
}

/** Loads the checkpoint if the run resumes, and saves from then on; without a store it does nothing. */
async function openCheckpoint(run: RunOptions, problem: Problem, identity: Identity): Promise<Saver> {
  const store = run.checkpoint;
  const loaded = run.resume ? await store?.load() : undefined;
  if (loaded) {
    requireSameIdentity('learn', loaded.identity, identity);
    problem.effort.samples = loaded.effort;
  }
  // the effort is that of the position: an abort may come after passes that will be made again
  let current: Omit<Checkpoint, 'identity'> = {
    finished: loaded?.finished,
    position: loaded?.position,
    effort: problem.effort.samples,
  };
  let lastSave = performance.now();
  const saveNow = async () => {
    await store?.save({ ...current, identity });
    lastSave = performance.now();
  };
  return {
    get finished() {
      return current.finished;
    },
    get position() {
      return current.position;
    },
    saveNow,
    async saveWhenDue(position) {
      current = { ...current, position, effort: problem.effort.samples };
      if (store && performance.now() - lastSave >= store.interval * 1000) await saveNow();
    },
    async finish(finished) {
      current = { finished, effort: problem.effort.samples };
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
