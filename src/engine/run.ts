/** How a computation runs: the `run` argument, the same for every model. Nothing in it changes the result. */
import { inputError } from '../core/errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { selectKernels } from '../kernels/select.ts';
import {
  type Budgets,
  type Checkpoint,
  CheckpointSaver,
  type CheckpointStore,
  type CurrentLoop,
  type Identity,
  type LoadedCheckpoint,
  loadCheckpoint,
  requireSameIdentity,
} from './checkpoint.ts';
import { type Executor, inlineExecutor } from './executor.ts';
import { extendProgress, type IterateOptions, iterate, type Outcome, type Position, verdictAt } from './iterate.ts';
import type { Solver, SolverState } from './solver.ts';
import type { Progress, StopRule } from './stop.ts';

/** How a computation runs: the last argument of every model. Nothing in it changes the result. */
export interface RunOptions {
  /** Default: the calling thread, with the fastest kernels available. */
  readonly executor?: Executor | undefined;
  /** Ends the run early: its status is `aborted`, and it returns what it has found; without a first result it throws. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every step, and when a stage begins. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Where the state of the run is saved from time to time, and when it is aborted. */
  readonly checkpoint?: CheckpointStore | undefined;
  /** Whether to continue from the stored checkpoint, if there is one. */
  readonly resume?: boolean | undefined;
  /** Called once if a checkpoint cannot be saved and the run continues; default: `console.warn`. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const KNOWN: readonly string[] = ['executor', 'signal', 'onProgress', 'checkpoint', 'resume', 'onWarning'];

/** What one loop of a run needs besides its solver. */
export type LoopOptions<S> = Pick<IterateOptions<S>, 'stop' | 'samplesPerStep'>;

/**
 * The options that limit how long a run may take and say nothing about what it computes. They are not part of the identity of
 * a checkpoint: a run that used one up continues when it is resumed with a larger one.
 */
const BUDGETS: readonly string[] = ['maxIterations', 'maxSeconds', 'starts'];

/** Divides options into budgets and all others. */
function divideBudgets(options: Identity['options']): {
  readonly budgets: Budgets;
  readonly others: Identity['options'];
} {
  const budgets: Record<string, number> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (!BUDGETS.includes(name)) others[name] = value;
    else if (typeof value === 'number' && Number.isFinite(value)) budgets[name] = value;
  }
  return { budgets, others };
}

/** Whether something is left of every budget in `spent`. */
const isWithin = (spent: Budgets, budgets: Budgets): boolean =>
  Object.entries(spent).every(([name, amount]) => amount < (budgets[name] ?? Number.POSITIVE_INFINITY));

/** One run of a method or model: where passes are computed, what stops it, where progress is reported, what is saved. */
export class Run {
  /** Samples visited so far. */
  readonly visited = { samples: 0 };
  /** Seconds that count towards a limit, up to the end of the last loop, including those before an interruption. */
  looped = 0;
  readonly started = performance.now();
  readonly #options: RunOptions;
  readonly #saver: CheckpointSaver;
  #identity: Identity | undefined;
  #budgets: Budgets = {};
  /** Budgets of the run that ended the last loop, if that loop was taken from a checkpoint. */
  #budgetsThen: Budgets | undefined;
  #loaded: LoadedCheckpoint | undefined;
  #saved: Omit<Checkpoint, 'identity'> = { finished: [] };
  /** Outcomes of the loops of this run, including those taken from a checkpoint. */
  #finished: Checkpoint['finished'] = [];
  #current: Checkpoint['current'];

  private constructor(
    readonly who: string,
    readonly executor: Executor,
    options: RunOptions,
  ) {
    this.#options = options;
    this.#saver = new CheckpointSaver(who, options.checkpoint, options.onWarning);
  }

  /** `who`: the public function that was called. */
  static async start(who: string, options: RunOptions): Promise<Run> {
    if (options === null || typeof options !== 'object') throw inputError(who, 'the run', 'an object', options);
    const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
    if (unknown !== undefined) {
      throw inputError(who, 'the run', `of ${KNOWN.join(', ')}`, `"${unknown}"`);
    }
    if (options.resume && !options.checkpoint) throw inputError(who, 'resume', 'given with checkpoint', 'resume alone');
    return new Run(who, options.executor ?? inlineExecutor(await selectKernels('auto')), options);
  }

  get kernels(): Kernels {
    return this.executor.kernels;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  get seconds(): number {
    return (performance.now() - this.started) / 1000;
  }

  /** Reports the beginning of a stage. */
  begin(stage: string): void {
    this.signal?.throwIfAborted();
    this.#options.onProgress?.({
      solver: stage,
      iteration: 0,
      objective: Number.NaN,
      change: Number.NaN,
      recentObjectives: [],
      recentChanges: [],
      seconds: this.seconds,
      samplesPerSecond: Number.NaN,
    });
  }

  /** Loads the checkpoint if the run resumes. Call it once, when the data is known and before the first loop. */
  async open(identity: Omit<Identity, 'backend'>): Promise<void> {
    const { budgets, others } = divideBudgets(identity.options);
    this.#budgets = budgets;
    this.#identity = { ...identity, options: others, backend: this.kernels.name };
    const { resume, checkpoint } = this.#options;
    this.#loaded = resume && checkpoint ? await loadCheckpoint(this.who, checkpoint) : undefined;
    if (!this.#loaded) return;
    const { content } = this.#loaded;
    requireSameIdentity(this.who, content.identity, this.#identity);
    this.#saved = content;
    this.#current = content.current;
    const first = content.finished[0] ?? content.current;
    if (first) this.looped = first.looped - first.seconds; // preparing again does not count
  }

  /**
   * Whether something is left of the budgets, for decisions between loops. After a loop from a checkpoint, the budgets of the
   * run that ended that loop count too: a smaller budget now ends later loops, and keeps what earlier ones reached.
   */
  mayGoOn(spent: Budgets): boolean {
    return isWithin(spent, this.#budgets) || (this.#budgetsThen !== undefined && isWithin(spent, this.#budgetsThen));
  }

  /** Runs a solver to its end and reports its progress. */
  async drive<S extends SolverState>(
    solver: Solver<S>,
    options: LoopOptions<S>,
    translate: (progress: Progress) => Progress = (progress) => progress,
  ): Promise<Outcome<S>> {
    const steps = this.steps(solver, options);
    for (;;) {
      const { done, value } = await steps.next();
      if (done) return value;
      this.#options.onProgress?.(translate(value));
    }
  }

  /** Runs a solver for callers that drive the loop themselves. A loop that ended before the checkpoint takes no steps. */
  async *steps<S extends SolverState>(
    solver: Solver<S>,
    options: LoopOptions<S>,
  ): AsyncGenerator<Progress, Outcome<S>> {
    const ended = this.#endOf(solver, options.stop);
    if (ended) return ended;
    this.#budgetsThen = undefined;
    const resume = this.#positionOf(solver);
    const before = this.looped;
    const steps = iterate(solver, {
      ...options,
      signal: this.signal,
      resume,
      onStep: async (position) => {
        // the effort belongs to the position: passes cut off by an abort will be repeated
        const clocks = { effort: this.visited.samples, looped: before + position.seconds };
        this.#current = { ...position, solver: solver.name, ...clocks };
        if (this.#saver.isDue) await this.#saveSoftly();
      },
    });
    const outcome = yield* extendProgress(steps, ({ seconds }) => ({
      spent: before + seconds,
      visited: this.visited.samples,
    }));
    if (outcome.status === 'aborted') await this.save();
    else {
      const { status, code, reason } = outcome;
      const last = this.#current!; // a loop ends after a step, or where it is resumed
      this.looped = last.looped;
      this.#finished = [...this.#finished, { ...last, status, code, reason, budgets: this.#budgets }];
      this.#current = undefined;
      await this.#saveSoftly();
    }
    return outcome;
  }

  /** How this loop ended before the checkpoint was saved, if it did. */
  #endOf<S extends SolverState>(solver: Solver<S>, rules: readonly StopRule<S>[]): Outcome<S> | undefined {
    const number = this.#finished.length;
    const saved = this.#saved.finished[number];
    if (!saved) return undefined;
    if (saved.solver !== solver.name) {
      // decisions that depend on time and budgets may differ from the saved ones
      this.#forgetFrom(number);
      return undefined;
    }
    const state = this.#stateOf(`finished.${number}`, saved, solver);
    if (saved.status === 'exhausted' && !verdictAt(solver, { ...saved, state }, rules) && !this.signal?.aborted) {
      const { status, code, reason, budgets, ...position } = saved;
      this.#forgetFrom(number, position); // the loops that followed ran because a budget was used up
      return undefined;
    }
    this.visited.samples = saved.effort;
    this.looped = saved.looped;
    this.#budgetsThen = saved.budgets;
    this.#finished = [...this.#finished, saved];
    return { ...saved, state, iterations: saved.iteration };
  }

  /** The state of a saved loop, checked against the shape of the solver's states. */
  #stateOf<S extends SolverState>(part: string, { state }: CurrentLoop, solver: Solver<S>): S {
    this.#loaded?.requireState(part, state, solver);
    return state as S;
  }

  /** Drops what was saved from this loop on; `current`: where the loop stands. */
  #forgetFrom(number: number, current?: Checkpoint['current']): void {
    this.#saved = { finished: this.#saved.finished.slice(0, number), current };
    this.#current = current;
  }

  /** Where this loop stood when the checkpoint was saved, if it was this one. */
  #positionOf<S extends SolverState>(solver: Solver<S>): Position<S> | undefined {
    const { finished, current } = this.#saved;
    // a loop that begins after an abort ends at once, and must not continue where the aborted one stopped
    if (this.#finished.length !== finished.length || current?.solver !== solver.name || this.signal?.aborted)
      return undefined;
    const state = this.#stateOf('current', current, solver);
    this.visited.samples = current.effort;
    return { ...current, state };
  }

  /** Saves the state of a run that is aborted, if it has a checkpoint. */
  async save(): Promise<void> {
    if (this.#identity) await this.#saver.saveOrThrow(this.#checkpoint(this.#identity));
  }

  /** Saves while the run continues: a failure is only a warning. */
  async #saveSoftly(): Promise<void> {
    if (this.#identity) await this.#saver.save(this.#checkpoint(this.#identity));
  }

  #checkpoint(identity: Identity): Checkpoint {
    const finished = this.#finished.length < this.#saved.finished.length ? this.#saved.finished : this.#finished;
    return { identity, finished, current: this.#current };
  }
}
