/**
 * An executor over any kind of workers that exchange messages: threads in Node, web workers in a browser. The kind supplies {@link WorkerPort}s;
 * this module hands out blocks of chunks, and adds up the sums that come back in the order of the tree.
 */
import type { Matrix } from '../core/matrix.ts';
import { isShared } from '../core/share.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Executor } from './executor.ts';
import { inlineExecutor } from './inline.ts';
import type { Pass } from './pass.ts';
import { introduce, type PassIntroduction } from './registry.ts';
import { type Locator, type RowRange, rangesOf, requireSamples, type Source } from './source.ts';
import { type Block, blocksOf, sumTree } from './sum-tree.ts';

/**
 * To a worker: a block of chunks to compute. Pass and source come with the first message of a run to that worker; `ended` are runs to forget.
 * Small passes spend their time on messages, so there are as few as possible.
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
  /** Where the worker reads samples for itself; absent: they come with the chunks. */
  readonly locator: Locator | undefined;
  /** Reply with one sum per block, or with the contribution of every chunk. */
  readonly mode: 'sum' | 'map';
}

export interface ChunkRequest extends RowRange {
  readonly index: number;
  readonly samples?: Matrix | undefined;
}

/** From a worker: one answer per block. */
export type Reply =
  | { readonly run: number; readonly block: number; readonly values: readonly unknown[] }
  | { readonly run: number; readonly block: number; readonly failure: string };

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
    if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength) found.push(value.buffer);
  } else if (value !== null && typeof value === 'object') {
    for (const inner of Object.values(value)) transferables(inner, found);
  }
  return found;
}

/** Blocks under way per worker: one being computed and one waiting, so that no worker idles. */
const UNDER_WAY = 2;
/** Blocks that are computed or wait for an earlier one, per worker. */
const RUN_AHEAD = 4;
/** Chunks of a block whose contributions come back one by one, or whose samples travel with the message. */
const MOST_CARRIED = 2;

interface Run {
  readonly replies: Map<number, Reply>;
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
      runs.get(reply.run)?.replies.set(reply.block, reply);
      wakeAll(); // a free worker may serve any run
    });
    port.onFailure((error) => {
      broken = error;
      wakeAll();
    });
  });

  /** The values of every block, in order. */
  async function* blockValues<P, C>(
    mode: RunDescription['mode'],
    pass: Pass<P, C>,
    params: P,
    source: Source,
    ranges: readonly RowRange[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<{ block: Block; values: readonly C[] }, void> {
    const description = { pass: introduce(pass), params, locator: source.locator, mode };
    const carried = mode === 'map' || !source.locator;
    const blocks = [...blocksOf(ranges.length, ports.length, carried ? MOST_CARRIED : undefined)];
    const id = ++runCount;
    const run: Run = { replies: new Map(), wake: () => {} };
    runs.set(id, run);
    const begun = new Set<number>();
    const onAbort = () => run.wake();
    signal?.addEventListener('abort', onAbort);

    const post = async (worker: number, block: number) => {
      load[worker]++; // taken before the samples are read: another run must not take the same place
      try {
        const chunks = await chunksOf(blocks[block], ranges, source);
        const begin = begun.has(worker) ? undefined : description;
        ports[worker].post({ run: id, begin, block, chunks, ended: ended[worker] }, transferables(chunks));
        ended[worker] = [];
        begun.add(worker);
      } catch (error) {
        load[worker]--;
        wakeAll();
        throw error;
      }
    };

    try {
      let sent = 0;
      for (let next = 0; next < blocks.length; ) {
        signal?.throwIfAborted();
        if (broken) throw broken;
        const reply = run.replies.get(next);
        const idlest = load.indexOf(Math.min(...load));
        if (sent < Math.min(blocks.length, next + RUN_AHEAD * ports.length) && load[idlest] < UNDER_WAY) {
          await post(idlest, sent++);
        } else if (reply) {
          run.replies.delete(next);
          if ('failure' in reply) throw new Error(reply.failure);
          yield { block: blocks[next++], values: reply.values as C[] };
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

  /** One chunk is not worth a message: the calling thread would only wait. */
  const isSmall = (ranges: readonly RowRange[]) => ranges.length === 1 && !broken;

  return {
    kernels,
    threads: ports.length,
    async sum(pass, params, source, signal) {
      requireSamples(pass.name, source);
      const ranges = rangesOf(source, pass.effort);
      if (isSmall(ranges)) return inline.sum(pass, params, source, signal);
      const tree = sumTree(pass.add);
      for await (const { block, values } of blockValues('sum', pass, params, source, ranges, signal)) {
        tree.push(values[0], block.level);
      }
      return tree.total()!;
    },
    async *map(pass, params, source, signal) {
      const ranges = rangesOf(source, pass.effort);
      if (isSmall(ranges)) yield* inline.map(pass, params, source, signal);
      else for await (const { values } of blockValues('map', pass, params, source, ranges, signal)) yield* values;
    },
    async close() {
      broken ??= new Error('executor: it was closed while a pass was under way.');
      wakeAll();
      await Promise.all(ports.map((port) => port.terminate()));
    },
  };
}

/** The chunks of a block, with their samples where the worker cannot read them itself. */
async function chunksOf({ first, count }: Block, ranges: readonly RowRange[], source: Source): Promise<ChunkRequest[]> {
  const chunks: ChunkRequest[] = [];
  for (let index = first; index < first + count; index++) {
    const { start, end } = ranges[index];
    const samples = source.locator ? undefined : ownCopyUnlessShared(await source.read(start, end));
    chunks.push({ index, start, end, samples });
  }
  return chunks;
}

/** Shared memory is passed by reference; anything else is copied, because the source may reuse its buffer. */
function ownCopyUnlessShared(samples: Matrix): Matrix {
  return isShared(samples) ? samples : { ...samples, data: samples.data.slice() };
}
