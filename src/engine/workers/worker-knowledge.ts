/**
 * What each worker at a control block knows: passes, and shared buffers by number. A job refers to shared buffers (samples,
 * rows that are rotated in place) by their numbers. A worker knows the buffers of its last job, and of earlier ones as many
 * as {@link MOST_KEPT} allows; it forgets the others, and gets a buffer again if it is used again.
 */
import { weigh } from '../../core/shared-memory.ts';
import { describePass, type Pass } from '../pass.ts';
import type { ControlBlock } from './control-block.ts';
import { type SharedMemory, sizeOf } from './plain-data.ts';
import type { WorkerHandle } from './pool.ts';

/** Most bytes of shared memory of earlier jobs that a worker keeps alive. */
const MOST_KEPT = 1 << 26;

interface Known {
  readonly passes: Set<string>;
  /** Bytes of buffers by their numbers; those used last are last. */
  readonly buffers: Map<number, number>;
  arena: SharedArrayBuffer | undefined;
  epochs: number;
}

export class WorkerKnowledge {
  readonly #control: ControlBlock;
  readonly #known = new Map<WorkerHandle, Known>();
  readonly #numbers = new WeakMap<SharedMemory, number>();
  #lastNumber = 0;
  /** Buffers of the job that is being written. */
  readonly #used = new Map<number, SharedMemory>();
  #held: readonly WorkerHandle[] = [];

  constructor(control: ControlBlock) {
    this.#control = control;
  }

  /** The number of a buffer in the job that is being written. */
  readonly numberOf = (buffer: SharedMemory): number => {
    const number = this.#numbers.get(buffer) ?? ++this.#lastNumber;
    this.#numbers.set(weigh(buffer, sizeOf(buffer)), number);
    this.#used.set(number, buffer);
    return number;
  };

  /** Makes sure that workers wait at the control block and know what the written job refers to; holds them until `release`. */
  prepare<P, C>(workers: readonly WorkerHandle[], pass: Pass<P, C>): void {
    for (const worker of workers) {
      this.#update(worker, pass);
      worker.port.hold();
    }
    this.#held = workers;
    this.#used.clear();
  }

  /** Ends the job: its workers no longer keep the process alive. */
  release(): void {
    for (const { port } of this.#held) port.release();
    this.#held = [];
  }

  /** Sends a worker what it does not know, unless it waits and knows everything. */
  #update<P, C>(worker: WorkerHandle, pass: Pass<P, C>): void {
    const known = this.#knownTo(worker);
    const { control, arena } = this.#control;
    const passes = known.passes.has(pass.name) ? [] : [describePass(pass)];
    const buffers = [...this.#used].filter(([number]) => !known.buffers.has(number));
    const forget = this.#useBuffers(known);
    if (worker.endWait && known.arena === arena && passes.length + buffers.length + forget.length === 0) return;
    const [index, epoch] = [worker.index, ++known.epochs];
    worker.post({ control, arena, worker: index, epoch, passes, buffers, forget });
    worker.endWait = () => this.#control.interrupt(index, epoch);
    known.arena = arena;
    known.passes.add(pass.name);
  }

  /** Records that the buffers of the written job are used; returns the numbers of those to forget. */
  #useBuffers({ buffers }: Known): number[] {
    for (const [number, buffer] of this.#used) {
      buffers.delete(number);
      buffers.set(number, sizeOf(buffer));
    }
    const older = [...buffers].slice(0, buffers.size - this.#used.size);
    let kept = older.reduce((sum, [, bytes]) => sum + bytes, 0);
    const forget: number[] = [];
    for (const [number, bytes] of older) {
      if (kept <= MOST_KEPT) break;
      kept -= bytes;
      buffers.delete(number);
      forget.push(number);
    }
    return forget;
  }

  #knownTo(worker: WorkerHandle): Known {
    const nothing = { passes: new Set<string>(), buffers: new Map<number, number>(), arena: undefined, epochs: 0 };
    const known: Known = this.#known.get(worker) ?? nothing;
    this.#known.set(worker, known);
    return known;
  }
}
