/**
 * Where chunks are computed. An executor chooses threads, machines and the order of blocks; none of this changes the result.
 */
import { breather } from '../core/breathe.ts';
import { canShare } from '../core/shared-memory.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { describePass, type Pass } from './pass.ts';
import { rangesOf, requireSamples, type Source } from './source/source.ts';
import { type Block, chunksWithin, sumTree } from './sum-tree.ts';

/** Computes passes over samples: in the calling thread, on several threads, on several machines. */
export interface Executor {
  /** Kernels of the calling thread, for the products between passes. */
  readonly kernels: Kernels;
  /** How many threads compute if there is enough work. Those that could not be started are not counted. */
  readonly threads: number;
  /**
   * The sum of a pass over all samples, added up as the tree of sum-tree.ts; with `within`, over the chunks of that node
   * of the tree only. Throws the signal's reason if aborted.
   */
  sum<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal, within?: Block): Promise<C>;
  /** The contribution of every chunk, or of every chunk of the node `within`, in chunk order. */
  map<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal, within?: Block): AsyncGenerator<C, void>;
  /** Starts the threads now instead of when there is work for them; resolves when they are ready. */
  warm?(): Promise<void>;
  close(): Promise<void>;
}

/** An executor that computes every chunk in the calling thread, with pauses for aborts and progress. */
export function inlineExecutor(kernels: Kernels): Executor {
  const breathe = breather();
  const map: Executor['map'] = async function* (pass, params, source, signal, within) {
    describePass(pass); // refuses a pass that workers could not find
    const ranges = rangesOf(source, pass.effort);
    const { first, end: last } = chunksWithin(ranges, within);
    for (let index = first; index < last; index++) {
      const { start, end } = ranges[index];
      await breathe();
      signal?.throwIfAborted();
      const samples = await source.read(start, end);
      yield pass.contribute({ samples, start, index }, params, kernels);
    }
  };
  return {
    kernels,
    threads: 1,
    map,
    async sum(pass, params, source, signal, within) {
      requireSamples(pass.name, source);
      const tree = sumTree(pass.add);
      for await (const contribution of map(pass, params, source, signal, within)) tree.push(contribution);
      return tree.total()!;
    },
    async close() {},
  };
}

/** For passes that write to shared memory: the executor, or the calling thread where threads cannot share memory. */
export const sharingExecutor = (executor: Executor): Executor =>
  canShare ? executor : inlineExecutor(executor.kernels);

/** Passes with the same name take different times, for instance by the number of atoms: the slowest of this many counts. */
const REMEMBERED = 4;

/** How long passes took recently, to estimate how long the next one will take. */
export class PassTimings {
  /** Milliseconds per row, by name of the pass and columns of the source. */
  readonly #recent = new Map<string, number[]>();

  record({ name }: { readonly name: string }, { cols }: Source, rows: number, milliseconds: number): void {
    const key = `${name} ${cols}`;
    const recent = this.#recent.get(key) ?? [];
    recent.push(milliseconds / rows);
    if (recent.length > REMEMBERED) recent.shift();
    this.#recent.set(key, recent);
  }

  /** Milliseconds that one thread may need for `rows` rows; undefined if the pass has not run yet. */
  estimate({ name }: { readonly name: string }, { cols }: Source, rows: number): number | undefined {
    const recent = this.#recent.get(`${name} ${cols}`);
    return recent && rows * Math.max(...recent);
  }
}
