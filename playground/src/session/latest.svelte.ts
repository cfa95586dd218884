/**
 * A quick job that is requested repeatedly, for example by dragging a slider: one runs at a time, and of the requests
 * made meanwhile only the latest runs next.
 */
import { type JobName, type RequestOf, type ResultOf, Work } from './session.svelte.ts';

export class Latest<N extends JobName> {
  /** The last result. */
  value: ResultOf<N> | undefined = $state.raw();
  readonly #work: Work<N>;
  #waiting: RequestOf<N> | undefined;
  /** Increases when earlier results become obsolete. */
  #era = 0;

  constructor(job: N) {
    this.#work = new Work(job);
  }

  get error(): string | undefined {
    return this.#work.error;
  }

  ask(request: RequestOf<N>): void {
    if (this.#work.isActive) this.#waiting = request;
    else void this.#run(request);
  }

  /** Discards the result and the running job. */
  clear(): void {
    this.#era++;
    this.#waiting = undefined;
    this.#work.cancel();
    this.value = undefined;
  }

  async #run(request: RequestOf<N>): Promise<void> {
    const era = this.#era;
    const result = await this.#work.start(request);
    if (era !== this.#era) return;
    if (result !== undefined) this.value = result;
    const next = this.#waiting;
    this.#waiting = undefined;
    if (next !== undefined) await this.#run(next);
  }
}
