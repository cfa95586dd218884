/**
 * Where chunks are computed. An executor takes a pass over a source and yields the contributions in chunk order; what it
 * decides (threads, machines, how many chunks are under way) never shows in the result.
 */
import type { Kernels } from '../kernels/kernels.ts';
import type { Pass } from './pass.ts';
import type { Source } from './source.ts';

export interface Executor {
  /** Kernels of the calling thread, for the products between passes. */
  readonly kernels: Kernels;
  readonly threads: number;
  /** Contributions in chunk order. Throws the signal's reason when it is aborted. */
  contributions<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal): AsyncGenerator<C, void>;
  close(): Promise<void>;
}

/** The sum of a pass over all samples. */
export async function sumOver<P, C>(
  executor: Executor,
  pass: Pass<P, C>,
  params: P,
  source: Source,
  signal?: AbortSignal,
): Promise<C> {
  let total: C | undefined;
  for await (const part of executor.contributions(pass, params, source, signal)) {
    total = total === undefined ? part : pass.add(total, part);
  }
  if (total === undefined) throw new Error(`${pass.name}: the source has no samples.`);
  return total;
}
