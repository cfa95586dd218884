/**
 * Where chunks are computed. An executor's choices (threads, machines, which block goes where) never change the result.
 */
import type { Kernels } from '../kernels/kernels.ts';
import type { Pass } from './pass.ts';
import type { Source } from './source/source.ts';
import type { Block } from './sum-tree.ts';

/** Computes passes over samples: in the calling thread, on several threads, on several machines. */
export interface Executor {
  /** Kernels of the calling thread, for the products between passes. */
  readonly kernels: Kernels;
  /** How many threads compute if there is enough work. Those that could not be started are not counted. */
  readonly threads: number;
  /**
   * The sum of a pass over all samples, added up as the tree of sum-tree.ts. Throws the signal's reason if aborted. With
   * `within`, the node of the tree that these chunks are.
   */
  sum<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal, within?: Block): Promise<C>;
  /** The contribution of every chunk, or of those `within`, in chunk order. */
  map<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal, within?: Block): AsyncGenerator<C, void>;
  /** Starts the threads now, not when there has been work for them; resolves when they are ready. */
  warm?(): Promise<void>;
  close(): Promise<void>;
}
