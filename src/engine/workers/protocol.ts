/** What a caller (team.ts, message-transport.ts, shared-memory-transport.ts) and its workers (worker.ts, attendant.ts) say to each other. */
import { InputError } from '../../core/errors.ts';
import type { Matrix } from '../../core/matrix.ts';
import type { PassIntroduction } from '../registry.ts';
import type { Locator, RowRange } from '../source/source.ts';
import type { SharedMemory } from './plain-data.ts';

/** To a worker. */
export type ToWorker = Request | Attendance;

/**
 * To a worker: a block of chunks to compute. Pass and source come with the first message of a run to that worker;
 * `ended` lists runs to forget. Small passes spend their time on messages, so there are as few messages as possible.
 */
export interface Request {
  readonly run: number;
  readonly begin?: RunDescription | undefined;
  readonly block: number;
  readonly chunks: readonly ChunkRequest[];
  readonly ended: readonly number[];
}

/**
 * To a worker: attend at a board (control-block.ts), where it hears no messages until it is called away. It comes with what the
 * worker has not been told: passes, and shared buffers by their numbers.
 */
export interface Attendance {
  /** The memory of the board, and the worker's seat there. */
  readonly words: SharedArrayBuffer;
  readonly arena: SharedArrayBuffer;
  readonly seat: number;
  /** How often the worker has been asked to attend. */
  readonly visit: number;
  readonly passes: readonly PassIntroduction[];
  readonly buffers: ReadonlyArray<readonly [number: number, buffer: SharedMemory]>;
  /** Numbers of buffers that nobody uses any more. */
  readonly forget: readonly number[];
}

export interface RunDescription {
  readonly pass: PassIntroduction;
  readonly params: unknown;
  /** Where the worker reads the samples itself; absent if they come with the chunks. */
  readonly locator: Locator | undefined;
  /** Reply with one sum per block, or with the contribution of every chunk. */
  readonly mode: 'sum' | 'map';
}

export interface ChunkRequest extends RowRange {
  readonly index: number;
  readonly samples?: Matrix | undefined;
}

/** From a worker: one answer per block that came by message, and what does not fit on a board. */
export type Reply = (Answered & { readonly values: readonly unknown[] }) | (Answered & Failed);

interface Failed {
  readonly failure: string;
  /** Whether bad input is the cause: an InputError on the other side too. */
  readonly refused?: boolean;
}

export const failureOf = (error: unknown): Failed => ({
  failure: error instanceof Error ? error.message : String(error),
  refused: error instanceof InputError,
});

interface Answered {
  readonly run: number;
  readonly block: number;
  /** How many the block has, if it came by message. */
  readonly chunks?: number | undefined;
}

export type SendReply = (reply: Reply) => void;

/** Sends what can be sent, or else why not. */
export const sendOrSayWhy =
  (send: SendReply): SendReply =>
  (reply) => {
    try {
      send(reply);
    } catch (error) {
      const { run, block, chunks } = reply;
      send({ run, block, chunks, failure: `the contribution cannot be sent: ${error}` });
    }
  };

export interface WorkerPort {
  post(message: ToWorker, transfer: ArrayBuffer[]): void;
  onReply(listener: (reply: Reply) => void): void;
  /** The worker died or could not start. */
  onFailure(listener: (error: Error) => void): void;
  /** Keeps the process alive until as many calls of `release`: work is under way. */
  hold(): void;
  release(): void;
  terminate(): Promise<void>;
}

/** Buffers inside a contribution that a message may hand over instead of copying. */
export function transferables(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    const { buffer } = value;
    const whole = buffer instanceof ArrayBuffer && value.byteLength === buffer.byteLength;
    if (whole && !found.includes(buffer)) found.push(buffer);
  } else if (value !== null && typeof value === 'object') {
    for (const inner of Object.values(value)) transferables(inner, found);
  }
  return found;
}
