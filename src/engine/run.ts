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
import { type IterateOptions, iterate, type Outcome } from './iterate.ts';
import { Saver } from './saver.ts';
import type { Solver, SolverState } from './solver.ts';
import type { Progress } from './stop.ts';

/** How a computation runs: the last argument of every model. Nothing in it changes the result. */
export interface RunOptions {
  /** Default: the calling thread, with the fastest kernels available. */
  readonly executor?: Executor | undefined;
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

type LoopOptions<S> = Pick<IterateOptions<S>, 'stop' | 'samplesPerStep'>;

export class Run {
  /** Samples visited so far. */
  readonly effort = { samples: 0 };
  /** Seconds spent in loops so far, those before an interruption included. */
  looped = 0;
  readonly started = performance.now();
  readonly #options: RunOptions;
  readonly #saver: Saver;
  #identity: Identity | undefined;
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
    this.#identity = { ...identity, backend: this.kernels.name };
    const { resume, checkpoint } = this.#options;
    this.#loaded = resume && checkpoint ? await loadCheckpoint(this.who, checkpoint) : undefined;
    if (!this.#loaded) return;
    const { content } = this.#loaded;
    requireSameIdentity(this.who, content.identity, this.#identity);
    this.#saved = content;
    this.#current = content.current;
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
    const ended = this.#endOf(solver as unknown as Solver<SolverState>);
    if (ended) return ended as unknown as Outcome<S>;
    const resume = this.#positionOf(solver as unknown as Solver<SolverState>);
    const [before, started] = [this.looped, performance.now()];
    const loopedNow = () => before + (performance.now() - started) / 1000;
    const outcome = yield* iterate(solver, {
      ...options,
      signal: this.signal,
      resume: resume as unknown as IterateOptions<S>['resume'],
      onStep: async (position) => {
        // the effort belongs to the position: passes cut off by an abort will be repeated
        this.#current = { ...position, solver: solver.name, effort: this.effort.samples, looped: loopedNow() };
        if (this.#saver.isDue) await this.#saveSoftly();
      },
    });
    if (outcome.status === 'aborted') await this.save();
    else {
      this.looped = loopedNow();
      const clocks = { effort: this.effort.samples, looped: this.looped };
      this.#finished = [...this.#finished, { ...outcome, solver: solver.name, ...clocks }];
      this.#current = undefined;
      await this.#saveSoftly();
    }
    return outcome;
  }

  /** How this loop ended before the checkpoint was saved, if it did. */
  #endOf(solver: Solver<SolverState>): Outcome<SolverState> | undefined {
    const number = this.#finished.length;
    const saved = this.#saved.finished[number];
    if (!saved) return undefined;
    if (saved.solver !== solver.name) {
      // decisions that depend on time may lead another way than the saved one: what was saved from here on does not fit
      this.#saved = { finished: this.#saved.finished.slice(0, number) };
      this.#current = undefined;
      return undefined;
    }
    this.#loaded?.requireState(`finished.${number}`, saved.state, solver);
    this.#setClocks(saved);
    this.#finished = [...this.#finished, saved];
    return saved;
  }

  /** Where this loop stood when the checkpoint was saved, if it was this one. */
  #positionOf(solver: Solver<SolverState>): Checkpoint['current'] {
    const { finished, current } = this.#saved;
    // a loop that begins after an abort ends at once, and must not continue from the place of the aborted one
    if (this.#finished.length !== finished.length || current?.solver !== solver.name || this.signal?.aborted)
      return undefined;
    this.#loaded?.requireState('current', current.state, solver);
    this.#setClocks(current);
    return current;
  }

  #setClocks({ effort, looped }: { readonly effort: number; readonly looped: number }): void {
    this.effort.samples = effort;
    this.looped = looped;
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
