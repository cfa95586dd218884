/** Workers, and the way each pass takes to them: through shared memory where that is possible, otherwise by messages. */
import type { Kernels } from '../../kernels/kernels.ts';
import { canWait } from './control-block.ts';
import type { BlockValues, Job, Transport } from './job.ts';
import { Messages } from './message-transport.ts';
import type { Paces } from './pass-timings.ts';
import type { WorkerPort } from './protocol.ts';
import { Rounds } from './shared-memory-transport.ts';
import { Team } from './team.ts';

/** Starts up to `count` workers; the signal says that none is wanted any more. */
export type StartWorkers = (count: number, signal: AbortSignal) => Promise<readonly WorkerPort[]>;

export class WorkerPool implements Transport {
  readonly #team = new Team();
  readonly #start: StartWorkers;
  readonly #threads: number;
  readonly #messages: Messages;
  readonly #rounds: Rounds | undefined;
  /** Passes by message that are under way or wait for rounds to end. */
  #byMessage = 0;
  #wanted = 0;
  #hasRefused = false;
  #starting: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  /** `threads`: how many may compute at once. */
  constructor(threads: number, start: StartWorkers, kernels: Kernels, paces: Paces) {
    this.#threads = threads;
    this.#start = start;
    this.#messages = new Messages(this.#team, threads);
    this.#rounds = canWait() ? new Rounds(this.#team, threads, kernels, paces) : undefined;
  }

  /** How many threads compute: as many as wished for, unless they could not be started. */
  get threads(): number {
    return this.#hasRefused ? Math.min(this.#threads, 1 + this.#team.members.length) : this.#threads;
  }

  get broken(): Error | undefined {
    return this.#team.broken;
  }

  /** Whether there are workers to compute. */
  get isReady(): boolean {
    return this.#team.members.length > 0;
  }

  /** Starts workers until there are `workers`, or all that can be had; resolves when they are ready. */
  hire(workers = this.#threads - 1): Promise<void> {
    const more = workers - this.#wanted;
    if (more <= 0) return this.#starting;
    this.#wanted = workers;
    const started = this.#start(more, this.#closing.signal).then(
      (ports) => {
        this.#hasRefused ||= ports.length < more;
        for (const port of ports) this.#team.join(port);
      },
      (error) => this.#team.break(error),
    );
    this.#starting = Promise.all([this.#starting, started]).then(() => {});
    return this.#starting;
  }

  async *run<P, C>(job: Job<P, C>): AsyncGenerator<BlockValues<C>, void> {
    const rounds = this.#rounds;
    // a pass by message may last as long as its reader wants: rounds do not wait for its end
    if (rounds && this.#byMessage === 0 && rounds.accepts(job)) {
      if (!rounds.isShort(job)) void this.hire(this.#threads);
      yield* rounds.run(job);
      return;
    }
    void this.hire(this.#threads);
    this.#byMessage++;
    try {
      yield* this.#messages.run(job, rounds?.end);
    } finally {
      this.#byMessage--;
    }
  }

  async close(): Promise<void> {
    this.#team.break(new Error('executor: closed while a pass was running.'));
    this.#closing.abort();
    await this.#starting;
    await this.#team.close();
  }
}
