/**
 * Saves checkpoints from time to time. A save that fails does not end the run: a full disk may be emptied, and the result
 * may go elsewhere. It is reported once, and tried again after the next interval.
 */
import { reasonOf } from '../core/warn.ts';
import type { Checkpoint, CheckpointStore } from './checkpoint.ts';

export class Saver {
  readonly #who: string;
  readonly #store: CheckpointStore | undefined;
  readonly #warn: (message: string) => void;
  #last = performance.now();
  #warned = false;

  /** `who`: the function that was called, for the warning. */
  constructor(who: string, store: CheckpointStore | undefined, warn: (message: string) => void = console.warn) {
    this.#who = who;
    this.#store = store;
    this.#warn = warn;
  }

  /** Whether the interval since the last attempt is over. */
  get isDue(): boolean {
    return this.#store !== undefined && performance.now() - this.#last >= this.#store.interval * 1000;
  }

  /** Saves, or warns. */
  async save(checkpoint: Checkpoint): Promise<void> {
    try {
      await this.saveOrThrow(checkpoint);
    } catch (error) {
      if (!this.#warned) this.#warn(this.#warning(error));
      this.#warned = true;
    } finally {
      this.#last = performance.now();
    }
  }

  /** For the last save of a run that is aborted: without it, its work is lost. */
  async saveOrThrow(checkpoint: Checkpoint): Promise<void> {
    await this.#store?.save(checkpoint);
  }

  #warning(error: unknown): string {
    return `${this.#who}: the checkpoint could not be saved (${reasonOf(error)}). The run goes on, and tries again.`;
  }
}
