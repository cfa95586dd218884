/**
 * An executor over any kind of workers that exchange messages: threads in Node, web workers in a browser. The kind
 * supplies {@link WorkerPort}s.
 *
 * Starting workers takes longer than many a computation. So the calling thread begins; when it has seen enough work it
 * has workers started, goes on meanwhile, and hands over the chunks that are left when they are ready. Sums are added up
 * in the order of the tree: where a chunk was computed does not show in the result. A brief pass is computed by the
 * calling thread alone, as waking others would take as long.
 */
import type { Kernels } from '../../kernels/kernels.ts';
import type { Executor } from '../executor.ts';
import { inlineExecutor } from '../inline.ts';
import type { AnyPass, Pass } from '../pass.ts';
import { rangesOf, requireSamples, type Source } from '../source/source.ts';
import { type Block, chunksWithin, sumTree } from '../sum-tree.ts';
import type { BlockValues, Job } from './job.ts';
import { Paces } from './pass-timings.ts';
import { flatBytes } from './plain-data.ts';
import { type StartWorkers, WorkerPool } from './pool.ts';

/** Milliseconds of work in the calling thread that are worth workers: about what it takes to start one. */
const WORTH_WORKERS = 100;
/** Milliseconds of a pass up to which the calling thread does it alone. */
const BRIEF = 1.5;

/** `threads`: how many compute, the calling one among them. `start` is called when there is work for workers. */
export function workersExecutor(threads: number, start: StartWorkers, kernels: Kernels): Executor {
  const inline = inlineExecutor(kernels);
  const paces = new Paces();
  const pool = new WorkerPool(threads, start, kernels, paces);
  let closed = false;
  /** Milliseconds of passes with several chunks that the calling thread has computed. */
  let seen = 0;

  /** The first chunks in the calling thread, until there are workers; the rest there. */
  async function* blocks<P, C>(
    mode: Job<P, C>['mode'],
    pass: Pass<P, C>,
    params: P,
    source: Source,
    signal: AbortSignal | undefined,
    within: Block | undefined,
  ): AsyncGenerator<BlockValues<C>, void> {
    if (closed) throw new Error('executor: already closed.');
    if (pool.broken) throw pool.broken;
    const all = rangesOf(source, pass.effort);
    const wanted = chunksWithin(all, within);
    const ranges = all.slice(0, wanted.end);
    let { first } = wanted;
    if (first === wanted.end) return;
    const rows = ranges[wanted.end - 1].end - ranges[first].start;
    const isSingle = wanted.end - first === 1;
    const isBrief = isSingle || (paces.expect(pass as AnyPass, source, rows) ?? BRIEF + 1) <= BRIEF;
    if (isBrief || !pool.isReady) {
      if (!isSingle) requireSendable(params);
      let fastest = Number.POSITIVE_INFINITY;
      let started = performance.now();
      for await (const value of inline.map(pass, params, source, signal, within)) {
        if (pool.broken) throw pool.broken;
        const milliseconds = performance.now() - started;
        const { start, end } = ranges[first];
        paces.note(pass as AnyPass, source, end - start, milliseconds);
        yield { block: { first: first++, count: 1, level: 0 }, values: [value] };
        if (isBrief) {
          started = performance.now();
          continue;
        }
        seen += milliseconds;
        fastest = Math.min(fastest, milliseconds);
        // the first chunk of all may take long because code is being compiled
        const expected = first > wanted.first + 1 ? fastest * (ranges.length - first) : 0;
        if (seen + expected > WORTH_WORKERS) void pool.hire();
        if (pool.isReady) break;
        started = performance.now();
      }
    }
    if (first < ranges.length) yield* pool.run({ mode, pass, params, source, ranges, first, signal });
  }
  return {
    kernels,
    get threads() {
      return pool.threads;
    },
    async sum(pass, params, source, signal, within) {
      requireSamples(pass.name, source);
      const tree = sumTree(pass.add);
      for await (const { block, values } of blocks('sum', pass, params, source, signal, within)) {
        tree.push(values[0], block.level);
      }
      return tree.total()!;
    },
    async *map(pass, params, source, signal, within) {
      for await (const { values } of blocks('map', pass, params, source, signal, within)) yield* values;
    },
    warm: () => pool.hire(),
    async close() {
      closed = true;
      await pool.close();
    },
  };
}

/** Refuses here what workers would refuse, so that it does not depend on the amount of work. */
function requireSendable(params: unknown): void {
  if (!Number.isFinite(flatBytes(params, () => 0))) structuredClone(params);
}
