/** A pass on its way to workers, and the two ways there: by messages (message-transport.ts) and through shared memory (shared-memory-transport.ts). */
import type { Pass } from '../pass.ts';
import type { RowRange, Source } from '../source/source.ts';
import type { Block } from '../sum-tree.ts';

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

/** A way to have blocks computed by workers. */
export interface Transport {
  /** The values of every block, in order. */
  run<P, C>(job: Job<P, C>): AsyncGenerator<BlockValues<C>, void>;
}
