/** How a computation runs: the `run` argument, the same for every model. Nothing in it changes the result. */
import { inputError } from '../core/errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { selectKernels } from '../kernels/select.ts';
import { type Checkpoint, type CheckpointStore, type Identity, requireSameIdentity } from './checkpoint.ts';
import type { Executor } from './executor.ts';
import { inlineExecutor } from './inline.ts';
import { type IterateOptions, iterate, type Outcome } from './iterate.ts';
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
}

const KNOWN: readonly string[] = ['executor', 'signal', 'onProgress', 'checkpoint', 'resume'];

type LoopOptions<S> = Pick<IterateOptions<S>, 'stop' | 'samplesPerStep'>;

export class Run {
  /** Samples visited so far. */
  readonly effort = { samples: 0 };
  /** Seconds spent in loops so far, those before an interruption included. */
  looped = 0;
  readonly started = performance.now();
  readonly #options: RunOptions;
  #identity: Identity | undefined;
  #saved: Omit<Checkpoint, 'identity'> = { finished: [] };
  /** Outcomes of the loops of this run, including those taken from a checkpoint. */
  #finished: Checkpoint['finished'] = [];
  #current: Checkpoint['current'];
  #lastSave = performance.now();

  private constructor(
    readonly who: string,
    readonly executor: Executor,
    options: RunOptions,
  ) {
    this.#options = options;
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
    const loaded = this.#options.resume ? await this.#options.checkpoint?.load() : undefined;
    if (!loaded) return;
    requireSameIdentity(this.who, loaded.identity, this.#identity);
    this.#saved = loaded;
    this.#current = loaded.current;
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
    const number = this.#finished.length;
    const saved = this.#saved.finished[number];
    if (saved?.solver === solver.name) {
      this.#setClocks(saved);
      this.#finished = [...this.#finished, saved];
      return saved as unknown as Outcome<S>;
    }
    // decisions that depend on time may lead another way than the saved one: what was saved from here on does not fit
    if (saved) {
      this.#saved = { finished: this.#saved.finished.slice(0, number) };
      this.#current = undefined;
    }
    const { finished, current } = this.#saved;
    const fits = number === finished.length && current?.solver === solver.name;
    // a loop that begins after an abort ends at once, and must not continue from the place of the aborted one
    const resume = fits && !this.signal?.aborted ? current : undefined;
    if (resume) this.#setClocks(resume);
    const [before, started] = [this.looped, performance.now()];
    const loopedNow = () => before + (performance.now() - started) / 1000;
    const outcome = yield* iterate(solver, {
      ...options,
      signal: this.signal,
      resume: resume as unknown as IterateOptions<S>['resume'],
      onStep: async (position) => {
        // the effort belongs to the position: passes cut off by an abort will be repeated
        this.#current = { ...position, solver: solver.name, effort: this.effort.samples, looped: loopedNow() };
        await this.#saveWhenDue();
      },
    });
    if (outcome.status === 'aborted') await this.save();
    else {
      this.looped = loopedNow();
      const clocks = { effort: this.effort.samples, looped: this.looped };
      this.#finished = [...this.#finished, { ...outcome, solver: solver.name, ...clocks }];
      this.#current = undefined;
      await this.save();
    }
    return outcome;
  }

  #setClocks({ effort, looped }: { readonly effort: number; readonly looped: number }): void {
    this.effort.samples = effort;
    this.looped = looped;
  }

  /** Saves the state of the run, if it has a checkpoint. */
  async save(): Promise<void> {
    const { checkpoint } = this.#options;
    if (!checkpoint || !this.#identity) return;
    const finished = this.#finished.length < this.#saved.finished.length ? this.#saved.finished : this.#finished;
    await checkpoint.save({ identity: this.#identity, finished, current: this.#current });
    this.#lastSave = performance.now();
  }

  async #saveWhenDue(): Promise<void> {
    const { checkpoint } = this.#options;
    if (checkpoint && performance.now() - this.#lastSave >= checkpoint.interval * 1000) await this.save();
  }
}
