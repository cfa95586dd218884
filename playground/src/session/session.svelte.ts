/** The page's side of the session: starts jobs, and holds their progress. */
import { isolate } from '../isolate.ts';
import type { Job } from './context.ts';
import type { jobs } from './jobs/index.ts';
import type { Failure, FromSession, ToSession } from './messages.ts';

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type RequestOf<N extends JobName> = Jobs[N] extends Job<infer Q, infer _E, infer _R> ? Q : never;
export type EventOf<N extends JobName> = Jobs[N] extends Job<infer _Q, infer E, infer _R> ? E : never;
export type ResultOf<N extends JobName> = Jobs[N] extends Job<infer _Q, infer _E, infer R> ? R : never;

/** Progress of a job; jobs may put it into their events as `progress`. */
export interface JobProgress {
  /** A few words on what the job is doing. */
  readonly words: string;
  /** Finished share from 0 to 1, if known. */
  readonly fraction?: number | undefined;
}

export class JobFailure extends Error {
  constructor(
    message: string,
    readonly reason: Failure,
  ) {
    super(message);
  }
}

interface Listener {
  event(event: unknown): void;
  done(result: unknown): void;
  failed(failure: JobFailure): void;
}

const listeners = new Map<number, Listener>();
/** Warnings of the library, each once. */
export const warnings: string[] = $state([]);
/** Resolves when the page may start work: not if it is about to reload for shared memory. */
const isolated = isolate();
let worker: Worker | undefined;
let jobsStarted = 0;

const NOT_STARTED = 'The worker of this page could not be started. Check the connection, then reload the page.';

/** The worker. The first job starts it, so that the page is drawn before any kernel is loaded. */
function session(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'session' });
  worker.addEventListener('message', ({ data }: MessageEvent<FromSession>) => {
    if (data.kind === 'warning') {
      if (!warnings.includes(data.message)) warnings.push(data.message);
      return;
    }
    const listener = listeners.get(data.id);
    if (data.kind === 'event') return listener?.event(data.event);
    listeners.delete(data.id);
    if (data.kind === 'done') listener?.done(data.result);
    else listener?.failed(new JobFailure(data.message, data.reason));
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    for (const listener of listeners.values()) {
      listener.failed(new JobFailure(event.message || NOT_STARTED, 'fault'));
    }
    listeners.clear();
    worker?.terminate();
    worker = undefined;
  });
  return worker;
}

const tell = (message: ToSession) => void isolated.then(() => session().postMessage(message));

export type RunState = 'idle' | 'running' | 'paused' | 'done' | 'cancelled' | 'failed';

/** The state of a piece of work, and its controls. */
export interface Controls {
  readonly state: RunState;
  readonly isActive: boolean;
  readonly error: string | undefined;
  readonly progress: JobProgress | undefined;
  readonly elapsed: number;
  pause(): void;
  resume(): void;
  step(): void;
  cancel(): void;
}

/** One piece of work that the user can watch, pause, step and cancel; started again and again. */
export class Work<N extends JobName> implements Controls {
  state: RunState = $state('idle');
  /** The error as a sentence. */
  error: string | undefined = $state();
  progress: JobProgress | undefined = $state();
  /** Milliseconds since the start, without pauses; as of the last event. */
  elapsed = $state(0);
  readonly isActive = $derived(this.state === 'running' || this.state === 'paused');
  #id = 0;
  #since = 0;

  constructor(readonly job: N) {}

  /** Cancels running work, then starts. Returns undefined if it is cancelled or fails; `error` then says why. */
  async start(
    request: RequestOf<N>,
    onEvent: (event: EventOf<N>) => void = () => {},
  ): Promise<ResultOf<N> | undefined> {
    this.cancel();
    const id = ++jobsStarted;
    this.#id = id;
    Object.assign(this, { state: 'running', error: undefined, progress: undefined, elapsed: 0 });
    this.#since = performance.now();
    try {
      const result = await new Promise<unknown>((done, failed) => {
        const event = (event: unknown) => {
          if (id !== this.#id) return;
          if (this.state === 'running') this.elapsed = performance.now() - this.#since;
          const { progress } = event as { progress?: JobProgress };
          if (progress) this.progress = progress;
          onEvent(event as EventOf<N>);
        };
        listeners.set(id, { event, done, failed });
        tell({ kind: 'start', id, job: this.job, request });
      });
      if (id !== this.#id) return undefined;
      this.elapsed = performance.now() - this.#since;
      this.state = 'done';
      return result as ResultOf<N>;
    } catch (error) {
      if (id !== this.#id) return undefined;
      const { reason, message } = error as JobFailure;
      this.state = reason === 'cancelled' ? 'cancelled' : 'failed';
      if (reason !== 'cancelled') this.error = message;
      return undefined;
    }
  }

  pause(): void {
    if (this.state !== 'running') return;
    this.state = 'paused';
    this.elapsed = performance.now() - this.#since;
    tell({ kind: 'pause', id: this.#id });
  }

  resume(): void {
    if (this.state !== 'paused') return;
    this.state = 'running';
    this.#since = performance.now() - this.elapsed;
    tell({ kind: 'resume', id: this.#id });
  }

  /** Takes one step, then pauses. */
  step(): void {
    if (!this.isActive) return;
    this.pause();
    tell({ kind: 'step', id: this.#id });
  }

  cancel(): void {
    if (!this.isActive) return;
    this.state = 'cancelled';
    tell({ kind: 'cancel', id: this.#id });
    this.#id = 0;
  }

  /** Resets to the state before the first start. */
  reset(): void {
    this.cancel();
    Object.assign(this, { state: 'idle', error: undefined, progress: undefined, elapsed: 0 });
  }
}
