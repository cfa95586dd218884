/**
 * Executor over machines, whatever transports blocks to them (Redis, MPI). Blocks are nodes of the tree of sum-tree.ts, so the
 * bits are those of one thread.
 *
 * Work that cannot be sent, or is not worth it, is computed here: samples in memory, parameters in shared memory, brief passes.
 */
import * as v from 'valibot';
import type { Executor } from '../engine/executor.ts';
import { PassTimings } from '../engine/executor.ts';
import type { AnyPass, Pass } from '../engine/pass.ts';
import { rangesOf, requireSamples, type Source } from '../engine/source/source.ts';
import { type Block, sumTree } from '../engine/sum-tree.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { type Shard, type ShardWork, type ShardWriter, writeShards } from '../node/io/shards.ts';
import type { BlockRequest } from './compute-block.ts';
import { contributionLike, damaged, requireForm } from './form.ts';
import { shardWritten } from './protocol.ts';
import { isRemote } from './remote-sources.ts';
import { canTravel } from './wire.ts';

/** A pass to compute on other machines. */
export interface RemotePass {
  readonly request: BlockRequest;
  readonly chunks: number;
  /** Estimated milliseconds of the pass; 0 if unknown. */
  readonly expected: number;
  /** Blocks of the pass, if they are prescribed. */
  readonly blocks?: readonly Block[] | undefined;
}

export interface BlockValue {
  readonly block: Block;
  readonly value: unknown;
}

/** Other machines, and the connection to them. */
export interface Cluster {
  /** Number of threads that compute there. */
  readonly threads: number;
  /** Longest pass, in milliseconds, that is computed here: about the cost of a round trip. */
  readonly brief: number;
  /** Yields the values of all blocks, in order. */
  blocks(pass: RemotePass, signal: AbortSignal | undefined): AsyncGenerator<BlockValue, void>;
  close(): Promise<void>;
}

/** Makes an executor on a cluster. `local` computes what stays here; it is closed with the cluster. */
export function clusterExecutor(local: Executor, cluster: Cluster): ShardWriter {
  const passes = new ClusterPasses(local, cluster);
  return {
    kernels: local.kernels,
    get threads() {
      return cluster.threads;
    },
    async sum<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal, within?: Block): Promise<C> {
      requireSamples(pass.name, source);
      if (within) return local.sum(pass, params, source, signal, within);
      if (passes.stayHere(pass as AnyPass, params, source)) return passes.sumHere(pass, params, source, signal);
      const tree = sumTree(pass.add);
      for await (const { block, value } of passes.blocks({ mode: 'sum', params }, pass as AnyPass, source, signal)) {
        tree.push(value as C, block.level);
      }
      return tree.total()!;
    },
    async *map<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal, within?: Block) {
      if (within || passes.stayHere(pass as AnyPass, params, source)) {
        yield* local.map(pass, params, source, signal, within);
        return;
      }
      for await (const { value } of passes.blocks({ mode: 'map', params }, pass as AnyPass, source, signal)) {
        yield* value as C[];
      }
    },
    async *write<P>(work: Omit<ShardWork<P>, 'executor'>, blocks: readonly Block[]) {
      const { pass, params, source, target, signal } = work;
      if (!canLeave(params, source)) {
        yield* writeShards({ ...work, executor: local }, blocks);
        return;
      }
      const written = passes.blocks({ mode: 'write', params, target }, pass as AnyPass, source, signal, blocks);
      for await (const { value } of written) yield value as Shard;
    },
    async close() {
      await cluster.close();
      await local.close();
    },
  };
}

/** Passes on a cluster or here, and how long they take in both places. */
class ClusterPasses {
  readonly #local: Executor;
  readonly #cluster: Cluster;
  readonly #timings = new PassTimings();
  readonly #localTimings = new PassTimings();

  constructor(local: Executor, cluster: Cluster) {
    this.#local = local;
    this.#cluster = cluster;
  }

  /** Whether a pass is computed here. */
  stayHere(pass: AnyPass, params: unknown, source: Source): boolean {
    const { brief } = this.#cluster;
    const there = this.#timings.estimate(pass, source, source.rows) ?? Number.POSITIVE_INFINITY;
    const here = this.#localTimings.estimate(pass, source, source.rows) ?? 0; // unknown: try it
    const isBrief = there <= brief && here <= Math.max(there, brief);
    return isBrief || !canLeave(params, source) || rangesOf(source, pass.effort).length === 1;
  }

  async sumHere<P, C>(pass: Pass<P, C>, params: P, source: Source, signal: AbortSignal | undefined): Promise<C> {
    const started = performance.now();
    const sum = await this.#local.sum(pass, params, source, signal);
    this.#localTimings.record(pass, source, source.rows, performance.now() - started);
    return sum;
  }

  /** Computes a pass on the cluster; yields the values of its blocks, checked. */
  async *blocks(
    work: Pick<BlockRequest, 'mode' | 'params' | 'target'>,
    pass: AnyPass,
    source: Source,
    signal: AbortSignal | undefined,
    blocks?: readonly Block[],
  ): AsyncGenerator<BlockValue, void> {
    const { locator, rows, cols, precision } = source;
    const ranges = source.ranges && { ranges: source.ranges.flatMap(({ start, end }) => [start, end]) };
    const request = { ...work, pass: pass.name, source: { locator: locator!, rows, cols, precision, ...ranges } };
    const chunks = rangesOf(source, pass.effort).length;
    const started = performance.now();
    const check = answerCheck(work, pass, source, this.#local.kernels);
    const expected = this.#timings.estimate(pass, source, rows) ?? 0;
    for await (const answer of this.#cluster.blocks({ request, chunks, expected, blocks }, signal)) {
      check(answer);
      yield answer;
    }
    this.#timings.record(pass, source, rows, performance.now() - started);
  }
}

const canLeave = (params: unknown, source: Source): boolean => isRemote(source) && canTravel(params);

/** Returns a check that throws unless an answer fits this pass: workers are untrusted. */
function answerCheck(
  { mode, params }: Pick<BlockRequest, 'mode' | 'params'>,
  pass: AnyPass,
  source: Source,
  kernels: Kernels,
): (answer: BlockValue) => void {
  const damage = () => damaged(`a worker's answer for ${pass.name} is`, 'form');
  if (mode === 'write') {
    return ({ value }) => {
      if (!v.is(shardWritten, value)) throw damage();
    };
  }
  const like = contributionLike(pass, params, source, kernels);
  if (mode === 'sum') return ({ value }) => requireForm(pass.name, value, like);
  return ({ block, value }) => {
    if (!Array.isArray(value) || value.length !== block.count) throw damage();
    requireForm(pass.name, value, [like]);
  };
}
