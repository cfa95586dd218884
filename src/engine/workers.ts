/**
 * An executor over any kind of workers that exchange messages: threads in Node, web workers in a browser. The kind supplies
 * {@link WorkerPort}s; this module schedules chunks, keeps the order, and bounds how far it runs ahead.
 */
import type { Matrix } from '../core/matrix.ts';
import { isShared } from '../core/share.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Executor } from './executor.ts';
import { inlineExecutor } from './inline.ts';
import type { Chunk, Pass } from './pass.ts';
import { passNamed } from './registry.ts';
import { rangesOf, type Source } from './source.ts';

/**
 * To a worker: chunks to compute. The pass of a run comes with its first message to that worker; runs that have ended since the
 * last message are to be forgotten. Messages are what small passes spend their time on, so there are as few as possible.
 */
export interface Request {
  readonly run: number;
  readonly pass?: { readonly name: string; readonly params: unknown } | undefined;
  readonly chunks: readonly Chunk[];
  readonly ended: readonly number[];
}

/** From a worker: one answer a chunk. */
export type Reply =
  | { readonly type: 'contribution'; readonly run: number; readonly index: number; readonly contribution: unknown }
  | { readonly type: 'failure'; readonly run: number; readonly index: number; readonly message: string };

export interface WorkerPort {
  post(request: Request, transfer: ArrayBuffer[]): void;
  onReply(listener: (reply: Reply) => void): void;
  /** The worker died or could not start. */
  onFailure(listener: (error: Error) => void): void;
  terminate(): Promise<void>;
}

/** The worker's side: computes the chunks of a request and replies to each. */
export function createChunkWorker(kernels: Kernels): (request: Request, reply: (reply: Reply) => void) => void {
  const runs = new Map<number, { pass: Pass<unknown, unknown>; params: unknown }>();
  return ({ run, pass: begun, chunks, ended }, reply) => {
    for (const id of ended) runs.delete(id);
    if (begun) runs.set(run, { pass: passNamed(begun.name), params: begun.params });
    const { pass, params } = runs.get(run)!;
    for (const chunk of chunks) {
      const { index } = chunk;
      try {
        reply({ type: 'contribution', run, index, contribution: pass.contribute(chunk, params, kernels) });
      } catch (error) {
        reply({ type: 'failure', run, index, message: error instanceof Error ? error.message : String(error) });
      }
    }
  };
}

/** Buffers inside a contribution that a reply may hand over instead of copying. */
export function transferables(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength) found.push(value.buffer);
  } else if (value !== null && typeof value === 'object') {
    for (const inner of Object.values(value)) transferables(inner, found);
  }
  return found;
}

/** Chunks under way per worker: at most so many, and new ones in twos, so that a worker neither idles nor gets a message each. */
const MOST_UNDER_WAY = 4;
const FEW_UNDER_WAY = 2;
/** Chunks that are computed or wait for an earlier one, per worker. */
const RUN_AHEAD = 6;

interface Run {
  readonly finished: Map<number, Reply>;
  wake: () => void;
}

export function workersExecutor(ports: readonly WorkerPort[], kernels: Kernels): Executor {
  const inline = inlineExecutor(kernels);
  const runs = new Map<number, Run>();
  const load = ports.map(() => 0);
  const ended: number[][] = ports.map(() => []);
  let runCount = 0;
  let broken: Error | undefined;
  const wakeAll = () => {
    for (const run of runs.values()) run.wake();
  };

  ports.forEach((port, worker) => {
    port.onReply((reply) => {
      load[worker]--;
      runs.get(reply.run)?.finished.set(reply.index, reply);
      wakeAll(); // a free worker may serve any run
    });
    port.onFailure((error) => {
      broken = error;
      wakeAll();
    });
  });

  async function* contributions<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal) {
    const ranges = rangesOf(source, pass.effort);
    if (ranges.length === 1 && !broken) {
      yield* inline.contributions(pass, params, source, signal); // not worth a message: the calling thread would only wait
      return;
    }
    const id = ++runCount;
    const run: Run = { finished: new Map(), wake: () => {} };
    runs.set(id, run);
    const begun = new Set<number>();
    const onAbort = () => run.wake();
    signal?.addEventListener('abort', onAbort);
    const post = async (worker: number, first: number, count: number) => {
      load[worker] += count;
      const chunks: Chunk[] = [];
      for (let index = first; index < first + count; index++) {
        const { start, end } = ranges[index];
        chunks.push({ samples: ownCopyUnlessShared(await source.read(start, end)), start, index });
      }
      const introduction = begun.has(worker) ? undefined : { name: pass.name, params };
      begun.add(worker);
      const request = { run: id, pass: introduction, chunks, ended: ended[worker].splice(0) };
      ports[worker].post(request, transferables(chunks));
    };
    try {
      let sent = 0;
      for (let next = 0; next < ranges.length; ) {
        signal?.throwIfAborted();
        if (broken) throw broken;
        const reply = run.finished.get(next);
        const idlest = load.indexOf(Math.min(...load));
        const ahead = Math.min(ranges.length, next + RUN_AHEAD * ports.length) - sent;
        if (ahead > 0 && load[idlest] <= FEW_UNDER_WAY) {
          const share = Math.ceil((ranges.length - sent) / ports.length); // the last chunks are for all
          const count = Math.min(ahead, share, MOST_UNDER_WAY - load[idlest]);
          const first = sent;
          sent += count;
          await post(idlest, first, count);
        } else if (reply) {
          run.finished.delete(next++);
          if (reply.type === 'failure') throw new Error(reply.message);
          yield reply.contribution as C;
        } else {
          await new Promise<void>((resolve) => {
            run.wake = resolve;
          });
        }
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      runs.delete(id);
      for (const worker of begun) ended[worker].push(id);
    }
  }

  return {
    kernels,
    threads: ports.length,
    contributions,
    async close() {
      broken ??= new Error('executor: it was closed while a pass was under way.');
      wakeAll();
      await Promise.all(ports.map((port) => port.terminate()));
    },
  };
}

/** Shared memory is passed by reference; anything else is copied, because the source may reuse its buffer. */
function ownCopyUnlessShared(samples: Matrix): Matrix {
  return isShared(samples) ? samples : { ...samples, data: samples.data.slice() };
}
