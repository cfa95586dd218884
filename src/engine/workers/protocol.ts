/** What a caller and its workers send each other, and the port between them. */
import { InputError } from '../../core/errors.ts';
import type { Matrix } from '../../core/matrix.ts';
import type { Pass, PassDescription } from '../pass.ts';
import type { Locator, RowRange, Source } from '../source/source.ts';
import type { Block } from '../sum-tree.ts';
import type { SharedMemory } from './plain-data.ts';

/** A pass over some chunks of a source, to be computed by workers. */
export interface Job<P, C> {
  /** One sum per block, or the contribution of every chunk. */
  readonly mode: 'sum' | 'map';
  readonly pass: Pass<P, C>;
  readonly params: P;
  readonly source: Source;
  readonly ranges: readonly RowRange[];
  /** The chunks before this one have been computed. */
  readonly first: number;
  readonly signal: AbortSignal | undefined;
}

/** What a block contributes: its sum, or its chunks one by one. */
export interface BlockValues<C> {
  readonly block: Block;
  readonly values: readonly C[];
}

/** A message to a worker. */
export type ToWorker = ComputeRequest | WaitRequest;

/**
 * Asks a worker to compute a block of chunks. The first message of a job to a worker describes the job. Passes over little
 * data spend their time on messages, so there are as few as possible.
 */
export interface ComputeRequest {
  /** Number of the job. */
  readonly job: number;
  readonly begin?: JobDescription | undefined;
  readonly block: number;
  readonly chunks: readonly ChunkRequest[];
  /** Jobs that have ended: the worker forgets them. */
  readonly ended: readonly number[];
}

/**
 * Asks a worker to wait at a control block (control-block.ts), where it receives no messages until it is interrupted. The
 * message brings what the worker does not know yet: passes, and shared buffers by their numbers.
 */
export interface WaitRequest {
  /** The memory of the control block. */
  readonly control: SharedArrayBuffer;
  readonly arena: SharedArrayBuffer;
  /** Index of the worker there. */
  readonly worker: number;
  /** How often the worker has been asked to wait. */
  readonly epoch: number;
  readonly passes: readonly PassDescription[];
  readonly buffers: ReadonlyArray<readonly [number: number, buffer: SharedMemory]>;
  /** Numbers of buffers that are no longer used. */
  readonly forget: readonly number[];
}

export interface JobDescription {
  readonly pass: PassDescription;
  readonly params: unknown;
  /** Where the worker reads the samples itself; absent if they come with the chunks. */
  readonly locator: Locator | undefined;
  readonly mode: Job<unknown, unknown>['mode'];
}

export interface ChunkRequest extends RowRange {
  readonly index: number;
  readonly samples?: Matrix | undefined;
}

/** A message from a worker: the values of a block, or why there are none. */
export type Reply = (ReplyTo & { readonly values: readonly unknown[] }) | (ReplyTo & Failure);

interface ReplyTo {
  readonly job: number;
  readonly block: number;
  /** Number of chunks of the block, if it was requested by message. */
  readonly chunks?: number | undefined;
}

interface Failure {
  readonly failure: string;
  /** Whether bad input is the cause: the caller then throws an InputError, too. */
  readonly refused?: boolean;
}

export const failureOf = (error: unknown): Failure => ({
  failure: error instanceof Error ? error.message : String(error),
  refused: error instanceof InputError,
});

export type SendReply = (reply: Reply) => void;

/** Sends a reply, or the reason why it cannot be cloned. */
export const sendOrReport =
  (send: SendReply): SendReply =>
  (reply) => {
    try {
      send(reply);
    } catch (error) {
      const { job, block, chunks } = reply;
      send({ job, block, chunks, failure: `the contribution cannot be sent: ${error}` });
    }
  };

/** The caller's end of the channel to a worker. */
export interface WorkerPort {
  post(message: ToWorker, transfer: ArrayBuffer[]): void;
  onReply(listener: (reply: Reply) => void): void;
  /** The worker died or could not start. */
  onFailure(listener: (error: Error) => void): void;
  /** Keeps the process alive, because work is under way, until `release` has been called as often. */
  hold(): void;
  release(): void;
  terminate(): Promise<void>;
}

/** Buffers inside a contribution that a message may transfer instead of copying. */
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
