/**
 * Executor on the processes of `mpirun`. Rank 0 runs the program and prints; the others compute for it. Every rank has its share of
 * successive chunks, the same in every pass, so it reads only these.
 *
 * Sums go up the tree of sum-tree.ts, in log₂(ranks) rounds: rank r adds those of r + 1, then those of r + 2, r + 4, …
 *
 *     0 ← 1   2 ← 3   4 ← 5
 *     0 ← 2           4
 *     0 ← 4
 *
 * Sums that two ranks cannot add because the tree has no such node are passed on unchanged. Codes (`map`) go to rank 0, some chunks at a
 * time, so that it need not hold all of them.
 */
import { InputError } from '../core/errors.ts';
import { withoutUndefined } from '../core/options.ts';
import type { Executor } from '../engine/executor.ts';
import type { AnyPass } from '../engine/pass.ts';
import { type Block, sharesOf, sumTree } from '../engine/sum-tree.ts';
import { failureOf } from '../engine/workers/protocol.ts';
import type { NodeExecutorOptions } from '../node/threads/executor-options.ts';
import { createNodeExecutor } from '../node/threads/threads.ts';
import { type BlockValue, type Cluster, clusterExecutor, type RemotePass } from './cluster-executor.ts';
import { type BlockRequest, computeBlock, passOf, type RemoteSource } from './compute-block.ts';
import { arithmeticIdentity, version } from './identity.ts';
import { type Mpi, openMpi } from './mpi.ts';
import { MOST } from './protocol.ts';
import { fromBytes, fromText, resultBytes, toBytes, toText } from './wire.ts';

const BRIEF = 3;
/** Chunks per rank whose contributions (`map`) are under way at once. */
const CHUNKS_AT_ONCE = 4;

/** Part of a pass: chunks that all ranks share, or blocks of which each takes one. */
interface Round {
  readonly chunks: number;
  readonly from: number;
  readonly to: number;
  /** First chunk, count and level of every block. */
  readonly blocks?: Float64Array | undefined;
}

/** Message of rank 0 to the others. */
type Order = { readonly kind: 'end' } | PassOrder;
interface PassOrder {
  readonly kind: 'pass';
  readonly request: Omit<BlockRequest, 'source'>;
  readonly source: Uint8Array;
  readonly round: Round;
}
/** Reply of each rank. */
type Answer = { readonly values: readonly BlockValue[] } | { readonly failure: string; readonly refused?: boolean };

export interface MpiExecutorOptions extends NodeExecutorOptions {
  /** Longest pass, in milliseconds, that rank 0 computes alone. Default 3. */
  readonly brief?: number | undefined;
}

/**
 * Returns an executor on all ranks, on rank 0; undefined on the others, after they have computed all orders of rank 0. One
 * thread a rank by default (option `threads`).
 */
export async function createMpiExecutor(options: MpiExecutorOptions = {}): Promise<Executor | undefined> {
  const mpi = await openMpi();
  const { brief = BRIEF, ...own } = options;
  const local = await createNodeExecutor({ threads: 1, ...withoutUndefined(own) });
  requireSameArithmetic(mpi, `${version()} ${arithmeticIdentity(local.kernels)}`);
  if (mpi.rank === 0) return clusterExecutor(local, new Ranks(mpi, local, brief));
  await serve(mpi, local);
  await local.close();
  mpi.finalize();
  return undefined;
}

/** Throws on every rank if they would compute different bits. */
function requireSameArithmetic(mpi: Mpi, own: string): void {
  const encoder = new TextEncoder();
  if (mpi.rank > 0) {
    mpi.send(encoder.encode(own), 0);
  }
  const others = mpi.rank > 0 ? [] : Array.from({ length: mpi.size - 1 }, (_, k) => decode(mpi.receive(k + 1)));
  const odd = others.findIndex((each) => each !== own);
  const verdict = odd < 0 ? '' : `cluster: rank ${odd + 1} must compute as rank 0 (${own}); got ${others[odd]}.`;
  const words = decode(mpi.broadcast(mpi.rank === 0 ? encoder.encode(`${verdict} `) : undefined)).trim();
  if (words === '') return;
  mpi.finalize();
  throw new InputError(words);
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Computes the orders of rank 0 until it sends the end. */
async function serve(mpi: Mpi, local: Executor): Promise<void> {
  await import('../index.ts'); // all passes of the package
  for (;;) {
    const order = fromBytes(mpi.broadcast()) as Order;
    if (order.kind === 'end') return;
    await takePart(mpi, local, order);
  }
}

/** Computes the share of this rank. Returns on rank 0 the values of all ranks, in order; the others have sent theirs. */
async function takePart(mpi: Mpi, local: Executor, { request, source, round }: PassOrder): Promise<Answer> {
  const whole = { ...request, source: fromText(source) as RemoteSource };
  const own = await valuesOf(whole, shareOf(round, mpi), local);
  return request.mode === 'sum' ? addUpTree(mpi, passOf(request.pass), round.chunks, own) : gather(mpi, own);
}

function shareOf({ chunks, from, to, blocks }: Round, { rank, size }: Mpi): Block[] {
  if (!blocks) return sharesOf(chunks, size, from, to)[rank];
  const [first, count, level] = blocks.subarray(3 * rank);
  return 3 * rank < blocks.length ? [{ first, count, level }] : [];
}

async function valuesOf(request: BlockRequest, blocks: readonly Block[], local: Executor): Promise<Answer> {
  try {
    const values: BlockValue[] = [];
    for (const block of blocks) values.push({ block, value: await computeBlock(local, request, block) });
    return { values };
  } catch (error) {
    return failureOf(error);
  }
}

/** Adds sums of neighbours at a distance of 1, 2, 4, …: see above. */
function addUpTree(mpi: Mpi, { add }: AnyPass, chunks: number, own: Answer): Answer {
  let answer = own;
  for (let distance = 1; distance < mpi.size; distance *= 2) {
    if (mpi.rank % (2 * distance) !== 0) {
      send(mpi, answer, mpi.rank - distance);
      return answer;
    }
    if (mpi.rank + distance < mpi.size) answer = joined(answer, receive(mpi, mpi.rank + distance), add, chunks);
  }
  return answer;
}

function joined(left: Answer, right: Answer, add: AnyPass['add'], chunks: number): Answer {
  if ('failure' in left) return left;
  if ('failure' in right) return right;
  const all = [...left.values, ...right.values];
  if (all.length === 0) return left;
  const tree = sumTree(add, all[0].block.first);
  for (const { block, value } of all) tree.push(value, block.level);
  const values = tree.nodes().map(({ first, level, sum }) => {
    return { block: { first, level, count: Math.min(2 ** level, chunks - first) }, value: sum };
  });
  return { values };
}

/** Gathers the values of all ranks on rank 0. */
function gather(mpi: Mpi, own: Answer): Answer {
  if (mpi.rank > 0) {
    send(mpi, own, 0);
    return own;
  }
  // every answer is received, even after a failure: the next pass must not find one of these
  const answers = [own, ...Array.from({ length: mpi.size - 1 }, (_, k) => receive(mpi, k + 1))];
  const failed = answers.find((answer) => 'failure' in answer);
  return failed ?? { values: answers.flatMap((answer) => ('values' in answer ? answer.values : [])) };
}

/** Sends an answer; one that cannot be sent becomes a failure, as the receiver waits for it. */
function send(mpi: Mpi, answer: Answer, to: number): void {
  let bytes: Uint8Array;
  try {
    bytes = resultBytes(answer, 'a block', MOST.result);
  } catch (error) {
    bytes = toBytes(failureOf(error), 'a failure', MOST.result);
  }
  mpi.send(bytes, to);
}

const receive = (mpi: Mpi, from: number): Answer => fromBytes(mpi.receive(from)) as Answer;

/** The cluster of all ranks, on rank 0. */
class Ranks implements Cluster {
  #hasEnded = false;
  #inPass = false;

  constructor(
    readonly mpi: Mpi,
    readonly local: Executor,
    readonly ownBrief: number,
  ) {
    process.once('exit', (code) => this.#end(code)); // the others wait for this process
  }

  get brief(): number {
    return this.mpi.size === 1 ? Number.POSITIVE_INFINITY : this.ownBrief;
  }

  get threads(): number {
    return this.mpi.size * this.local.threads;
  }

  async *blocks(pass: RemotePass, signal: AbortSignal | undefined): AsyncGenerator<BlockValue, void> {
    const { source: named, ...request } = pass.request;
    const source = toText(named, 'the list of files', MOST.value);
    for (const round of this.#roundsOf(pass)) {
      signal?.throwIfAborted();
      yield* await this.#compute({ kind: 'pass', request, source, round });
    }
  }

  *#roundsOf({ request, chunks, blocks }: RemotePass): Generator<Round> {
    if (blocks) {
      for (let k = 0; k < blocks.length; k += this.mpi.size) {
        const some = blocks.slice(k, k + this.mpi.size).flatMap(({ first, count, level }) => [first, count, level]);
        yield { chunks, from: 0, to: 0, blocks: Float64Array.from(some) };
      }
      return;
    }
    const step = request.mode === 'sum' ? chunks : this.mpi.size * Math.max(CHUNKS_AT_ONCE, this.local.threads);
    for (let from = 0; from < chunks; from += step) yield { chunks, from, to: Math.min(chunks, from + step) };
  }

  async #compute(order: PassOrder): Promise<readonly BlockValue[]> {
    this.mpi.broadcast(toBytes(order, `the parameters of ${order.request.pass}`, MOST.value));
    this.#inPass = true;
    const answer = await takePart(this.mpi, this.local, order);
    this.#inPass = false;
    if ('values' in answer) return answer.values;
    throw answer.refused ? new InputError(answer.failure) : new Error(answer.failure);
  }

  /** Releases the other ranks; in the middle of a pass it aborts them. */
  #end(code: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#inPass) {
      this.mpi.abort(code);
      return;
    }
    this.mpi.broadcast(toBytes({ kind: 'end' } satisfies Order, 'the end', MOST.value));
    this.mpi.finalize();
  }

  async close(): Promise<void> {
    this.#end(1);
  }
}
