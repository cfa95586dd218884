/** How a computation runs: the `run` argument, the same for every model. Nothing in it changes the result. */
import { inputError } from '../core/errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { selectKernels } from '../kernels/select.ts';
import {
  type Checkpoint,
  type CheckpointStore,
  type Identity,
  type LoadedCheckpoint,
  loadCheckpoint,
  requireSameIdentity,
} from './checkpoint.ts';
import type { Executor } from './executor.ts';
import { inlineExecutor } from './inline.ts';
import { type IterateOptions, iterate, type Outcome, verdictAt, withMore } from './iterate.ts';
import { type Budgets, divideBudgets, isWithin } from './limits.ts';
import { Saver } from './saver.ts';
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
  /** Continue from the stored checkpoint, if there is one. */
  readonly resume?: boolean | undefined;
  /** Called once if a checkpoint cannot be saved while the run goes on; default: `console.warn`. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const KNOWN: readonly string[] = ['executor', 'signal', 'onProgress', 'checkpoint', 'resume', 'onWarning'];

/** What one loop of a run needs beside its solver. */
export type LoopOptions<S> = Pick<IterateOptions<S>, 'stop' | 'samplesPerStep'>;

/** One run of a method or model: where passes are computed, what stops it, who hears of it, what is saved. */
export class Run {
  /** Samples visited so far. */
  readonly effort = { samples: 0 };
  /** Seconds that count towards a limit, up to the end of the last loop; those before an interruption included. */
  looped = 0;
  readonly started = performance.now();
  readonly #options: RunOptions;
  readonly #saver: Saver;
  #identity: Identity | undefined;
  #budgets: Budgets = {};
  /** Those of the run that ended the last loop, if that was taken from a checkpoint. */
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
    this.#saver = new Saver(who, options.checkpoint, options.onWarning);
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
   * Whether something is left of the budgets, for decisions between loops. After a loop from a checkpoint those of the run
   * that ended it count too: a smaller budget now ends what is to come, and keeps what is there.
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

  /** The same for callers that drive the loop themselves. A loop that ended before the checkpoint takes no steps. */
  async *steps<S extends SolverState>(
    solver: Solver<S>,
    options: LoopOptions<S>,
  ): AsyncGenerator<Progress, Outcome<S>> {
    const plain = solver as unknown as Solver<SolverState>;
    const ended = this.#endOf(plain, options.stop as readonly StopRule<SolverState>[]);
    if (ended) return ended as unknown as Outcome<S>;
    this.#budgetsThen = undefined;
    const resume = this.#positionOf(plain);
    const before = this.looped;
    const steps = iterate(solver, {
      ...options,
      signal: this.signal,
      resume: resume as unknown as IterateOptions<S>['resume'],
      onStep: async (position) => {
        // the effort belongs to the position: passes cut off by an abort will be repeated
        const clocks = { effort: this.effort.samples, looped: before + position.seconds };
        this.#current = { ...position, solver: solver.name, ...clocks };
        if (this.#saver.isDue) await this.#saveSoftly();
      },
    });
    const outcome = yield* withMore(steps, ({ seconds }) => ({
      spent: before + seconds,
      visited: this.effort.samples,
    }));
    if (outcome.status === 'aborted') await this.save();
    else {
      const { status, reason } = outcome;
      const last = this.#current!; // a loop ends after a step, or where it is resumed
      this.looped = last.looped;
      this.#finished = [...this.#finished, { ...last, status, reason, budgets: this.#budgets }];
      this.#current = undefined;
      await this.#saveSoftly();
    }
    return outcome;
  }

  /** How this loop ended before the checkpoint was saved, if it did. */
  #endOf(solver: Solver<SolverState>, rules: readonly StopRule<SolverState>[]): Outcome<SolverState> | undefined {
    const number = this.#finished.length;
    const saved = this.#saved.finished[number];
    if (!saved) return undefined;
    if (saved.solver !== solver.name) {
      // decisions that depend on time and budgets may lead another way than the saved one
      this.#forgetFrom(number);
      return undefined;
    }
    this.#loaded?.requireState(`finished.${number}`, saved.state, solver);
    if (saved.status === 'exhausted' && !verdictAt(solver, saved, rules) && !this.signal?.aborted) {
      const { status, reason, budgets, ...position } = saved;
      this.#forgetFrom(number, position); // what followed did so because a budget was used up
      return undefined;
    }
    this.effort.samples = saved.effort;
    this.looped = saved.looped;
    this.#budgetsThen = saved.budgets;
    this.#finished = [...this.#finished, saved];
    return { ...saved, iterations: saved.iteration };
  }

  /** What was saved from this loop on does not fit any more; `current`: where the loop stands. */
  #forgetFrom(number: number, current?: Checkpoint['current']): void {
    this.#saved = { finished: this.#saved.finished.slice(0, number), current };
    this.#current = current;
  }

  /** Where this loop stood when the checkpoint was saved, if it was this one. */
  #positionOf(solver: Solver<SolverState>): Checkpoint['current'] {
    const { finished, current } = this.#saved;
    // a loop that begins after an abort ends at once, and must not continue from the place of the aborted one
    if (this.#finished.length !== finished.length || current?.solver !== solver.name || this.signal?.aborted)
      return undefined;
    this.#loaded?.requireState('current', current.state, solver);
    this.effort.samples = current.effort;
    return current;
  }

  /** Saves the state of a run that is aborted, if it has a checkpoint. */
  async save(): Promise<void> {
    if (this.#identity) await this.#saver.saveOrThrow(this.#checkpoint(this.#identity));
  }

  /** Saves while the run goes on. */
  async #saveSoftly(): Promise<void> {
    if (this.#identity) await this.#saver.save(this.#checkpoint(this.#identity));
  }

  #checkpoint(identity: Identity): Checkpoint {
    const finished = this.#finished.length < this.#saved.finished.length ? this.#saved.finished : this.#finished;
    return { identity, finished, current: this.#current };
  }
}
