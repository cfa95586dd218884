/** What the two sides of workers.ts and block-worker.ts say to each other. */
import type { Matrix } from '../core/matrix.ts';
import type { PassIntroduction } from './registry.ts';
import type { Locator, RowRange } from './source.ts';

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

/** From a worker: one answer per block. */
export type Reply = (Answered & { readonly values: readonly unknown[] }) | (Answered & Failed);

interface Failed {
  readonly failure: string;
  /** Whether bad input is the cause: an InputError on the other side too. */
  readonly refused?: boolean;
}

interface Answered {
  readonly run: number;
  readonly block: number;
  /** How many the block has. */
  readonly chunks: number;
}

export interface WorkerPort {
  post(request: Request, transfer: ArrayBuffer[]): void;
  onReply(listener: (reply: Reply) => void): void;
  /** The worker died or could not start. */
  onFailure(listener: (error: Error) => void): void;
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
