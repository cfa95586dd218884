/** The workers of an executor: starting them, what they are sent and send back, and whether all are alive. */
import { InputError, inputError } from '../../core/errors.ts';
import { reasonOf, warnOnce } from '../../core/warn.ts';
import type { Reply, ToWorker, WorkerPort } from './protocol.ts';

/** More threads than this per core only take memory and time to start; the result is the same. */
const MOST_PER_CORE = 4;

/** How many threads to use of the number that the function `who` was asked for. */
export function threadsWithin(who: string, wanted: number, cores: number): number {
  if (!(Number.isInteger(wanted) && wanted >= 1 && wanted <= 1024)) {
    throw inputError(who, 'threads', 'a whole number from 1 to 1024', wanted);
  }
  return Math.min(wanted, MOST_PER_CORE * cores);
}

/** Starts up to `count` workers; the signal aborts when no worker is wanted any more. */
export type StartWorkers = (count: number, signal: AbortSignal) => Promise<readonly WorkerPort[]>;

/** Starts workers one by one, and warns if some cannot be started: the result is the same with any number. */
export const startEach =
  (start: (signal: AbortSignal) => Promise<WorkerPort>): StartWorkers =>
  async (count, signal) => {
    const started = await Promise.allSettled(Array.from({ length: count }, () => start(signal)));
    const ports = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const refused = started.find((each) => each.status === 'rejected');
    if (refused && !signal.aborted) {
      const missing = count - ports.length;
      const [threads, them] = missing === 1 ? ['1 thread', 'it'] : [`${missing} threads`, 'them'];
      warnOnce(`${threads} cannot be started (${reasonOf(refused.reason)}): computing without ${them}.`);
    }
    return ports;
  };

export class WorkerPool {
  /** Why no pass can be computed any more. */
  broken: Error | undefined;
  readonly workers: WorkerHandle[] = [];
  readonly #start: StartWorkers;
  readonly #threads: number;
  readonly #jobs = new Map<number, PendingJob>();
  #lastJob = 0;
  #wanted = 0;
  #hasRefused = false;
  #starting: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  /** `threads`: how many may compute at once, including the calling thread. */
  constructor(threads: number, start: StartWorkers) {
    this.#threads = threads;
    this.#start = start;
  }

  /** How many threads compute: the number asked for, or those that could be started and the calling one. */
  get threads(): number {
    return this.#hasRefused ? Math.min(this.#threads, 1 + this.workers.length) : this.#threads;
  }

  /** Whether there are workers to compute. */
  get isReady(): boolean {
    return this.workers.length > 0;
  }

  /** Starts workers until there are `workers`, or as many as possible; resolves when they are ready. */
  start(workers = this.#threads - 1): Promise<void> {
    const more = workers - this.#wanted;
    if (more <= 0) return this.#starting;
    this.#wanted = workers;
    const started = this.#start(more, this.#closing.signal).then(
      (ports) => {
        this.#hasRefused ||= ports.length < more;
        for (const port of ports) this.#add(port);
      },
      (error) => this.#break(error),
    );
    this.#starting = Promise.all([this.#starting, started]).then(() => {});
    return this.#starting;
  }

  #add(port: WorkerPort): void {
    const worker = new WorkerHandle(port, this.workers.length);
    this.workers.push(worker);
    port.onReply((reply) => {
      if (reply.chunks !== undefined) worker.unload(reply.chunks);
      this.#jobs.get(reply.job)?.replies.set(reply.block, reply);
      this.wakeAll(); // a free worker may serve any job
    });
    port.onFailure((error) => this.#break(error));
    this.wakeAll();
  }

  /** Begins to collect the replies to a new job. Close it at the end. */
  openJob(signal: AbortSignal | undefined): PendingJob {
    const id = ++this.#lastJob;
    const job = new PendingJob(id, this, signal, () => this.#jobs.delete(id));
    this.#jobs.set(id, job);
    return job;
  }

  #break(error: Error): void {
    this.broken ??= error; // the first error is the cause of the others
    this.wakeAll();
  }

  wakeAll(): void {
    for (const job of this.#jobs.values()) job.wake();
  }

  async close(): Promise<void> {
    this.#break(new Error('executor: closed while a pass was running.'));
    this.#closing.abort();
    await this.#starting;
    for (const worker of this.workers) worker.interrupt();
    await Promise.all(this.workers.map(({ port }) => port.terminate()));
  }
}

/** A worker, as its caller sees it. */
export class WorkerHandle {
  /** Blocks under way that were requested by message, and their chunks. */
  readonly load = { blocks: 0, chunks: 0 };
  /** Jobs by message that have ended since the last request. */
  ended: number[] = [];
  /** Set while the worker waits at a control block, where it receives no messages: ends that. */
  endWait: (() => void) | undefined;

  constructor(
    readonly port: WorkerPort,
    readonly index: number,
  ) {}

  post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.port.post(message, transfer);
    this.interrupt();
  }

  /** Makes the worker receive messages. */
  interrupt(): void {
    this.endWait?.();
    this.endWait = undefined;
  }

  unload(chunks: number): void {
    this.load.blocks--;
    this.load.chunks -= chunks;
    this.port.release();
  }
}

/** A job under way: the replies of its workers, and what its caller waits for. */
export class PendingJob {
  readonly replies = new Map<number, Reply>();
  /** Resolves {@link nextEvent}. */
  wake: () => void = () => {};
  readonly close: () => void;

  constructor(
    readonly id: number,
    readonly pool: WorkerPool,
    readonly signal: AbortSignal | undefined,
    onClose: () => void,
  ) {
    const onAbort = () => this.wake();
    signal?.addEventListener('abort', onAbort);
    this.close = () => {
      signal?.removeEventListener('abort', onAbort);
      onClose();
    };
  }

  /** Throws if the job was aborted or the workers have failed. */
  check(): void {
    this.signal?.throwIfAborted();
    if (this.pool.broken) throw this.pool.broken;
  }

  /** Resolves after a reply, an abort or a failure. */
  nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** Waits for a promise; throws if the job is aborted or the workers fail meanwhile. */
  async waitFor(promise: Promise<unknown>): Promise<void> {
    let isSettled = false;
    void promise.then(() => {
      isSettled = true;
      this.wake();
    });
    while (!isSettled) {
      this.check();
      await this.nextEvent();
    }
    this.check();
  }

  /** The values of a block whose reply has arrived. */
  take<C>(block: number): readonly C[] {
    const reply = this.replies.get(block)!;
    this.replies.delete(block);
    if ('failure' in reply) throw reply.refused ? new InputError(reply.failure) : new Error(reply.failure);
    return reply.values as readonly C[];
  }
}
