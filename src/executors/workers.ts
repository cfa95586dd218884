/**
 * An executor over any kind of workers that exchange messages: threads in Node, web workers in a browser. The kind supplies
 * {@link WorkerPort}s; this module schedules chunks, keeps the order, and bounds how far it runs ahead.
 */
import type { Kernels } from '../kernels/kernels.ts';
import type { Matrix } from '../matrix.ts';
import type { Chunk, Pass } from '../passes/pass.ts';
import { passNamed } from '../passes/registry.ts';
import { chunkRanges, type Source } from '../sources/source.ts';
import type { Executor } from './executor.ts';

/** To a worker. A `begin` message precedes the chunks of its run, `end` follows them. */
export type Request =
  | { readonly type: 'begin'; readonly run: number; readonly pass: string; readonly params: unknown }
  | { readonly type: 'chunk'; readonly run: number; readonly index: number; readonly chunk: Chunk }
  | { readonly type: 'end'; readonly run: number };

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

/** The worker's side: a function from requests to replies. */
export function createChunkWorker(kernels: Kernels): (request: Request) => Reply | undefined {
  const runs = new Map<number, { pass: Pass<unknown, unknown>; params: unknown }>();
  return (request) => {
    if (request.type === 'begin') {
      runs.set(request.run, { pass: passNamed(request.pass), params: request.params });
      return undefined;
    }
    if (request.type === 'end') {
      runs.delete(request.run);
      return undefined;
    }
    const { run, index, chunk } = request;
    try {
      const { pass, params } = runs.get(run)!;
      return { type: 'contribution', run, index, contribution: pass.contribute(chunk, params, kernels) };
    } catch (error) {
      return { type: 'failure', run, index, message: error instanceof Error ? error.message : String(error) };
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

/** Chunks under way per worker: one computing, one waiting, so that a worker never idles for a message. */
const CHUNKS_PER_WORKER = 2;
/** Finished chunks that wait for an earlier one, per worker. */
const RUN_AHEAD = 4;

interface Run {
  readonly finished: Map<number, Reply>;
  wake: () => void;
}

export function workersExecutor(ports: readonly WorkerPort[], kernels: Kernels): Executor {
  const runs = new Map<number, Run>();
  const load = ports.map(() => 0);
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

  function dispatch(id: number, index: number, samples: Matrix, start: number): void {
    const worker = load.indexOf(Math.min(...load));
    load[worker]++;
    const own = ownCopyUnlessShared(samples);
    ports[worker].post(
      { type: 'chunk', run: id, index, chunk: { samples: own, start, index } },
      transferables(own.data),
    );
  }

  async function* contributions<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal) {
    const ranges = chunkRanges(source.rows, source.cols);
    if (ranges.length === 1) {
      yield* single(pass, params, source, signal);
      return;
    }
    const id = ++runCount;
    const run: Run = { finished: new Map(), wake: () => {} };
    runs.set(id, run);
    const onAbort = () => run.wake();
    signal?.addEventListener('abort', onAbort);
    try {
      for (const port of ports) port.post({ type: 'begin', run: id, pass: pass.name, params }, []);
      let sent = 0;
      for (let next = 0; next < ranges.length; ) {
        signal?.throwIfAborted();
        if (broken) throw broken;
        const reply = run.finished.get(next);
        const room = Math.min(...load) < CHUNKS_PER_WORKER && sent - next < RUN_AHEAD * ports.length;
        if (sent < ranges.length && room) {
          const { start, end } = ranges[sent];
          dispatch(id, sent++, await source.read(start, end), start);
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
      for (const port of ports) port.post({ type: 'end', run: id }, []);
    }
  }

  /** One chunk is not worth a message: the calling thread would only wait. */
  async function* single<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal) {
    signal?.throwIfAborted();
    if (broken) throw broken;
    yield pass.contribute({ samples: await source.read(0, source.rows), start: 0, index: 0 }, params, kernels);
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
  const shared = typeof SharedArrayBuffer !== 'undefined' && samples.data.buffer instanceof SharedArrayBuffer;
  return shared ? samples : { ...samples, data: samples.data.slice() };
}
